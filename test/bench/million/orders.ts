import { fileURLToPath } from 'node:url';
import { createAcmeCa } from '../../../service/acme/acme-ca.ts';
import { USUAL_LIMITS } from '../../../shared/core/certificates/ca.ts';
import type { DomainId } from '../../../shared/core/ids.ts';
import { HOUR_MS } from '../../../shared/core/instant.ts';
import { COMMON_HANDLERS } from '../../../shared/jobs/handlers.ts';
import { createJobWorker } from '../../../shared/jobs/job-worker.ts';
import type { Context } from '../../../shared/operations/context.ts';
import type { CertificateAuthority } from '../../../shared/ports/certificates.ts';
import { findDomainById } from '../../../shared/store/domains/domains.ts';
import { rightDns } from '../../operations/certificates/right-dns.ts';
import { causeTransition } from '../../operations/domains/cause-transition.ts';
import { startProcess } from '../measured-process.ts';
import { type Cost, sumOf } from './meter.ts';
import type { Costs, MillionWorld } from './world.ts';

const ORDERS = 20;
const WARM = 4;
const STEPS_MAX = 200;

/** A CA in another process, and a context whose certificate orders go to this CA. */
interface OrderingAuthority extends AsyncDisposable {
  context: Context;
  /** Moves the clock of the context. */
  moveClock(byMs: number): void;
}

/** Starts a CA that accepts each challenge immediately, without a request to the edge. */
export async function startAuthority(context: Context): Promise<OrderingAuthority> {
  const program = startProcess([fileURLToPath(import.meta.resolve('./stub-ca-process.ts'))]);
  const { directoryUrl, root } = (await program.document()) as { directoryUrl: string; root: string };
  let aheadMs = 0;
  const clock = { now: () => context.clock.now() + aheadMs };
  const authority = createAcmeCa(
    {
      name: 'first',
      directory_url: directoryUrl,
      caa_issuers: ['first.example'],
      contacts: [],
      eab: null,
      profile: null,
      // A measurement places more orders than a usual CA accepts in three hours.
      limits: { ...USUAL_LIMITS, orders: { limit: 1_000_000, window_ms: HOUR_MS } },
    },
    { roots: [root], clock, userAgent: 'nameplate-bench', timeoutMs: 5_000 },
  );
  return {
    context: orderingContext(context, authority, clock),
    moveClock(byMs) {
      aheadMs += byMs;
    },
    async [Symbol.asyncDispose]() {
      await authority.close();
      await program.stop();
    },
  };
}

/** Returns the costs of certificate orders with HTTP-01. */
export async function measureOrders(world: OrderingWorld): Promise<Costs> {
  await using authority = await startAuthority(world.context);
  const { context, moveClock } = authority;
  await runOrders(world, context, WARM, 'warm', moveClock);
  return { 'certificate order, HTTP-01': await runOrders(world, context, ORDERS, 'order', moveClock) };
}

type OrderingWorld = Pick<MillionWorld, 'context' | 'served' | 'client' | 'meter'>;

function orderingContext(
  context: Context,
  authority: CertificateAuthority,
  clock: Context['clock'],
): Context {
  return {
    ...context,
    clock,
    dns: rightDns({ caa: null }),
    settings: { ...context.settings, caaIssuers: ['first.example'] },
    issuance: {
      authorities: [authority],
      edge: { answersChallenge: async () => true, showsCertificate: async () => true },
      oldHosts: context.outbound,
    },
  };
}

/** Runs the jobs of new domains until each domain is active. The clock jumps to the next due job. */
async function runOrders(
  { served, client, meter }: OrderingWorld,
  context: Context,
  count: number,
  name: string,
  moveClock: (byMs: number) => void,
): Promise<Cost> {
  const ids: DomainId[] = [];
  for (let n = 0; n < count; n++) {
    const created = await served.send('POST', '/v1/domains', { hostname: `${name}-${n}.example.com` });
    ids.push(created['id'] as DomainId);
  }
  for (const id of ids) {
    const domain = await findDomainById(context.store, id);
    if (domain === null) throw new Error(`no domain ${id}`);
    await causeTransition(context, domain, { name: 'dns_confirmed', routed_through: 'target' });
  }
  const { issue } = COMMON_HANDLERS;
  let done: () => void = () => undefined;
  const worker = createJobWorker(context, { ...(issue && { issue }) }, () => done());
  const costs: Cost[] = [];
  for (let step = 0; step < STEPS_MAX; step++) {
    let claimed = 0;
    // The claimed jobs end only when their orders are complete, because the worker itself waits for the CA.
    const work = async () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      let ended = 0;
      done = () => {
        if (++ended === claimed) resolve();
      };
      claimed = await worker.claim();
      if (ended < claimed) await promise;
    };
    costs.push(await meter.measure(work, count));
    if (claimed > 0) continue;
    const { rows } = await client.query(
      `select min(due_at)::float8 as due_at from jobs where kind = 'issue' and subject_id = any($1)`,
      [ids],
    );
    if (rows[0].due_at === null) break;
    moveClock(Math.max(1, rows[0].due_at - context.clock.now()));
  }
  const { rows } = await client.query(
    `select status, count(*)::integer from domains where id = any($1) group by status`,
    [ids],
  );
  if (rows.length !== 1 || rows[0].status !== 'active')
    throw new Error(`orders ended ${JSON.stringify(rows)}`);
  return sumOf(costs);
}
