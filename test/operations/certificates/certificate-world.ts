import { X509Certificate } from 'node:crypto';
import { createAcmeCa } from '../../../service/acme/acme-ca.ts';
import { BUDGETS } from '../../../shared/core/budgets.ts';
import { type Ca, USUAL_LIMITS } from '../../../shared/core/certificates/ca.ts';
import type { Lookup } from '../../../shared/core/dns/dns-survey.ts';
import type { Domain } from '../../../shared/core/domains/domain.ts';
import type { JobKind } from '../../../shared/core/domains/job.ts';
import type { DomainId } from '../../../shared/core/ids.ts';
import type { Instant } from '../../../shared/core/instant.ts';
import { COMMON_HANDLERS, type JobHandlers } from '../../../shared/jobs/handlers.ts';
import { createRunner } from '../../../shared/jobs/runner.ts';
import type { Caller } from '../../../shared/operations/context.ts';
import { createDomain } from '../../../shared/operations/domains/create-domain.ts';
import { reconcileAllEdgeValues } from '../../../shared/operations/edge/reconcile-edge-values.ts';
import { verifyDomain } from '../../../shared/operations/request-check.ts';
import type { CertificateAuthority } from '../../../shared/ports/certificates.ts';
import type { EdgeProbe } from '../../../shared/ports/outbound.ts';
import type { Clock } from '../../../shared/ports/system.ts';
import { findDomainById, saveDomain } from '../../../shared/store/domains/domains.ts';
import { nextLaneDue } from '../../../shared/store/events/lanes.ts';
import { autocommit, type Store } from '../../../shared/store/store.ts';
import { type AcmeServer, acmeServer } from '../../fixtures/acme/acme-server.ts';
import { createThrowawayCa } from '../../fixtures/acme/throwaway-ca.ts';
import { type JobWorld, jobWorld } from '../../jobs/job-world.ts';
import { causeTransition } from '../domains/cause-transition.ts';
import { certificateSource, challengeSource } from '../edge/stored-values.ts';
import { aLookup, parents, rightDns, surveyOf } from './right-dns.ts';

const { root, tls } = issueServerCertificate();

function issueServerCertificate() {
  using ca = createThrowawayCa();
  return { root: ca.certificate, tls: ca.issue('IP:127.0.0.1') };
}

/** A hosted service with test ACME servers, and a clock that jumps to the next due time. Each test chooses what DNS and the edge return. */
export interface CertificateWorld extends AsyncDisposable {
  world: JobWorld;
  acme: Record<'first' | 'second', AcmeServer>;
  caller: Caller;
  /** CAA records by name: `0 issue "ca.example"`, or a failure. */
  caa: Map<string, string | 'servfail'>;
  /** Hostnames with right DNS records. */
  right: Set<string>;
  /** Hostnames for which no resolver answers. */
  silent: Set<string>;
  /** The edge as the service's probes find it. By default, it serves all stored certificates. */
  edge: EdgeProbe;
  /** Events in order, with their `status_reason`. */
  events: string[];
  /** For each hostname that still has its old host: returns the URL of that host's redirect. Other hosts do not respond. */
  oldHosts: Map<string, (url: URL) => string>;
  addIssuing(hostname: string, change?: Partial<Domain>): Promise<DomainId>;
  domain(id: DomainId): Promise<Domain>;
  /** Moves the clock until the rate limit allows a request, then sends POST /v1/domains/{id}/verify. */
  verify(id: DomainId): Promise<void>;
  /** Runs all jobs that become due within this time, in order. */
  pass(durationMs: number): Promise<void>;
  /** Makes `pass` run DNS checks too from now on. */
  runChecks(): void;
  handlers: JobHandlers;
  authorities: CertificateAuthority[];
}

