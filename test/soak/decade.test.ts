import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { type Ca, USUAL_LIMITS } from '../../shared/core/certificates/ca.ts';
import { DAY_MS, HOUR_MS, type Instant, MINUTE_MS } from '../../shared/core/instant.ts';
import { createRunner } from '../../shared/jobs/runner.ts';
import { nextLaneDue } from '../../shared/store/events/lanes.ts';
import type { AcmeServer } from '../fixtures/acme/acme-server.ts';
import { type CertificateWorld, certificateWorld } from '../operations/certificates/certificate-world.ts';

/**
 * Runs ten years of the real certificate operations on a clock that jumps. Two ACME servers enforce the limits that Let's Encrypt
 * publishes. DECADE_DOMAINS and DECADE_YEARS change the size. The account's limits shrink with the number of domains, so that a small run
 * reaches them as often as a run with 1 000 domains.
 */
const DOMAINS = Number(process.env['DECADE_DOMAINS'] ?? 100);
const YEARS = Number(process.env['DECADE_YEARS'] ?? 10);
const SEED = Number(process.env['DECADE_SEED'] ?? 1);
const YEAR_MS = 365 * DAY_MS;
const OUTAGE_MS = 48 * HOUR_MS;
/** The first CA revokes all its certificates in the middle of this year. */
const REVOCATION_YEAR = Math.floor(YEARS / 2);
/** The interval at which the test looks for expired certificates. */
const LOOK_MS = 6 * HOUR_MS;
/** The shortest step of the clock. */
const STEP_MS = 10 * MINUTE_MS;

/** The certificate profile and lifetime that the operator chooses in each year. The last entry also applies to all later years. */
const PROFILES = [
  { profile: 'classic', lifetimeMs: 90 * DAY_MS },
  { profile: 'classic', lifetimeMs: 64 * DAY_MS },
  { profile: 'tlsserver', lifetimeMs: 45 * DAY_MS },
  { profile: 'classic', lifetimeMs: 100 * DAY_MS },
  { profile: 'shortlived', lifetimeMs: 160 * HOUR_MS },
  { profile: 'classic', lifetimeMs: 47 * DAY_MS },
] as const;

const share = DOMAINS / 1000;
const ACCOUNT_ORDERS = { limit: Math.max(10, Math.round(300 * share)), window_ms: 3 * HOUR_MS };
const SAME_NAMES = { limit: 5, window_ms: 7 * DAY_MS };

test(`${DOMAINS} domains have a valid certificate for ${YEARS} years`, { timeout: 6 * HOUR_MS }, async () => {
  const startedAt = performance.now();
  await using under = await certificateWorld();
  const { context, clock } = under.world;
  context.random = seededRandom(SEED);
  const limits = under.authorities.map(({ ca }) => {
    ca.limits = { ...USUAL_LIMITS, orders: ACCOUNT_ORDERS, certificates: SAME_NAMES };
    return enforceLimits(under.acme[ca.name as 'first' | 'second'], () => clock.now());
  });
  const windowsRead = readWindowsDirectly(under);
  const { first } = under.acme;
  const start = clock.now();
  const runner = createRunner(context, {
    handlers: under.handlers,
    limits: { inFlightMax: 20, inFlightPerAccountMax: 20 },
    pollMs: 1000,
  });
  const firstCa = under.authorities.find(({ ca }) => ca.name === 'first')?.ca;
  if (firstCa === undefined) throw new Error('no first authority');
  setProfile(firstCa, first, 0);
  for (let index = 0; index < DOMAINS; index++) await under.addIssuing(`h${index}.acme.com`);

  const plan = timetable(start, firstCa, first);
  let lapses = 0;
  let checks = 0;
  let lateReplacements: number | null = null;
  for (let at = start + LOOK_MS; at <= start + YEARS * YEAR_MS; at += LOOK_MS) {
    while (plan[0] && plan[0].at <= at) {
      await pass(under, runner, plan[0].at);
      await plan.shift()?.apply();
    }
    await pass(under, runner, at);
    checks++;
    // The first certificates take a day because of the account's order limit, so this ignores the first day.
    if (at - start > DAY_MS) lapses += await countExpired(under, at);
    if (first.revokedBefore !== null && lateReplacements === null && at >= first.revokedBefore + DAY_MS) {
      lateReplacements = await countRevoked(under, first.revokedBefore);
    }
  }

  const issued = first.profiled.length + under.acme.second.profiled.length;
  const refused = limits.reduce((sum, { refused }) => sum + refused(), 0);
  console.log(
    JSON.stringify({
      domains: DOMAINS,
      years: YEARS,
      seed: SEED,
      orders: issued,
      ordersOfSecondAuthority: under.acme.second.profiled.length,
      windowsRead: windowsRead(),
      looks: checks,
      lapses,
      refusedForRates: refused,
      revokedAndNotReplacedInADay: lateReplacements,
      minutes: Number(((performance.now() - startedAt) / 60_000).toFixed(1)),
    }),
  );
  expect({ lapses, refused, lateReplacements }).toEqual({ lapses: 0, refused: 0, lateReplacements: 0 });
  expect(under.events.filter((type) => type !== 'domain.certificate_renewed')).not.toContain(
    'domain.cert_failed',
  );
  expect(under.acme.second.profiled.length).toBeGreaterThan(0);
});

interface Planned {
  at: Instant;
  apply(): void | Promise<void>;
}

