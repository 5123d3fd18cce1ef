import { expect, test } from 'vitest';
import { killInMidWork, killWhileItResets, killWhileTheClockMoves } from './kill-recovery.ts';

test('kill -9 in mid-work: no event lost or out of order, repeated only under its delivery id, all goes on', async () => {
  const { events } = await killInMidWork(8);
  expect(events).toBeGreaterThan(50);
});

test('kill -9 while the clock is moved: it goes on from where it was, and nothing is lost', async () => {
  await killWhileTheClockMoves(4);
});

test('kill -9 in the middle of a reset: the account is there, as before or as new', async () => {
  await killWhileItResets(4);
});
