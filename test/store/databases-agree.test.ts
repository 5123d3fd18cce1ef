import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MODES, STATUSES } from '../../shared/core/domains/status.ts';
import type { AppId, DomainId, LeaseId } from '../../shared/core/ids.ts';
import { selectDomains } from '../../shared/store/domains/domain-list.ts';
import { writeMetadata } from '../../shared/store/domains/domain-metadata.ts';
import { findDomainById, saveDomain } from '../../shared/store/domains/domains.ts';
import {
  dropLaneLeases,
  lockLane,
  lockScheduledLanes,
  rescheduleFreeLane,
  scheduleFreeLanes,
} from '../../shared/store/events/lanes.ts';
import { autocommit, type Store } from '../../shared/store/store.ts';
import { describePostgres } from '../fixtures/postgres/postgres.ts';
import { claimDue } from './events/lane-claims.ts';
import { openDatabase } from './open-postgres.ts';
import { openMemory } from './open-sqlite.ts';
import { migratedStore } from './open-store.ts';
import { allPages } from './pages.ts';
import { aDomain, NOW } from './rows.ts';
import { ensureLane, insertDomain, releaseLanes, wakeLane } from './writes.ts';

/** One operation on a store. Resolves with the visible result. */
type Step = (store: Store) => Promise<unknown>;

const small = fc.nat({ max: 5 });
const APPS = ['app_A', 'app_a', 'app_b'] as AppId[];
const app = fc.constantFrom(...APPS);

describePostgres('the stores on SQLite and Postgres agree', () => {
  const sqlite = migratedStore(openMemory);
  const postgres = migratedStore(openDatabase);

  async function agree(steps: fc.Arbitrary<Step>): Promise<void> {
    const sequences = fc.array(steps, { minLength: 5, maxLength: 60, size: 'max' });
    await fc.assert(
      fc
        .asyncProperty(sequences, async (sequence) => {
          for (const step of sequence) expect(await step(postgres())).toEqual(await step(sqlite()));
        })
        .beforeEach(async () => {
          for (const store of [sqlite(), postgres()]) {
            for (const table of ['domains', 'domain_metadata', 'lanes'] as const)
              await store.db.deleteFrom(table).execute();
          }
        }),
      { numRuns: 40 },
    );
  }

  test('on lists of domains, for any changes and queries', async () => {
    const metadata = fc.option(
      fc.dictionary(fc.constantFrom('a', 'A', '__proto__'), fc.constantFrom('1', '%', 1)),
    );
    const written = fc.record({
      n: fc.nat({ max: 15 }),
      app_id: app,
      mode: fc.constantFrom(...MODES),
      hostname: fc.constantFrom('a.com', 'a-b.com', 'a.com.au', 'b.com', 'xn--a.com'),
      status: fc.constantFrom(...STATUSES),
      after: fc.nat({ max: 3 }),
      metadata,
    });
    const domain = written.map(({ n, after, ...rest }) => {
      const id = `dom_${'aBc-_d'.charAt(n % 6)}${n}` as DomainId;
      return aDomain({ ...rest, id, connect_token: id, created_at: NOW + after });
    });
    await agree(
      fc.oneof(
        domain.map(
          (each): Step =>
            (store) =>
              insertDomain(store, each),
        ),
        // Postgres and SQLite describe a violated constraint differently, so the test compares only whether a constraint was violated.
        domain.map(
          (each): Step =>
            async (store) => {
              if ((await findDomainById(store, each.id)) === null) return false;
              const saved = await saveDomain(autocommit(store), each).then(
                () => true,
                () => false,
              );
              if (saved) await writeMetadata(autocommit(store), each);
              return saved;
            },
        ),
        fc
          .record({
            scope: fc.record({ app_id: app, mode: fc.constantFrom(...MODES) }),
            filter: fc.record(
              {
                status: fc.constantFrom(...STATUSES),
                hostnamePrefix: fc.constantFrom('', 'a', 'a.', 'a.com', 'x'),
                metadata: fc.dictionary(fc.constantFrom('a', 'A', '__proto__'), fc.constantFrom('1', '%')),
              },
              { requiredKeys: [] },
            ),
            limit: fc.integer({ min: 1, max: 4 }),
          })
          .map(
            ({ scope, filter, limit }): Step =>
              (store) =>
                allPages((after) => selectDomains(store, scope, filter, { limit, after })),
          ),
      ),
    );
  });

  test('on the queues of deliveries, for any order of waking, claiming and releasing a queue, and of losing its lease', async () => {
    // The number of a domain decides its app: dom_0, dom_3, … belong to the first app.
    const lane = fc
      .nat({ max: 8 })
      .map((n) => ({ domain_id: `dom_${n}` as DomainId, app_id: APPS[n % 3] as AppId }));
    const leaseId = fc.nat({ max: 9 }).map((n) => `lea_${n}` as LeaseId);
    const at = small.map((n) => NOW + n);
    const rows: Step = (store) => store.db.selectFrom('lanes').selectAll().orderBy('domain_id').execute();
    const change = fc.oneof(
      fc.tuple(lane, at).map(
        ([{ domain_id, app_id }, dueAt]): Step =>
          (store) =>
            wakeLane(autocommit(store), domain_id, app_id, dueAt),
      ),
      lane.map(
        ({ domain_id, app_id }): Step =>
          (store) =>
            ensureLane(autocommit(store), domain_id, app_id),
      ),
      fc.tuple(lane, fc.option(at)).map(
        ([{ domain_id, app_id }, dueAt]): Step =>
          async (store) => {
            await lockLane(autocommit(store), domain_id, app_id);
            await rescheduleFreeLane(autocommit(store), domain_id, dueAt);
          },
      ),
      fc.tuple(lane, leaseId, fc.option(at)).map(
        ([{ domain_id }, lease, dueAt]): Step =>
          (store) =>
            releaseLanes(autocommit(store), [{ domain_id, lease_id: lease, due_at: dueAt }]),
      ),
      fc
        .tuple(
          app,
          small,
          fc.option(fc.record({ domain_id: lane.map((each) => each.domain_id), due_at: at })),
        )
        .map(
          ([appId, limit, after]): Step =>
            async (store) => {
              const lanes = await lockScheduledLanes(store, appId, limit, after);
              await scheduleFreeLanes(
                autocommit(store),
                lanes.map(({ domain_id }) => domain_id),
              );
            },
        ),
      at.map(
        (now): Step =>
          (store) =>
            dropLaneLeases(autocommit(store), now),
      ),
      fc
        .record({
          now: at,
          lease_ms: small,
          appsMax: fc.integer({ min: 1, max: 4 }),
          lanesMax: small,
          room: small,
          afterAppId: fc.constantFrom('', 'app_Z', ...APPS),
        })
        .map(
          ({ now, lease_ms, room, ...claim }): Step =>
            (store) => {
              let leases = 0;
              return claimDue(store, now, {
                ...claim,
                lease_until: now + lease_ms,
                roomOf: () => room,
                makeLeaseId: () => `lea_${leases++}` as LeaseId,
              });
            },
        ),
    );
    await agree(
      change.map(
        (step): Step =>
          async (store) => [await step(store), await rows(store)],
      ),
    );
  });
});
