import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { createOutput } from '../../../cli/output/output.ts';
import { createProgress, type ProgressState } from '../../../cli/output/progress.ts';
import { drawProgress, ProgressLines } from '../../../cli/screen/progress.tsx';
import type { World } from '../../../cli/settings/world.ts';
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

test('the progress view shows each domain with its steps and notes, and a hint', async () => {
  expect(await linesOf({ items: [ITEM], hint: '3 s; Ctrl-C stops waiting' })).toEqual([
    'careers.acme.com  ✓ pending_dns  ● verifying  ○ issuing  ○ active',
    '  waiting for all resolvers to return the DNS records, next check in 12 s',
    '3 s; Ctrl-C stops waiting',
  ]);
});

test('the progress view wraps the steps and the notes on a narrow terminal', async () => {
  expect(await linesOf({ items: [ITEM], hint: '3 s' }, 40)).toEqual([
    'careers.acme.com  ✓ pending_dns',
    '● verifying  ○ issuing  ○ active',
    '  waiting for all resolvers to return',
    '  the DNS records, next check in 12 s',
    '3 s',
  ]);
});

test('the progress view draws a bar for work of a known size', async () => {
  const [bar, hint] = await linesOf({ bar: { done: 10, total: 30 }, hint: '5.0 a second, 4 s left' });
  expect(bar).toBe(`${'━'.repeat(10)}${'─'.repeat(20)} 10 of 30`);
  expect(hint).toBe('5.0 a second, 4 s left');
});

test('the progress view also erases a frame whose drawing was delayed', async () => {
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

test('a note on stderr moves the progress view down and leaves no stale line', async () => {
  let written = '';
  const stderr = Object.assign(new PassThrough(), { isTTY: true, columns: 80, rows: 24 });
  stderr.on('data', (text) => {
    written += text;
  });
  const world = { stderr, stdout: stderr, env: {} } as unknown as World;
  const output = createOutput(world, { json: false, color: false });
  const progress = createProgress(world, output);
  progress?.show({ hint: '3 s; Ctrl-C stops waiting' });
  await expect.poll(() => written).toContain('3 s;');
  output.note('Still waiting for a response.');
  await progress?.close();
  const [before = '', after = ''] = written.split('Still waiting for a response.\n');
  const erase = '\u001b[2K';
  expect(before.lastIndexOf(erase)).toBeGreaterThan(before.lastIndexOf('3 s;'));
  expect(after).toContain('3 s;');
  output.note('The next note.');
  expect(written.slice(written.lastIndexOf('3 s;'))).toContain('The next note.\n');
});
