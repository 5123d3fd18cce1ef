import { globSync, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { seededRandom } from '../fixtures/seeded-random.ts';
import { type Passage, readPassages } from './read-prose.ts';

/**
 * Prints prose drawn at random, to be read by someone who does not know the code: `npm run draw -- --seed 1`. The same seed draws the
 * same passages of the same tree.
 */
const DRAWN: readonly [kind: Passage['kind'], count: number][] = [
  ['comment', 20],
  ['paragraph', 10],
  ['title', 10],
];

const { values } = parseArgs({ options: { seed: { type: 'string', default: '1' } } });
const files = globSync(['{bin,cli,emulator,service,shared,test}/**/*.{ts,tsx,md}', '*.md']).sort();
const all = files.flatMap((file) =>
  readPassages(file, readFileSync(file, 'utf8')).map((passage) => ({ file, ...passage })),
);
const random = seededRandom(Number(values.seed));
for (const [wanted, count] of DRAWN) {
  const left = all.filter(({ kind }) => kind === wanted);
  for (let n = 0; n < count; n++) {
    const [drawn] = left.splice(Math.floor(random() * left.length), 1);
    if (drawn === undefined) continue;
    console.log(`${drawn.file}:${drawn.line} (${wanted})\n  ${drawn.lead ?? ''}${drawn.text.trim()}\n`);
  }
}