/** The planned events in order: new profiles at the beginning of years, an outage in each year, and one mass revocation. */
function timetable(start: Instant, ca: Ca, server: AcmeServer): Planned[] {
  const years = Array.from({ length: YEARS }, (_, year) => start + year * YEAR_MS);
  const setDown = (isDown: boolean) => () => {
    server.isDown = isDown;
  };
  const revokedAt = start + REVOCATION_YEAR * YEAR_MS + 5 * DAY_MS;
  const revokeAll = () => {
    server.revokedBefore = revokedAt;
  };
  return [
    ...years.map((at, year) => ({ at, apply: () => setProfile(ca, server, year) })),
    ...years.flatMap((at, year) => {
      const from = at + 20 * DAY_MS + ((SEED * 37 + year * 53) % 300) * DAY_MS;
      return [
        { at: from, apply: setDown(true) },
        { at: from + OUTAGE_MS, apply: setDown(false) },
      ];
    }),
    { at: revokedAt, apply: revokeAll },
  ].toSorted((a, b) => a.at - b.at);
}

function setProfile(ca: Ca, server: AcmeServer, year: number): void {
  const chosen = PROFILES[Math.min(year, PROFILES.length - 1)] ?? PROFILES[0];
  server.profiles = PROFILES.map(({ profile }) => profile);
  ca.profile = chosen.profile;
  server.lifetimeMs = chosen.lifetimeMs;
}

/** Runs all jobs that are due until a given time, in order. */
async function pass(
  { world: { context, clock } }: CertificateWorld,
  runner: ReturnType<typeof createRunner>,
  until: Instant,
): Promise<void> {
  for (;;) {
    await runner.runDue(100 * DOMAINS);
    const { rows } = await sql<{ due_at: Instant | null }>`
      select min(due_at) as due_at from jobs where kind <> 'check_dns'
    `.execute(context.store.db);
    const next = Math.min(
      ...[rows[0]?.due_at, await nextLaneDue(context.store)].filter((due) => due != null),
    );
    if (next > until) break;
    // The clock moves by more than the time to the next job, so that the service works on many domains at a time.
    clock.move(Math.max(STEP_MS, next - clock.now()));
  }
  clock.move(Math.max(0, until - clock.now()));
}

async function countExpired({ world: { context } }: CertificateWorld, at: Instant): Promise<number> {
  const { rows } = await sql<{ expired: number }>`
    select count(*) as expired from domains
    where not exists (select 1 from certificates where domain_id = domains.id and not_after > ${at})
  `.execute(context.store.db);
  return rows[0]?.expired ?? DOMAINS;
}

/** Counts the domains whose newest certificate is one that the first CA has revoked. */
async function countRevoked({ world: { context } }: CertificateWorld, before: Instant): Promise<number> {
  const { rows } = await sql<{ revoked: number }>`
    select count(*) as revoked from domains
    where not exists (
      select 1 from certificates where domain_id = domains.id and (ca <> 'first' or not_before >= ${before})
    )
  `.execute(context.store.db);
  return rows[0]?.revoked ?? DOMAINS;
}

const NO_RESPONSE = { status: null, type: null, detail: 'no response', retryAt: null, subproblems: [] };

/**
 * Makes the service read renewal windows without HTTPS, because there are millions of reads. Returns a function that returns the number of
 * reads.
 */
function readWindowsDirectly({ authorities, acme }: CertificateWorld): () => number {
  let read = 0;
  for (const authority of authorities) {
    const server = acme[authority.ca.name as 'first' | 'second'];
    authority.renewalWindow = async (ariId) => {
      read++;
      return server.isDown
        ? { ok: false, problem: NO_RESPONSE }
        : { ok: true, value: server.windowOf(ariId), retryAt: null };
    };
  }
  return () => read;
}

/**
 * Makes a CA enforce limits for each account and each set of names, with buckets that refill steadily, as Let's Encrypt does. An order that
 * names the certificate to replace is exempt, as at Let's Encrypt.
 */
function enforceLimits(server: AcmeServer, now: () => Instant): { refused(): number } {
  let refused = 0;
  const account = bucketOf(ACCOUNT_ORDERS, now);
  const byNames = new Map<string, Bucket>();
  server.admit = ({ names, replaces }) => {
    if (replaces !== null) return null;
    const key = names.toSorted().join();
    const same = byNames.get(key) ?? bucketOf(SAME_NAMES, now);
    byNames.set(key, same);
    if (account.isEmpty() || same.isEmpty()) {
      refused++;
      return { status: 429, type: 'rateLimited', detail: 'too many orders', retryAfter: '3600' };
    }
    account.take();
    same.take();
    return null;
  };
  return { refused: () => refused };
}

interface Bucket {
  isEmpty(): boolean;
  take(): void;
}

function bucketOf({ limit, window_ms }: typeof SAME_NAMES, now: () => Instant): Bucket {
  let tokens = limit;
  let at = now();
  const refill = () => {
    tokens = Math.min(limit, tokens + ((now() - at) * limit) / window_ms);
    at = now();
  };
  return {
    isEmpty() {
      refill();
      return tokens < 1;
    },
    take() {
      tokens--;
    },
  };
}

/** Returns random bytes that depend only on the seed. */
function seededRandom(seed: number): (bytes: number) => Uint8Array {
  let count = 0;
  return (bytes) => {
    const blocks = Array.from({ length: Math.ceil(bytes / 32) }, () =>
      createHash('sha256').update(`${seed}:${count++}`).digest(),
    );
    return Buffer.concat(blocks).subarray(0, bytes);
  };
}
