import { expect, test } from 'vitest';
import { forwardedLine } from '../../../cli/listen/listen-lines.ts';
import { createOutput } from '../../../cli/output/output.ts';
import { textWidth } from '../../../cli/output/table.ts';
import type { World } from '../../../cli/settings/world.ts';
import { eventAt } from '../events/event-list.ts';

function lineAt(columns: number | undefined, attempt = 1): string {
  const stdout = { write: () => undefined, ...(columns !== undefined && { isTTY: true, columns }) };
  const output = createOutput({ stdout, stderr: stdout } as unknown as World, { json: false, color: false });
  const event = { ...eventAt(1, { id: `evt_${'0'.repeat(26)}` }), deliveries: [], body: '{}' };
  const response = { status_code: 200, error: null, response_ms: 12 };
  return forwardedLine({ event, attempt, response, outcome: 'accepted' } as never, output);
}

test('listen prints a forwarded event as one line of the terminal', () => {
  for (const columns of [80, 100, 120]) expect(textWidth(lineAt(columns))).toBeLessThanOrEqual(columns);
  expect(lineAt(80)).toMatch(/^\d\d:\d\d:\d\d {2}active +careers\.acme\.com {2}✓ 200 in 12 ms$/);
  expect(lineAt(80, 3)).toMatch(/attempt 3$/);
});

test('listen prints the whole type and id on a wide terminal and in a pipe', () => {
  for (const columns of [120, undefined]) expect(lineAt(columns)).toMatch(/domain\.active .*evt_0{26}$/);
});

test('listen treats a terminal that reports 0 columns as 80 columns wide', () => {
  expect(lineAt(0)).toBe(lineAt(80).replace(/^\S+/, lineAt(0).slice(0, 8)));
});
