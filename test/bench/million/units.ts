import { BUDGETS } from '../../../shared/core/budgets.ts';
import type { DomainId } from '../../../shared/core/ids.ts';
import { MINUTE_MS } from '../../../shared/core/instant.ts';
import { COMMON_HANDLERS } from '../../../shared/jobs/handlers.ts';
import { createJobWorker } from '../../../shared/jobs/job-worker.ts';
import { createRunner } from '../../../shared/jobs/runner.ts';
import type { Context } from '../../../shared/operations/context.ts';
import { rightDns } from '../../operations/certificates/right-dns.ts';
import { idOf } from './fill-expressions.ts';
import { averageOf, type Cost, setFullPageWrites } from './meter.ts';
import type { Costs, MillionWorld, Part } from './world.ts';

const CHECKS = 400;
/** Number of checks that are due at the same time. The number is small, so that no check waits long for a database connection. */
const DUE_AT_ONCE = 50;
const LANES = 200;
const EVENTS_PER_LANE = 5;
const CREATES = 200;
/** Number of units that fill caches before the measurement. */
const WARM = 50;

/** Measures a routine check that finds nothing new, without its DNS lookups. */
export const measureChecks: Part = async (world) => {
  const { meter, fill } = world;
  if (fill.domains < CHECKS + WARM) return {};
  const check = async (from: number, count: number) => {
    const costs: Cost[] = [];
    for (let done = 0; done < count; done += DUE_AT_ONCE) {
      const ids = await makeChecksDue(world, from + done, DUE_AT_ONCE);
      costs.push(await meter.measure(() => runChecks(world), ids.length));
      await mustBeActive(world, ids);
    }
    return averageOf(costs);
  };
  await check(0, WARM);
  const costs: Costs = { 'routine check': await check(WARM, CHECKS) };
  await setFullPageWrites(world.client, true);
  costs['routine check, full pages after a checkpoint'] = await check(WARM + CHECKS, CHECKS);
  await setFullPageWrites(world.client, false);
  return costs;
};

/** Measures ordered deliveries, without the HTTP request. */
export const measureDeliveries: Part = async (world) => {
  const { context, meter, fill } = world;
  if (fill.domains < LANES + WARM) return {};
  let delivered = 0;
  const quick: Context = {
    ...context,
    outbound: {
      ...context.outbound,
      async send() {
        delivered++;
        return { ok: true, status_code: 200, headers: {}, response_ms: 1 };
      },
    },
  };
  const { of, parts } = BUDGETS.deliveries;
  const limits = { inFlightMax: of, inFlightPerAccountMax: of / parts };
  const runner = createRunner(quick, { handlers: {}, limits, pollMs: 1_000 });
  const deliver = async (from: number, lanes: number) => {
    await addEvents(world, from, lanes);
    delivered = 0;
    const cost = await meter.measure(() => runner.runDue(10_000), lanes * EVENTS_PER_LANE);
    if (delivered !== lanes * EVENTS_PER_LANE) throw new Error(`${delivered} events were delivered`);
    return cost;
  };
  await deliver(0, WARM);
  return { 'ordered delivery': await deliver(WARM, LANES) };
};

/** Measures `POST /v1/domains` in the large app, with one request after the other. */
export const measureCreates: Part = async ({ served, meter }) => {
  let created = 0;
  const create = async (count: number) => {
    for (let n = 0; n < count; n++)
      await served.send('POST', '/v1/domains', { hostname: `new-${++created}.example.com` });
  };
  await create(WARM);
  return { 'POST /v1/domains': await meter.measure(() => create(CREATES), CREATES) };
};

/** Returns active domains, spread over the whole table. */
function activeIds({ fill: { domains } }: MillionWorld, from: number, count: number): DomainId[] {
  const step = Math.floor(domains / (2 * CHECKS + WARM + 1));
  return Array.from({ length: count }, (_, n) => {
    const d = (from + n) * step;
    return idOf('dom', d % 100 < 96 ? d : d - 4) as DomainId;
  });
}

async function makeChecksDue(world: MillionWorld, from: number, count: number): Promise<DomainId[]> {
  const ids = [...new Set(activeIds(world, from, count))];
  const dueAt = world.fill.now - MINUTE_MS;
  await world.client.query(
    `update jobs set due_at = ${dueAt} where kind = 'check_dns' and subject_id = any($1)`,
    [ids],
  );
  return ids;
}

async function runChecks({ context }: MillionWorld): Promise<void> {
  const { check_dns } = COMMON_HANDLERS;
  const checking = { ...context, dns: rightDns({ caa: null }) };
  const worker = createJobWorker(checking, { ...(check_dns && { check_dns }) }, () => undefined);
  while ((await worker.claim()) > 0) await worker.idle();
}

/** Fails if a domain is no longer active. A check that failed or found something new would not be a routine check. */
async function mustBeActive({ client, fill }: MillionWorld, ids: readonly DomainId[]): Promise<void> {
  const { rows } = await client.query(
    `select count(*)::integer as count from domains join jobs on kind = 'check_dns' and subject_id = id
     where id = any($1) and status = 'active' and due_at > ${fill.now} and attempts = 0`,
    [ids],
  );
  if (rows[0].count !== ids.length)
    throw new Error(`${ids.length - rows[0].count} checks found something new`);
}

async function addEvents(world: MillionWorld, from: number, lanes: number): Promise<void> {
  const { client, fill } = world;
  const ids = activeIds(world, from, lanes);
  await client.query(
    `insert into events (id, domain_id, app_id, mode, seq, type, hostname, status, created_at, body, delivery_status, attempts, tries, next_attempt_at)
     select 'evt_added_' || id || seq, id, app_id, mode, seq, 'domain.active', hostname, status, ${fill.now} + seq, repeat('x', 1500), 'pending', 0, 0, ${fill.now} + seq
     from domains, generate_series(4, ${3 + EVENTS_PER_LANE}) seq where id = any($1)`,
    [ids],
  );
  await client.query(`update lanes set due_at = ${fill.now} where domain_id = any($1)`, [ids]);
}
