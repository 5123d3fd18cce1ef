import { expect, test } from 'vitest';
import { killInMidWork, killWhileTheClockMoves } from '../journey/kill-recovery.ts';

test('sixty kills in mid-work lose nothing, and some cut a delivery in two', async () => {
  const { events, repeated } = await killInMidWork(60);
  expect(events).toBeGreaterThan(500);
  expect(repeated).toBeGreaterThan(0);
});

test('thirty kills while the clock is moved lose nothing', async () => {
  await killWhileTheClockMoves(30);
});
