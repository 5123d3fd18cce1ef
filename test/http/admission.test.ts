import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { NoTurnError } from '../../shared/adapters/turns.ts';
import type { AccountId } from '../../shared/core/ids.ts';
import { type ConnectedClient, createAdmission } from '../../shared/http/admission.ts';
import type { Context } from '../../shared/operations/context.ts';
import { SNAPSHOTS } from '../../shared/store/commit-order.ts';
import type { Store } from '../../shared/store/store.ts';
import type { Tables } from '../../shared/store/tables.ts';

/** A store that returns an empty result for every query. */
const EMPTY: Store = {
  db: new Kysely<Tables>({
    dialect: {
      createDriver: () => new DummyDriver(),
      createAdapter: () => new PostgresAdapter(),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  }),
  flags: {
    rowLocks: true,
    textType: 'text',
    jsonRecords: true,
    lateral: true,
    failsWhole: true,
    commits: SNAPSHOTS,
  },
};

const [NOISY, CALM] = ['app_noisy' as AccountId, 'app_calm' as AccountId];

function clientUnderTest(): ConnectedClient & { leave(): void } {
  let leave = (): void => undefined;
  return {
    network: '192.0.2.1',
    leaving(onLeft) {
      leave = onLeft;
    },
    leave: () => leave(),
  };
}

describe('the admission of API requests keeps one client from delaying others', () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  function admissionUnderTest() {
    const delayed: string[] = [];
    const admission = createAdmission({ store: EMPTY } as Context, {
      requestsMax: 10_000,
      listTimeoutMs: 5_000,
      storeOf: () => EMPTY,
      onDelayed: (what) => delayed.push(what),
    });
    let started = 0;
    /** Starts a list request whose work never ends. */
    const list = (client: ConnectedClient = clientUnderTest()) =>
      admission.serveAccount(NOISY, { client, isList: true }, () => {
        started += 1;
        return new Promise<never>(() => undefined);
      });
    return { admission, delayed, list, started: () => started };
  }

  test('delays the lists of an app while another app is active, and skips lists whose client has left', async () => {
    const { admission, delayed, list, started } = admissionUnderTest();
    await admission.serveAccount(CALM, { client: clientUnderTest(), isList: false }, async () => undefined);
    const lists = Array.from({ length: 60 }, () => list().catch((error: unknown) => error));
    const leaver = clientUnderTest();
    const left = list(leaver).catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(0);
    const atOnce = started();
    expect(atOnce).toBeLessThan(lists.length);
    expect(delayed.filter((what) => what === 'list')).toHaveLength(lists.length + 1 - atOnce);
    leaver.leave();
    expect(await left).toBeInstanceOf(NoTurnError);
    expect(started()).toBe(atOnce);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(started()).toBe(lists.length);
  });

  test('starts list requests at once while only one app is active', async () => {
    const { list, started } = admissionUnderTest();
    for (let n = 0; n < 60; n++) list().catch(() => undefined);
    await vi.advanceTimersByTimeAsync(0);
    expect(started()).toBe(60);
  });

  test('delays refusals to one client, without delaying any other client', async () => {
    const { admission, delayed } = admissionUnderTest();
    let sent = 0;
    for (let n = 0; n < 500; n++) {
      admission.paceRefusal(NOISY, clientUnderTest()).then(() => {
        sent += 1;
      });
    }
    await admission.paceRefusal(CALM, clientUnderTest());
    expect(sent).toBeLessThan(150);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(sent).toBe(500);
    expect(new Set(delayed)).toEqual(new Set(['refusal']));
  });
});
