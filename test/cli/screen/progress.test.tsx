import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import type { ProgressState } from '../../../cli/output/progress.ts';
import { drawProgress, ProgressLines } from '../../../cli/screen/progress.tsx';
import { draw } from './drawn.ts';

async function linesOf(state: Partial<ProgressState>, columns = 80): Promise<string[]> {
  const view = <ProgressLines items={[]} bar={null} hint="" {...state} />;
  using drawn = await draw(view, { columns });
  return drawn.lines();
}

const ITEM = {
  name: 'careers.acme.com',
  parts: [{ text: '✓ pending_dns' }, { text: '● verifying' }, { text: '○ issuing' }, { text: '○ active' }],
  notes: ['waiting for all resolvers to return the DNS records, next check in 12 s'],
};

test('shows each thing with its steps and its notes, and a hint', async () => {
  expect(await linesOf({ items: [ITEM], hint: '3 s; Ctrl-C stops waiting' })).toEqual([
    'careers.acme.com  ✓ pending_dns  ● verifying  ○ issuing  ○ active',
    '  waiting for all resolvers to return the DNS records, next check in 12 s',
    '3 s; Ctrl-C stops waiting',
  ]);
});

test('wraps the steps and the notes on a narrow terminal', async () => {
  expect(await linesOf({ items: [ITEM], hint: '3 s' }, 40)).toEqual([
    'careers.acme.com  ✓ pending_dns',
    '● verifying  ○ issuing  ○ active',
    '  waiting for all resolvers to return',
    '  the DNS records, next check in 12 s',
    '3 s',
  ]);
});

test('draws a bar for work of a known size', async () => {
  const [bar, hint] = await linesOf({ bar: { done: 10, total: 30 }, hint: '5.0 a second, 4 s left' });
  expect(bar).toBe(`${'━'.repeat(10)}${'─'.repeat(20)} 10 of 30`);
  expect(hint).toBe('5.0 a second, 4 s left');
});

test('erases also a frame that waited for its turn', async () => {
  let output = '';
  const stderr = Object.assign(new PassThrough(), { isTTY: true, columns: 80, rows: 24 });
  stderr.on('data', (text) => {
    output += text;
  });
  const progress = drawProgress({ stderr }, false);
  progress.draw({ items: [], bar: { done: 1, total: 2 }, hint: '' });
  progress.draw({ items: [], bar: { done: 2, total: 2 }, hint: '' });
  await progress.close();
  expect(output).toContain('1 of 2');
  expect(output.lastIndexOf('\u001b[2K')).toBeGreaterThan(output.lastIndexOf('of 2'));
});
