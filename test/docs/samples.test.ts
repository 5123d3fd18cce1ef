import { globSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { isShownAs } from './match-output.ts';
import { PAGES } from './pages.ts';
import { readSamples, samplesOf } from './read-samples.ts';
import { kindOf } from './sample-kind.ts';

const docs = path.resolve(import.meta.dirname, '../../shared/docs');
const pages = [
  'README',
  ...globSync('**/*.md', { cwd: docs }).map((file) => file.slice(0, -'.md'.length)),
].sort();

const samples = pages.flatMap((page) => samplesOf(page).map((sample) => ({ page, ...sample })));

/** Pages that the build writes. Their responses come from the schemas, and `test/bin/docs` sends their requests in every language. */
const isGenerated = (page: string) => /^(?:api|errors|reasons)\//.test(page);
const written = samples.filter(({ page }) => !isGenerated(page));

test('every code sample in the docs says how it is run, and a test runs its page', () => {
  const counts: Record<string, number> = {};
  for (const sample of written) {
    const where = `${sample.page}:${sample.line}`;
    expect(() => kindOf(sample), where).not.toThrow();
    expect(Object.keys(PAGES), where).toContain(sample.page);
    const kind = kindOf(sample);
    counts[kind] = (counts[kind] ?? 0) + 1;
    if (kind === 'skipped') console.log(`not run: ${where}: ${sample.attributes['skip']}`);
  }
  const pagesWith = (some: typeof samples) =>
    `${some.length} samples on ${new Set(some.map(({ page }) => page)).size} pages`;
  console.log(`${pagesWith(written)}: ${JSON.stringify(counts)}`);
  const generated = samples.filter(({ page }) => isGenerated(page));
  const requests = generated.filter(({ attributes }) => attributes['tab'] !== undefined);
  console.log(
    `${pagesWith(generated)} that the build writes, of which ${requests.length} are requests that test/bin/docs sends`,
  );
});

test('less than a tenth of the code samples in the docs are skipped', () => {
  const skipped = written.filter((sample) => kindOf(sample) === 'skipped');
  expect(skipped.length / written.length).toBeLessThan(0.1);
});

test('the list of pages with samples names only pages that have samples', () => {
  const withSamples = new Set(written.map(({ page }) => page));
  expect(Object.keys(PAGES).filter((page) => !withSamples.has(page))).toEqual([]);
});

test('a code sample that is saved as a file is used by a later sample', () => {
  for (const { page, line, attributes } of written) {
    const { file } = attributes;
    if (file === undefined || attributes['skip'] !== undefined) continue;
    const later = written.filter((other) => other.page === page && other.line > line);
    const runs = later.some(
      ({ text, language }) =>
        (language === 'sh' && /\b(?:npm|npx|next)\b/.test(text)) || text.includes(path.basename(file)),
    );
    expect(runs || attributes['schema'] !== undefined, `${page}:${line} (${file})`).toBe(true);
  }
});

test('readSamples reads attributes, and removes the indentation of a list', () => {
  const [sample] = readSamples('1. A\n\n   ```sh exit=9 skip="a b" tab\n   a\n     b\n\n   ```\n');
  expect(sample).toEqual({
    line: 3,
    language: 'sh',
    attributes: { exit: '9', skip: 'a b', tab: '' },
    text: 'a\n  b\n\n',
  });
});

test.each([['a = b'], ['sh skip="a'], ['sh "a"']])(
  'readSamples refuses the malformed info string %s',
  (info) => {
    expect(() => readSamples(`\`\`\`${info}\n\`\`\`\n`)).toThrow('malformed');
  },
);

test.each(['sh what=1', 'text', 'sh skip', ''])(
  'readSamples refuses a block without a valid attribute that says how it is run: %s',
  (info) => {
    expect(() => readSamples(`\`\`\`${info}\na\n\`\`\`\n`).map(kindOf)).toThrow();
  },
);

test.each([
  ['a  b\n', 'a b'],
  ['active after 3 s', 'active after 10 s'],
  ['evt_a1 2026-01-01T00:00:00Z', 'evt_9z 2020-12-31T23:59:59.123Z'],
  ['a\nb\nc\nd', 'a\n…\nd'],
  ['v1=abc, then', 'v1=…, then'],
])('the comparison of outputs accepts %j where the page shows %j', (real, shown) => {
  expect(isShownAs(real, shown)).toBe(true);
});

test.each([
  ['a\nb', 'a'],
  ['active', 'activ'],
  ['200', '204'],
  ['a\nb', '…\na'],
  ['evt_a1', 'dom_a1 '],
])('the comparison of outputs does not accept %j where the page shows %j', (real, shown) => {
  expect(isShownAs(real, shown)).toBe(false);
});
