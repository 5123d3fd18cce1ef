import type { DnsExpectation } from '../../../shared/core/dns/dns-expectation.ts';
import type { Domain } from '../../../shared/core/domains/domain.ts';
import type { DomainId } from '../../../shared/core/ids.ts';
import { COMMON_HANDLERS } from '../../../shared/jobs/handlers.ts';
import { createJobWorker } from '../../../shared/jobs/job-worker.ts';
import type { Caller } from '../../../shared/operations/context.ts';
import { triggerDomain } from '../../../shared/operations/domains/trigger-domain.ts';
import type { SurveyDepth } from '../../../shared/ports/dns.ts';
import { findDomainById } from '../../../shared/store/domains/domains.ts';
import { selectEvents } from '../../../shared/store/events/events.ts';
import { selectJobs } from '../../../shared/store/jobs/jobs.ts';
import type { Store } from '../../../shared/store/store.ts';
import {
  atDepth,
  type Said,
  type SaidSurvey,
  type SaidView,
  surveyOf,
  V4,
  V6,
} from '../../core/dns/survey-builder.ts';
import { type JobWorld, jobWorld } from '../../jobs/job-world.ts';

/** A service that checks its live domains in a simulated DNS. */
export interface DnsWorld extends JobWorld {
  /** Returns the DNS records that the next surveys find. The expectation has the CNAME target and the TXT value of right records. */
  says: (expectation: DnsExpectation) => SaidSurvey;
  /** Is called once, during the next lookup; null for nothing. */
  meanwhile: (() => Promise<unknown>) | null;
  depths: SurveyDepth[];
  addLiveApp(name: string): Promise<Caller>;
  domain(id: DomainId): Promise<Domain>;
  /** Runs the due work once. */
  work(): Promise<void>;
  /** Moves the clock to the domain's next check and runs it. */
  check(id: DomainId): Promise<Domain>;
  /** Adds a domain with right DNS records and a certificate. */
  addActive(caller: Caller, hostname: string): Promise<DomainId>;
  /** Returns the types of a domain's events, in order. */
  events(caller: Caller, id: DomainId): Promise<string[]>;
}

export const EDGE_ZONE = 'edge.service.example';

/**
 * Returns right DNS records. A subdomain has a CNAME, to the white-label host if there is one. An apex has our address and the TXT record.
 */
export function right({ is_apex, targets, txt_value }: DnsExpectation): SaidView {
  return is_apex ? addresses(txt_value) : { a: targets.map((target) => `CNAME ${target}`) };
}

export function addresses(...txtValues: readonly string[]): SaidView {
  const txt: Said = txtValues.length === 0 ? 'nodata' : txtValues.map((value) => `TXT ${value}`);
  return { a: [`A ${V4}`], txt };
}

export const MISSING: SaidView = { a: 'nxdomain' };
export const UNKNOWN: SaidView = { a: 'timeout' };

/** Returns a survey in which the three resolvers return these views. The zone's own name server returns the first view. */
export function at(...views: readonly [View, View, View]): DnsWorld['says'] {
  return (expectation) => ({
    zone: [views[0](expectation)],
    resolvers: views.map((view) => view(expectation)),
  });
}

type View = (expectation: DnsExpectation) => SaidView;

/** Returns a survey in which all servers return the same view. */
export function everywhere(view: View): DnsWorld['says'] {
  return at(view, view, view);
}

/** @param store a store to use in place of SQLite in memory; the caller closes it. */
export async function dnsWorld(store?: Store): Promise<DnsWorld> {
  const base = await jobWorld(undefined, store);
  const { context } = base;
  const world: DnsWorld = Object.assign(base, {
    says: everywhere(() => MISSING),
    meanwhile: null,
    depths: [],
    async addLiveApp(name: string): Promise<Caller> {
      return { ...(await base.addApp(name)), mode: 'live' };
    },
    async domain(id: DomainId) {
      const domain = await findDomainById(context.store, id);
      if (domain === null) throw new Error(`no domain ${id}`);
      return domain;
    },
    async work() {
      const worker = createJobWorker(context, COMMON_HANDLERS, () => undefined);
      await worker.claim();
      await worker.idle();
    },
    async check(id: DomainId) {
      const due = await nextCheck(world, id);
      if (due === null) throw new Error(`no check of ${id} is due`);
      base.clock.move(due - base.clock.now());
      await world.work();
      return world.domain(id);
    },
    async addActive(caller: Caller, hostname: string) {
      const id = await base.addDomain(caller, hostname);
      const before = world.says;
      world.says = everywhere(right);
      await world.check(id);
      await triggerDomain(context, id, 'certificate_issued');
      world.says = before;
      return id;
    },
    async events(caller: Caller, id: DomainId) {
      const page = await selectEvents(context.store, caller, { domain_id: id }, { limit: 100, after: null });
      return page.rows.map(({ type }) => type).reverse();
    },
  } satisfies Omit<DnsWorld, keyof JobWorld>);
  context.settings = {
    ...context.settings,
    timerForLive: false,
    edgeZone: EDGE_ZONE,
    edgeIpv4: [V4],
    edgeIpv6: [V6],
    caaIssuers: ['letsencrypt.org'],
  };
  context.dns = {
    async survey(expectation, depth) {
      world.depths.push(depth);
      const survey = atDepth(depth, surveyOf(expectation, world.says(expectation)));
      const happens = world.meanwhile;
      world.meanwhile = null;
      await happens?.();
      return survey;
    },
    caa: nobodyAsks,
    ownChain: nobodyAsks,
    chain: nobodyAsks,
    txt: nobodyAsks,
  };
  return world;
}

/** Returns the time of a domain's next DNS check; null if no check is scheduled. */
export async function nextCheck({ context }: DnsWorld, id: DomainId): Promise<number | null> {
  const jobs = await selectJobs(context.store, { limit: 1000 });
  return jobs.find(({ kind, subject_id }) => kind === 'check_dns' && subject_id === id)?.due_at ?? null;
}

function nobodyAsks(): Promise<never> {
  return Promise.reject(new Error('a check asks only for a survey'));
}
