import { setTimeout as sleep } from 'node:timers/promises';

/** Waits in real time for something outside to finish. Work that is due by the clock is a job instead. */
export async function pause(durationMs: number): Promise<void> {
  await sleep(durationMs);
}
