import { afterEach, beforeEach, expect, test } from 'vitest';
import { BUDGETS } from '../../shared/core/budgets.ts';
import type { AccountId, AppId, KeyId } from '../../shared/core/ids.ts';
import { createEventStreams, type EventStreams, endEventStreams } from '../../shared/http/event-streams.ts';
import type { Caller } from '../../shared/operations/context.ts';
import { type JobWorld, jobWorld } from '../jobs/job-world.ts';

let world: JobWorld;
let streams: EventStreams;

beforeEach(async () => {
  world = await jobWorld();
  streams = createEventStreams(world.context);
});
afterEach(async () => {
  endEventStreams(world.context);
  await world[Symbol.asyncDispose]();
});

/** Returns a caller with the n-th key of an account. An account has 40 apps with 5 keys each. */
function callerOf(account: string, index: number): Caller {
  const app = `${account}_${Math.floor(index / 5) % 40}` as AppId;
  const key = `${app}_${index % 5}` as KeyId;
  return { account_id: account as AccountId, app_id: app, key_id: key, mode: 'test', idempotency: null };
}

/** Opens a stream. @returns the error code if the stream is refused, else null. */
async function open(caller: Caller): Promise<string | null> {
  const admit = async () => ({ caller, suspended: false });
  const request = { own: world.context, caller, query: {}, lastEventId: null, headers: {}, admit };
  return streams.open(request).then(
    () => null,
    (error: { code: string }) => error.code,
  );
}

test('an account with 40 apps and 200 keys cannot take the event streams that other accounts need', async () => {
  let taken = 0;
  for (let index = 0; index < 1_200; index++) taken += (await open(callerOf('free', index))) === null ? 1 : 0;
  expect(taken).toBe(BUDGETS.account_streams.limit);
  expect(await open(callerOf('free', 999))).toBe('rate_limited');
  for (let index = 0; index < 5; index++) expect(await open(callerOf('other', index))).toBeNull();
});

test('the next account still gets an event stream while 30 accounts have as many streams as allowed', async () => {
  for (let account = 0; account < 30; account++) {
    for (let index = 0; index < 60; index++) await open(callerOf(`flood${account}`, index));
  }
  expect(await open(callerOf('newcomer', 0))).toBeNull();
});
