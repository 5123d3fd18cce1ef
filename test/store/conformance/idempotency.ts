import { expect, test } from 'vitest';
import {
  claimIdempotencyKey,
  completeIdempotencyKey,
  type IdempotencyClaim,
  releaseAllIdempotencyKeys,
  releaseIdempotencyKey,
  renewIdempotencyKey,
} from '../../../shared/store/accounts/idempotency.ts';
import { inTransaction, type Tx } from '../../../shared/store/store.ts';
import { NOW, newId } from '../rows.ts';

const LEASE_MS = 60_000;
const KEPT_MS = 100 * LEASE_MS;
const ANSWER = { status: 201, body: 'sealed' };

export function idempotencyTests(store: () => Tx): void {
  /** A claim of an idempotency key by a request. `retry` is a later copy of the same request. */
  const aClaim = (change: Partial<IdempotencyClaim> = {}): IdempotencyClaim => ({
    scope: { app_id: newId('app'), mode: 'live' },
    key: 'k',
    fingerprint: 'f',
    lease_id: newId('lea'),
    lease_until: NOW + LEASE_MS,
    now: NOW,
    keptSince: NOW - KEPT_MS,
    ...change,
  });
  const retry = (claim: IdempotencyClaim, now: number, change: Partial<IdempotencyClaim> = {}) =>
    aClaim({
      ...claim,
      lease_id: newId('lea'),
      lease_until: now + LEASE_MS,
      now,
      keptSince: now - KEPT_MS,
      ...change,
    });
  const claimed = async (claim: IdempotencyClaim) => (await claimIdempotencyKey(store(), claim)).claimed;
  const rowOf = async (claim: IdempotencyClaim) => {
    const state = await claimIdempotencyKey(store(), claim);
    return state.claimed ? null : state.row;
  };

  test('claims a key once; while the request is in flight, others see its fingerprint and no response', async () => {
    const claim = aClaim();
    expect(await claimed(claim)).toBe(true);
    const inFlight = {
      fingerprint: 'f',
      lease_id: claim.lease_id,
      status: null,
      body: null,
      created_at: NOW,
    };
    expect(await rowOf(retry(claim, NOW + 1))).toMatchObject(inFlight);
    expect(await rowOf(retry(claim, NOW + LEASE_MS - 1, { fingerprint: 'other' }))).toMatchObject(inFlight);
  });

  test('distinguishes keys by app, mode and spelling', async () => {
    const claim = aClaim({ key: 'Key' });
    const { app_id } = claim.scope;
    expect(await claimed(claim)).toBe(true);
    expect(await claimed(retry(claim, NOW, { scope: { app_id: newId('app'), mode: 'live' } }))).toBe(true);
    expect(await claimed(retry(claim, NOW, { scope: { app_id, mode: 'test' } }))).toBe(true);
    for (const key of ['key', 'Key ', 'Ke_', '%'])
      expect(await claimed(retry(claim, NOW, { key }))).toBe(true);
    expect(await claimed(retry(claim, NOW))).toBe(false);
  });

  test('lets only the same request take over after the lease has ended', async () => {
    const claim = aClaim();
    await claimed(claim);
    const after = NOW + LEASE_MS;
    expect(await claimed(retry(claim, after, { fingerprint: 'other' }))).toBe(false);
    const taker = retry(claim, after);
    expect(await claimed(taker)).toBe(true);
    expect(await rowOf(retry(claim, after + LEASE_MS - 1))).toMatchObject({
      lease_id: taker.lease_id,
      lease_until: after + LEASE_MS,
      created_at: NOW,
    });
  });

  test('one of 20 concurrent takeovers succeeds', async () => {
    const claim = aClaim();
    await claimed(claim);
    const takers = Array.from({ length: 20 }, () => retry(claim, NOW + LEASE_MS));
    expect((await Promise.all(takers.map(claimed))).filter(Boolean)).toHaveLength(1);
  });

  test('exactly one of 50 concurrent claims of a key succeeds', async () => {
    const claim = aClaim();
    const claims = Array.from({ length: 50 }, () => retry(claim, NOW));
    const states = await Promise.all(claims.map((each) => claimIdempotencyKey(store(), each)));
    const winners = claims.filter((_, i) => states[i]?.claimed);
    expect(winners).toHaveLength(1);
    for (const state of states) {
      if (!state.claimed) expect(state.row.lease_id).toBe(winners[0]?.lease_id);
    }
  });

  test.each([ANSWER, { status: 204, body: null }])(
    'returns a stored response to every later request: %j',
    async (answer) => {
      const claim = aClaim();
      await claimed(claim);
      expect(await completeIdempotencyKey(store(), claim, answer)).toBe(true);
      const stored = { ...answer, fingerprint: 'f', lease_id: null };
      expect(await rowOf(retry(claim, NOW + 1))).toMatchObject(stored);
      expect(await rowOf(retry(claim, NOW + 10 * LEASE_MS))).toMatchObject(stored);
      expect(await rowOf(retry(claim, NOW + 1, { fingerprint: 'other' }))).toMatchObject(stored);
    },
  );

  test('ignores a response past its retention: one new request gets the key', async () => {
    const claim = aClaim();
    const other = retry(claim, NOW, { key: 'other' });
    for (const each of [claim, other]) {
      await claimed(each);
      await completeIdempotencyKey(store(), each, ANSWER);
    }
    expect(await rowOf(retry(claim, NOW + KEPT_MS))).toMatchObject(ANSWER);
    const late = Array.from({ length: 20 }, () => retry(claim, NOW + KEPT_MS + 1, { fingerprint: 'new' }));
    expect((await Promise.all(late.map(claimed))).filter(Boolean)).toHaveLength(1);
    expect(await rowOf(retry(claim, NOW + KEPT_MS + 1))).toMatchObject({ fingerprint: 'new', status: null });
    expect(await rowOf(retry(other, NOW + KEPT_MS))).toMatchObject(ANSWER);
  });

  test('neither replaces nor releases a stored response', async () => {
    const claim = aClaim();
    await claimed(claim);
    await completeIdempotencyKey(store(), claim, ANSWER);
    expect(await completeIdempotencyKey(store(), claim, { status: 500, body: 'x' })).toBe(false);
    await releaseIdempotencyKey(store(), claim);
    expect(await rowOf(retry(claim, NOW + 1))).toMatchObject(ANSWER);
  });

  test('a request that lost the lease neither completes nor releases', async () => {
    const lost = aClaim();
    await claimed(lost);
    const held = retry(lost, NOW + LEASE_MS);
    await claimed(held);
    expect(await completeIdempotencyKey(store(), lost, ANSWER)).toBe(false);
    await releaseIdempotencyKey(store(), lost);
    expect(await rowOf(retry(lost, NOW + LEASE_MS + 1))).toMatchObject({
      lease_id: held.lease_id,
      status: null,
    });
    expect(await completeIdempotencyKey(store(), held, ANSWER)).toBe(true);
  });

  test('extends a lease only for the request that holds it', async () => {
    const claim = aClaim();
    await claimed(claim);
    const later = NOW + LEASE_MS + 10;
    expect(await renewIdempotencyKey(store(), claim, later)).toBe(true);
    expect(await claimed(retry(claim, later - 1))).toBe(false);
    expect(await claimed(retry(claim, later))).toBe(true);
    expect(await renewIdempotencyKey(store(), claim, later + 10)).toBe(false);
  });

  test('releases all running keys together, and keeps finished responses', async () => {
    const [claim, answered] = [aClaim(), aClaim()];
    await claimed(claim);
    await claimed(answered);
    await completeIdempotencyKey(store(), answered, ANSWER);
    await releaseAllIdempotencyKeys(store());
    expect(await claimed(retry(claim, NOW + 1))).toBe(true);
    expect(await rowOf(retry(answered, NOW + 1))).toMatchObject(ANSWER);
  });

  test('a released key is free, also for another request', async () => {
    const claim = aClaim();
    await claimed(claim);
    await releaseIdempotencyKey(store(), claim);
    expect(await claimed(retry(claim, NOW + 1, { fingerprint: 'other' }))).toBe(true);
  });

  test('does not store a response whose transaction fails, and the key stays in flight', async () => {
    const claim = aClaim();
    await claimed(claim);
    const failing = inTransaction(store(), async (tx) => {
      expect(await completeIdempotencyKey(tx, claim, ANSWER)).toBe(true);
      throw new Error('The effect failed');
    });
    await expect(failing).rejects.toThrow('The effect failed');
    expect(await rowOf(retry(claim, NOW + 1))).toMatchObject({ lease_id: claim.lease_id, status: null });
  });
}
