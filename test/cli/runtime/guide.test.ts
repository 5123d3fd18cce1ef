import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { COMMANDS } from '../../../cli/commands.ts';
import { EXIT_CODES } from '../../../cli/runtime/exit-codes.ts';

const guide = readFileSync(path.resolve(import.meta.dirname, '../../../shared/docs/cli.md'), 'utf8');

test('the guide of the CLI lists every exit code with its meaning', () => {
  const rows = [...guide.matchAll(/^\| (\d+) \| (.+) \|$/gm)].map(([, exit, meaning]) => [
    Number(exit),
    meaning,
  ]);
  expect(rows).toEqual(EXIT_CODES.map(({ exit, meaning }) => [exit, meaning]));
});

test('every command that the guide of the CLI names exists', () => {
  const named = [
    ...guide.matchAll(/(?:nameplate |`)((?:domains|events|keys|webhooks|apps|profiles) [a-z-]+)/g),
  ];
  const commands = Object.keys(COMMANDS).map((id) => id.replaceAll(':', ' '));
  expect(named.length).toBeGreaterThan(5);
  for (const [, command] of named) expect(commands).toContain(command);
});
