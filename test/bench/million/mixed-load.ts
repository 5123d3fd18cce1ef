import { sql } from 'kysely';
import { BUDGETS } from '../../../shared/core/budgets.ts';
import type { AccountId, AppId, DomainId, KeyId } from '../../../shared/core/ids.ts';
import { HOUR_MS } from '../../../shared/core/instant.ts';
import { COMMON_HANDLERS, type JobHandler } from '../../../shared/jobs/handlers.ts';
import { createRunner, type Runner } from '../../../shared/jobs/runner.ts';
import type { Caller, Context } from '../../../shared/operations/context.ts';
import { createDomain } from '../../../shared/operations/domains/create-domain.ts';
import type { OutboundRequest, OutboundResult } from '../../../shared/ports/outbound.ts';
import { pause } from '../../../shared/ports/system.ts';
import { findDomainById } from '../../../shared/store/domains/domains.ts';
import { makeJobDue } from '../../../shared/store/jobs/jobs.ts';
import { autocommit } from '../../../shared/store/store.ts';
import { causeTransition } from '../../operations/domains/cause-transition.ts';
import { wakeLane } from '../../store/writes.ts';
import { idOf } from './fill-expressions.ts';
import type { MillionWorld } from './world.ts';

/** How many pieces of work of each kind begin per second. Apart from the reads, all work belongs to apps other than the large one. */
const PER_SECOND = { check: 30, webhook: 30, order: 0.5, create: 2, read: 10 } as const;
export type Work = keyof typeof PER_SECOND;
const TICK_MS = 100;
/** Each check and each webhook of the large app takes this long, so that the app uses its whole share of the workers. */
const LARGE_APP_MS = 1_000;
export const LARGE_APP_URL = 'https://large.example.com/';
/** The maximum time for which the load waits for the end of its work. */
const REST_S = 60;

/** For each piece of work, the time in milliseconds from its due time to its end. */
export type Times = Record<Work, number[]>;

/** A node under a mixed load. */
export interface MixedLoad {
  runner: Runner;
  /** Begins work for this number of seconds, and waits until all work has ended. */
  run(seconds: number): Promise<Times>;
}

