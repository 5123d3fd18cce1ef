import { globSync, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { seededRandom } from '../fixtures/seeded-random.ts';
import { readPassages, sentencesOf } from './read-prose.ts';

/**
 * Prints random passages of prose, for a reader who does not know the code. Also prints how much prose the tree has:
 * `npm run draw -- --seed 1 --comments 60 --titles 30 --paragraphs 20`, which are the defaults. The same seed draws the same passages of the
 * same tree.
 */
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    comments: { type: 'string', default: '60' },
    titles: { type: 'string', default: '30' },
    paragraphs: { type: 'string', default: '20' },
  },
});
/** A sentence of more words is reported as long. `test/prose` refuses a sentence of more than 30 words. */
const LONG_WORDS = 20;

const files = globSync(['{bin,cli,emulator,service,shared,test}/**/*.{ts,tsx,md}', '*.md']).sort();
const all = files.flatMap((file) =>
  readPassages(file, readFileSync(file, 'utf8')).map((passage) => ({ file, ...passage })),
);
const random = seededRandom(Number(values.seed));
const sizes: string[] = [];
for (const kind of ['comment', 'title', 'paragraph'] as const) {
  const left = all.filter((passage) => passage.kind === kind);
  sizes.push(`${left.length} ${kind}s`);
  for (let n = 0; n < Number(values[`${kind}s`]); n++) {
    const [drawn] = left.splice(Math.floor(random() * left.length), 1);
    if (drawn === undefined) break;
    console.log(`${drawn.file}:${drawn.line} (${kind})\n  ${drawn.lead ?? ''}${drawn.text.trim()}\n`);
  }
}
const sentences = all.flatMap(({ text }) => sentencesOf(text));
const long = sentences.filter((sentence) => sentence.split(' ').length > LONG_WORDS).length;
console.log(`The tree has ${sizes.join(', ')}, and ${long} sentences of more than ${LONG_WORDS} words.`);
