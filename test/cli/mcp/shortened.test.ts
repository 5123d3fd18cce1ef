import { expect, test } from 'vitest';
import { shortened } from '../../../cli/mcp/tool-result.ts';

const items = (count: number, chars: number) =>
  Array.from({ length: count }, (_, id) => ({ id, text: 'a'.repeat(chars) }));

test('the shortener of MCP results leaves a short document unchanged', () => {
  const page = { data: items(3, 10), next_cursor: 'c' };
  expect(shortened(page, 1_000)).toEqual({ document: page, leftOut: null });
  expect(shortened(null, 1_000)).toEqual({ document: null, leftOut: null });
});

test('the shortener of MCP results returns the first items of a page, the number of omitted items, and no cursor', () => {
  const { document, leftOut } = shortened({ data: items(50, 100), next_cursor: 'c' }, 2_000);
  const { data, ...rest } = document as { data: { id: number }[] };
  expect(rest).toEqual({});
  expect(data.length).toBeGreaterThan(10);
  expect(data.map(({ id }) => id)).toEqual(data.map((_, index) => index));
  expect(leftOut).toEqual({ data: 50 - data.length });
  expect(JSON.stringify(document).length).toBeLessThanOrEqual(2_000);
});

test('the shortener of MCP results shortens the longest list first', () => {
  const { document, leftOut } = shortened({ findings: items(2, 100), lookups: items(40, 100) }, 2_000);
  expect(document).toMatchObject({ findings: items(2, 100) });
  expect(Object.keys(leftOut ?? {})).toEqual(['lookups']);
});

test('the shortener of MCP results drops a single item that is too long, instead of looping forever', () => {
  expect(shortened({ data: items(1, 3_000) }, 100)).toEqual({ document: { data: [] }, leftOut: { data: 1 } });
});

test('the shortener of MCP results truncates a long text and states how much is missing', () => {
  const { document } = shortened({ brand_logo: 'b'.repeat(5_000) }, 50_000);
  expect(document).toEqual({ brand_logo: `${'b'.repeat(4_000)}… (1000 more characters)` });
});
