import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { withStateDiagram } from '../shared/core/domains/state-diagram.ts';

/** Documents in which the state machine's diagram is redrawn between its markers. */
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