/** @param ordering the service's context, with a DNS in which all records are right and a CA that issues certificates. */
export function createMixedLoad(world: MillionWorld, ordering: Context): MixedLoad {
  const { fill, served } = world;
  let times = noTimes();
  let begun = 0;
  const running = new Set<Promise<unknown>>();
  /** The time at which each certificate order was placed, by domain. */
  const orders = new Map<string, number>();
  const open = new Set<string>();

  function ended(work: Work, subject: string, startedAt: number): void {
    if (open.delete(`${work} ${subject}`)) times[work].push(performance.now() - startedAt);
  }

  const check: JobHandler<'check_dns'> = async (context, job, stay) => {
    if (job.app_id !== fill.large.app_id)
      return (await COMMON_HANDLERS.check_dns?.(context, job, stay)) ?? null;
    await pause(LARGE_APP_MS);
    return context.clock.now() + HOUR_MS;
  };
  const startedAt = new Map<string, number>();

  async function send({ url, headers }: OutboundRequest): Promise<OutboundResult> {
    if (url === LARGE_APP_URL) await pause(LARGE_APP_MS);
    const id = headers['webhook-id'] ?? '';
    ended('webhook', id, startedAt.get(id) ?? 0);
    return { ok: true, status_code: 200, headers: {}, response_ms: 1 };
  }

  const { of, parts } = BUDGETS.deliveries;
  const runner = createRunner(
    { ...ordering, outbound: { ...ordering.outbound, send } },
    {
      handlers: {
        ...COMMON_HANDLERS,
        async check_dns(context, job, stay) {
          const next = await check(context, job, stay);
          ended('check', job.subject_id, startedAt.get(job.subject_id) ?? 0);
          return next;
        },
        async issue(context, job, stay) {
          const next = (await COMMON_HANDLERS.issue?.(context, job, stay)) ?? null;
          if (next === null) ended('order', job.subject_id, orders.get(job.subject_id) ?? 0);
          return next;
        },
      },
      limits: { inFlightMax: of, inFlightPerAccountMax: of / parts },
      pollMs: 1_000,
    },
  );

  /** Returns an active domain of an app other than the large one. Each call returns another domain. */
  function nextDomain(): { id: DomainId; appId: AppId } {
    for (;;) {
      const d = (++begun * 7_919) % fill.domains;
      if (d % 4 === 0 || d % 100 >= 96) continue;
      return { id: idOf('dom', d) as DomainId, appId: appOf(d) };
    }
  }
  const appOf = (d: number) => idOf('app', 1 + ((d * 7_919) % fill.apps)) as AppId;

  async function add(hostname: string): Promise<DomainId> {
    const n = 1 + (++begun % fill.apps);
    const caller: Caller = {
      app_id: idOf('app', n) as AppId,
      account_id: idOf('acc', n) as AccountId,
      key_id: idOf('key', n) as KeyId,
      mode: 'live',
      idempotency: null,
    };
    return (await createDomain(ordering, caller, { body: { hostname } })).body.id as DomainId;
  }

  /** Begins one piece of work. */
  const begin: Record<Work, (now: number) => Promise<unknown>> = {
    async check(now) {
      const { id } = nextDomain();
      startedAt.set(id, now);
      open.add(`check ${id}`);
      await makeJobDue(autocommit(ordering.store), 'check_dns', id, ordering.clock.now());
      ordering.notices.publish({ kind: 'work' });
    },
    async webhook(now) {
      const { id, appId } = nextDomain();
      const eventId = `evt_mixed_${++begun}`;
      startedAt.set(eventId, now);
      open.add(`webhook ${eventId}`);
      const at = ordering.clock.now();
      await sql`
        insert into events (id, domain_id, app_id, mode, seq, type, hostname, status, created_at, body, delivery_status, attempts, tries, next_attempt_at)
        select ${eventId}, ${id}, ${appId}, 'live', coalesce(max(seq), 0) + 1, 'domain.active', 'careers.example.com', 'active', ${at}, repeat('x', 1500),
          'pending', 0, 0, ${at} from events where domain_id = ${id}`.execute(ordering.store.db);
      await wakeLane(autocommit(ordering.store), id, appId, at);
      ordering.notices.publish({ kind: 'work' });
    },
    async order(now) {
      const id = await add(`order-${++begun}.example.com`);
      const domain = await findDomainById(ordering.store, id);
      if (domain === null) throw new Error(`no domain ${id}`);
      orders.set(id, now);
      open.add(`order ${id}`);
      await causeTransition(ordering, domain, { name: 'dns_confirmed', routed_through: 'target' });
    },
    async create(now) {
      await add(`created-${++begun}.example.com`);
      times.create.push(performance.now() - now);
    },
    async read(now) {
      await served.send('GET', '/v1/domains?limit=20');
      times.read.push(performance.now() - now);
    },
  };

  return {
    runner,
    async run(seconds) {
      times = noTimes();
      const due = { check: 0, webhook: 0, order: 0, create: 0, read: 0 };
      const until = performance.now() + seconds * 1000;
      let last = performance.now();
      while (last < until) {
        await pause(TICK_MS);
        const now = performance.now();
        for (const work of Object.keys(PER_SECOND) as Work[]) {
          due[work] += (PER_SECOND[work] * (now - last)) / 1000;
          for (; due[work] >= 1; due[work]--) {
            const done = begin[work](now).finally(() => running.delete(done));
            running.add(done);
          }
        }
        last = now;
      }
      await Promise.all(running);
      for (let waited = 0; open.size > 0; waited++) {
        if (waited > REST_S)
          throw new Error(`not ended: ${[...open].slice(0, 5).join(', ')} of ${open.size}`);
        await pause(1_000);
      }
      return times;
    },
  };
}

function noTimes(): Times {
  return { check: [], webhook: [], order: [], create: [], read: [] };
}
