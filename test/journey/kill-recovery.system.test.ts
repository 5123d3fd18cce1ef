import { expect, test } from 'vitest';
import { killInMidWork, killWhileItResets, killWhileTheClockMoves } from './kill-recovery.ts';

test('kill -9 during work loses and reorders no event, and repeats an event only with the same delivery id', async () => {
  const { events } = await killInMidWork(8);
  expect(events).toBeGreaterThan(50);
});

test("kill -9 while the emulator's clock moves loses nothing, and the clock continues from where it was", async () => {
  await killWhileTheClockMoves(4);
});

test('after kill -9 during a reset, the emulator has an account, either the old or the new one', async () => {
  await killWhileItResets(4);
});
