import { expect, test } from 'vitest';
import { eventAt } from '../event-list.ts';
import { viewOf } from '../view.tsx';

const EVENTS = [eventAt(0), eventAt(1)];

test('a notice that is too long for the footer ends with an ellipsis', async () => {
  const text = `${'word '.repeat(100)}the end`;
  const at = { columns: 80, rows: 24 };
  const lines = await viewOf(EVENTS, at)
    .do({ kind: 'noticed', notice: { text, tone: 'bad' } })
    .screen(0, at);
  const shown = lines.filter((line) => /^ (?:✗ )?word/.test(line));
  expect(shown.length).toBe(4);
  expect(shown[0]).toMatch(/^ ✗ word/);
  expect(shown.at(-1)?.trimEnd()).toMatch(/…$/);
});

test('on a small screen, an open page replaces the introduction of the event view', async () => {
  const view = viewOf(EVENTS);
  view.state = { ...view.state, intro: ['An introduction.'] };
  expect((await view.screen()).join('\n')).toContain('An introduction.');
  expect((await view.press('enter').screen()).join('\n')).not.toContain('An introduction.');
  const tall = await view.screen(0, { columns: 120, rows: 50 });
  expect(tall.join('\n')).toContain('An introduction.');
});
