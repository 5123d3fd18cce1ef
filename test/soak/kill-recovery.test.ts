import { expect, test } from 'vitest';
import { killInMidWork, killWhileTheClockMoves } from '../journey/kill-recovery.ts';

test('sixty kills of the emulator during work lose nothing, although some interrupt a delivery', async () => {
  const { events, repeated } = await killInMidWork(60);
  expect(events).toBeGreaterThan(500);
  expect(repeated).toBeGreaterThan(0);
});

test('thirty kills of the emulator while its clock moves lose nothing', async () => {
  await killWhileTheClockMoves(30);
});
