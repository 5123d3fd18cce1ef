import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type FinalResponse, withIdempotencyKey } from '../../shared/http/idempotency.ts';
import type { Caller } from '../../shared/operations/context.ts';
import { effect } from '../../shared/operations/domains/effect.ts';
import { findAccount } from '../../shared/store/accounts/accounts.ts';
import { type JobWorld, jobWorld } from '../jobs/job-world.ts';

const REQUEST = { method: 'POST', pathAndQuery: '/v1/keys', body: Buffer.from('{}') };
const LEASE_MS = 5_000;

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }));
afterEach(() => void vi.useRealTimers());

async function under() {
  const world = await jobWorld();
  const caller: Caller = await world.addApp('acme');
  let effects = 0;
  return {
    world,
    effects: () => effects,
    /** Sends the same request with the same idempotency key. @param before a promise. The request ends only after it resolves. */
    send: (before: Promise<void> = Promise.resolve()): Promise<FinalResponse> =>
      withIdempotencyKey(world.context, caller, 'k1', REQUEST, async (by) => {
        await before;
        return effect(world.context, by, async (tx) => {
          await findAccount(tx.store, by.account_id);
          effects += 1;
          return { status: 201, body: { effects } };
        });
      }),
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  };
}

/** Moves the clock and runs the due timers. */
async function pass(world: JobWorld, durationMs: number): Promise<void> {
  for (let passed = 0; passed < durationMs; passed += 500) {
    world.clock.move(500);
    await vi.advanceTimersByTimeAsync(500);
  }
}

const inUse = (retryAfterS: number) => ({ code: 'idempotency_key_in_use', retry_after_s: retryAfterS });

test('a request that outlasts its lease keeps its Idempotency-Key, and repeated requests get Retry-After', async () => {
  await using our = await under();
  const slow = Promise.withResolvers<void>();
  const first = our.send(slow.promise);
  await expect(our.send()).rejects.toMatchObject(inUse(5));
  await pass(our.world, 10 * LEASE_MS);
  await expect(our.send()).rejects.toMatchObject({ code: 'idempotency_key_in_use' });
  slow.resolve();
  expect(await first).toMatchObject({ status: 201, replayed: false });
  expect(await our.send()).toEqual({ ...(await first), replayed: true });
  expect(our.effects()).toBe(1);
  expect(vi.getTimerCount()).toBe(0);
});

test('the Idempotency-Key of a lost request is released when its lease ends, which Retry-After announces', async () => {
  await using our = await under();
  const lost = Promise.withResolvers<void>();
  const first = our.send(lost.promise);
  await expect(our.send()).rejects.toMatchObject(inUse(5));
  // Moves only the clock. The timers must not fire, because the process that holds the key has ended.
  our.world.clock.move(3_500);
  await expect(our.send()).rejects.toMatchObject(inUse(2));
  our.world.clock.move(2_000);
  expect(await our.send()).toMatchObject({ status: 201, text: '{"effects":1}' });
  // The first request was only slow. Its effect is rolled back, because the second one has completed.
  lost.resolve();
  await expect(first).rejects.toMatchObject(inUse(5));
  expect(await our.send()).toMatchObject({ status: 201, text: '{"effects":1}', replayed: true });
});

test('the Idempotency-Key of a failed request is released at once', async () => {
  await using our = await under();
  await expect(our.send(Promise.reject(new Error('fault')))).rejects.toThrow('fault');
  expect(await our.send()).toMatchObject({ status: 201, replayed: false });
});