export async function certificateWorld({
  authorities = ['first', 'second'],
  ari = true,
  clock: givenClock,
  store: givenStore,
}: {
  authorities?: ('first' | 'second')[];
  /** Whether the CAs suggest when to renew (ARI, RFC 9773). */
  ari?: boolean;
  /** A running clock, in place of the clock that jumps. */
  clock?: Clock;
  /** A store to use in place of SQLite in memory. */
  store?: Store;
} = {}): Promise<CertificateWorld> {
  const world = await jobWorld(givenClock, givenStore);
  const { context, clock } = world;
  const now = () => clock.now();
  const eab = { key_id: 'kid-1', mac_key: Buffer.from('a secret of the operator').toString('base64url') };
  const acme = {
    first: await acmeServer({ tls, now, name: 'First CA', ari }),
    second: await acmeServer({ tls, now, name: 'Second CA', eab, ari }),
  };
  const list: Ca[] = authorities.map((name) => ({
    name,
    directory_url: acme[name].directory_url,
    caa_issuers: [`${name}.example`],
    contacts: [],
    eab: name === 'second' ? eab : null,
    profile: null,
    limits: { ...USUAL_LIMITS },
  }));
  const made = list.map((each) =>
    createAcmeCa(each, { roots: [root], clock, userAgent: 'nameplate-test', timeoutMs: 5000 }),
  );

  const under: CertificateWorld = {
    world,
    acme,
    caller: { ...(await world.addApp('acme')), mode: 'live' },
    caa: new Map(),
    right: new Set(),
    silent: new Set(),
    events: [],
    oldHosts: new Map(),
    edge: storeProbe(world),
    handlers: { ...COMMON_HANDLERS },
    authorities: made,

    async addIssuing(hostname, change = {}) {
      const { body } = await createDomain(context, under.caller, { body: { hostname } });
      const id = body.id as DomainId;
      const domain = { ...(await under.domain(id)), ...change };
      await saveDomain(autocommit(context.store), domain);
      await causeTransition(context, domain, { name: 'dns_confirmed', routed_through: 'target' });
      return id;
    },

    async domain(id) {
      const found = await findDomainById(context.store, id);
      if (found === null) throw new Error(`no domain ${id}`);
      return found;
    },

    async verify(id) {
      world.clock.move(BUDGETS.verify.windowMs);
      await verifyDomain(context, under.caller, { params: { id } });
    },

    async pass(durationMs) {
      const runner = createRunner(context, {
        handlers: under.handlers,
        limits: { inFlightMax: 1, inFlightPerAccountMax: 1 },
        pollMs: 1000,
      });
      const until: Instant = clock.now() + durationMs;
      for (let steps = 0; steps < 2000; steps++) {
        await runner.runDue(100);
        const next = await nextDue(under);
        if (next === null || next > until) break;
        clock.move(Math.max(1, next - clock.now()));
      }
      clock.move(Math.max(0, until - clock.now()));
    },

    runChecks() {
      under.handlers = { ...COMMON_HANDLERS };
    },

    async [Symbol.asyncDispose]() {
      const differences = await reconcileAllEdgeValues(context);
      if (differences > 0) throw new Error(`${differences} values of edges differ from the tables`);
      await Promise.all(made.map((each) => each.close()));
      await Promise.all(Object.values(acme).map((each) => each[Symbol.asyncDispose]()));
      await world[Symbol.asyncDispose]();
    },
  };

  context.settings = { ...context.settings, timerForLive: false, caaIssuers: ['first.example'] };
  context.issuance = {
    authorities: made,
    edge: {
      answersChallenge: (challenge) => under.edge.answersChallenge(challenge),
      showsCertificate: (hostname, serial) => under.edge.showsCertificate(hostname, serial),
    },
    oldHosts: {
      async send(request) {
        const url = new URL(request.url);
        const location = under.oldHosts.get(url.hostname)?.(url);
        if (location === undefined) return { ok: false, problem: 'connection_failed', response_ms: 1 };
        return { ok: true, status_code: 301, headers: { location }, response_ms: 1 };
      },
    },
  };
  context.dns = {
    ...rightDns({ caa: null }),
    caa: async (hostname) => parents(hostname).map((name) => caLookup(name, under.caa.get(name))),
    survey: async ({ hostname, targets: [target = ''] }) => {
      if (under.silent.has(hostname)) return surveyOf(unanswered(hostname, 'A'));
      return surveyOf(aLookup(hostname, 'A', under.right.has(hostname) ? [['CNAME', target]] : []));
    },
  };
  // DNS checks are off by default, because most tests of certificates do not involve them.
  delete under.handlers.check_dns;
  world.answer = () => ({ ok: true, status_code: 200, headers: {}, response_ms: 1 });
  Object.defineProperty(under, 'events', { get: () => world.sent.map(({ type }) => type) });
  return under;
}

/** Returns the time at which the next job is due or a lease expires, as a polling runner would find it. */
async function nextDue({ world: { context }, handlers }: CertificateWorld): Promise<Instant | null> {
  const jobs = await context.store.db.selectFrom('jobs').select(['kind', 'due_at', 'leased_until']).execute();
  const due = jobs
    .filter(({ kind }) => handlers[kind as JobKind])
    .map(({ due_at, leased_until }) => Math.max(due_at, leased_until));
  const lane = await nextLaneDue(context.store);
  if (lane !== null) due.push(lane);
  return due.length === 0 ? null : Math.min(...due);
}

/** Creates a probe of an edge without a cache: the edge serves what the store contains. */
function storeProbe({ context }: JobWorld): EdgeProbe {
  return {
    async answersChallenge({ hostname, method, token, key_authorization }) {
      const challenges = challengeSource(context);
      return method === 'http-01'
        ? (await challenges.findKeyAuthorization(hostname, token)) === key_authorization
        : (await challenges.findChallengeCertificate(hostname)) !== null;
    },
    async showsCertificate(hostname, serial) {
      const found = await certificateSource(context).findCertificate(hostname);
      return found !== null && new X509Certificate(found.chain).serialNumber.toLowerCase() === serial;
    },
  };
}

function caLookup(name: string, record: string | undefined): Lookup {
  if (record === 'servfail') return unanswered(name, 'CAA');
  return aLookup(name, 'CAA', record === undefined ? [] : [['CAA', record]]);
}

function unanswered(name: string, type: Lookup['type']): Lookup {
  return { ...aLookup(name, type, []), outcome: 'unknown', failure: 'servfail' };
}
