import { expect, test, vi } from 'vitest';
import { rotateTicketKeys, ticketKeysOf } from '../../../service/edge/ticket-keys.ts';
import type { EncryptionKeys } from '../../../service/settings/setting-kinds.ts';
import { DAY_MS, MINUTE_MS } from '../../../shared/core/instant.ts';

const NOON = Date.parse('2026-01-01T12:00:00Z');
const ring = (current: string): EncryptionKeys => ({
  current,
  keys: new Map([
    ['k1', Buffer.alloc(32, 1)],
    ['k2', Buffer.alloc(32, 2)],
  ]),
});

test('the session ticket keys are 48 bytes for each day: equal on nodes with the same encryption keys, otherwise different', () => {
  const keys = ticketKeysOf(ring('k1'), NOON, 48);
  expect(keys).toHaveLength(48);
  expect(ticketKeysOf(ring('k1'), NOON + DAY_MS / 2 - 1, 48)).toEqual(keys);
  const others = [
    ticketKeysOf(ring('k1'), NOON + DAY_MS / 2, 48),
    ticketKeysOf(ring('k2'), NOON, 48),
    Buffer.alloc(48, 1),
  ];
  for (const other of others) expect(other).not.toEqual(keys);
});

test('the node sets the session ticket keys of an edge once a day, when the day begins', () => {
  vi.useFakeTimers();
  let now = NOON;
  const given: Buffer[] = [];
  const stop = rotateTicketKeys(
    { ticketKeyBytes: 48, setTicketKeys: (keys) => given.push(keys) },
    ring('k1'),
    { now: () => now },
  );
  vi.advanceTimersByTime(MINUTE_MS);
  expect(given).toEqual([ticketKeysOf(ring('k1'), NOON, 48)]);
  now += DAY_MS;
  vi.advanceTimersByTime(2 * MINUTE_MS);
  expect(given).toEqual([ticketKeysOf(ring('k1'), NOON, 48), ticketKeysOf(ring('k1'), now, 48)]);
  stop();
  now += DAY_MS;
  vi.advanceTimersByTime(2 * MINUTE_MS);
  expect(given).toHaveLength(2);
  vi.useRealTimers();
});
