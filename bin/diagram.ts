import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { withStateDiagram } from '../shared/core/domains/state-diagram.ts';

/** Writes the diagram of the state machine between its markers, wherever the documentation has them. */
const FILES = ['README.md', 'shared/docs/domains.md'];

const root = path.resolve(import.meta.dirname, '..');

for (const name of FILES) {
  const file = path.join(root, name);
  if (!existsSync(file)) continue;
  const before = readFileSync(file, 'utf8');
  const after = withStateDiagram(before);
  if (after !== before) writeFileSync(file, after);
  console.log(`${name}: ${after === before ? 'up to date' : 'written'}`);
}
