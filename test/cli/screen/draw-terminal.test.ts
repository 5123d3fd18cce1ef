import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { COLOURS } from '../../../shared/core/look/tokens.ts';
import { animatedSvg } from '../draw-terminal.ts';

const PICTURE = { columns: 20, rows: 2, lengthMs: 4_000, title: 'nameplate demo' };
const DEMO = path.resolve(import.meta.dirname, '../../../shared/pictures/demo.svg');

test('a recording of a terminal draws a line once for the time in which it stays the same', () => {
  const svg = animatedSvg(
    [
      { atMs: 0, lines: ['always', 'first'] },
      { atMs: 1_000, lines: ['always', 'first'] },
      { atMs: 2_000, lines: ['always', 'last'] },
    ],
    PICTURE,
  );
  for (const word of ['always', 'first', 'last']) expect(svg.split(`>${word}<`)).toHaveLength(2);
  expect(svg).toContain('{ 0% { visibility: visible; } 50% { visibility: hidden; } }');
  expect(svg).toMatch(/<g class="last"[^>]*><text[^>]*>last</);
});

test('a recording of a terminal keeps a colour until it changes, also on the next line', () => {
  const svg = animatedSvg([{ atMs: 0, lines: ['\u001b[32mgreen', 'too\u001b[39m <plain>'] }], PICTURE);
  const green = COLOURS['code-number'][0];
  expect(svg).toMatch(
    new RegExp(`fill="${green}">green<.*fill="${green}">too<.*<text [^>]*>&#60;plain&#62;<`),
  );
});

test('the recording in the README is smaller than 1 MB, moves, and loads nothing', () => {
  expect(statSync(DEMO).size).toBeLessThan(1_000_000);
  const svg = readFileSync(DEMO, 'utf8');
  expect(svg).toContain('prefers-reduced-motion');
  expect(svg).toContain('@keyframes');
  expect(svg).not.toMatch(/<(?:script|image|use|foreignObject)|url\(|href=/);
});
