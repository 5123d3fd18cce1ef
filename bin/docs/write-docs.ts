import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { outdatedDocs } from './generated-docs.ts';

/** `npm run reference`: writes the generated pages of the docs, and the generated parts of guides. */
const root = path.resolve(import.meta.dirname, '../..');
const { files, stale } = outdatedDocs(root);

for (const [file, text] of files) {
  const target = path.join(root, file);
  mkdirSync(path.dirname(target), { recursive: true });
  writeFileSync(target, text);
  console.log(`${file}: written`);
}
for (const file of stale) {
  rmSync(path.join(root, file));
  console.log(`${file}: removed`);
}
if (files.size + stale.length === 0) console.log('everything is up to date');
