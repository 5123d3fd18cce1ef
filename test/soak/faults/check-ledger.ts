import { expect } from 'vitest';
import { checkOrder } from '../../journey/kill-recovery.ts';
import type { FaultWorld } from './fault-world.ts';
import type { Ledger } from './ledger.ts';

/** The time for a stream to reconnect and return its events. */
const STREAMED = { timeout: 60_000, interval: 1_000 };
/** The time for the leases of killed nodes to expire, and for other nodes to do their work. */
const SETTLED = { timeout: 300_000, interval: 1_000 };

/**
 * Compares the records of clients, streams and the receiver with the rows in Postgres. Throws if anything is lost, duplicated or out of
 * order.
 * @returns the totals of the run.
 */
export async function checkLedger(world: FaultWorld, ledger: Ledger) {
  const query = (text: string) => world.database().query(text);
  // Also counts test domains that are not active yet, because they still cause events.
  const waiting = async () =>
    (
      await query(`select (select count(*) from events where mode = 'test' and delivery_status = 'pending')::int
        + (select count(*) from domains where mode = 'test' and status not in ('active', 'deleted'))::int as n`)
    )[0]?.['n'];
  await expect.poll(waiting, SETTLED).toBe(0);

  const domains = (await query(`select id, status from domains where mode = 'test'`)) as {
    id: string;
    status: string;
  }[];
  const status = new Map(domains.map(({ id, status }) => [id, status]));
  const of = (ids: Set<string>, isWrong: (status: string | undefined) => boolean) =>
    [...ids].filter((id) => isWrong(status.get(id)));
  expect(of(ledger.created, (is) => is === undefined)).toEqual([]);
  expect(of(ledger.deleted, (is) => is !== 'deleted')).toEqual([]);
  expect(domains.filter(({ id }) => !ledger.created.has(id))).toEqual([]);

  const events = (await query(
    `select id, domain_id, seq::int, created_at::float8, delivery_status from events where mode = 'test'`,
  )) as unknown as Parameters<typeof checkOrder>[0]['events'];
  const { arrivals } = world.receiver;
  const ofTest = arrivals.filter(({ domain_id }) => status.has(domain_id));
  checkOrder({ domains, events, deliveries: [] }, ofTest);
  const ids = new Set(events.map(({ id }) => id));
  const arrived = new Set(ofTest.map(({ event_id }) => event_id));
  expect([...ids].filter((id) => !arrived.has(id))).toEqual([]);
  expect([...arrived].filter((id) => !ids.has(id))).toEqual([]);

  const createdAt = new Map(events.map(({ id, created_at }) => [id, created_at]));
  const missing = (streamed: readonly string[]) => {
    const seen = new Set(streamed);
    // A stream returns only events that were created after it was opened.
    const from = createdAt.get(streamed[0] ?? '') ?? 0;
    return events.filter(({ id, created_at }) => created_at > from && !seen.has(id));
  };
  for (const [node, streamed] of ledger.streamed) {
    const left = () => ({
      node: node.name,
      missing: missing(streamed).length,
      first: missing(streamed)[0] ?? null,
    });
    await expect.poll(left, STREAMED).toEqual({ node: node.name, missing: 0, first: null });
    expect(new Set(streamed).size).toBe(streamed.length);
  }
  await ledger.close();
  return {
    domains: domains.length,
    deleted: ledger.deleted.size,
    events: events.length,
    deliveries: ofTest.length,
    visits: ledger.visits,
    refused: ledger.refused.length,
    ended: ledger.endedAfterMs.length,
    slowestEndMs: Math.round(Math.max(0, ...ledger.endedAfterMs)),
    answers: Object.fromEntries(ledger.answers),
  };
}
