import { type App, cnameTarget } from '../../core/apps/app.ts';
import type { Status } from '../../core/domains/status.ts';
import { findTransition } from '../../core/domains/transition.ts';
import { TRANSITIONS } from '../../core/domains/transitions.ts';
import type { AppId } from '../../core/ids.ts';
import { HOUR_MS, type Instant, MINUTE_MS } from '../../core/instant.ts';
import { LIMITS } from '../../core/limits.ts';
import { findApp, findAppsByVerifiedHost, lockApp, updateApp } from '../../store/accounts/apps.ts';
import { findDomainsRoutedThrough, lockDomainById } from '../../store/domains/domains.ts';
import { scheduleJob } from '../../store/jobs/jobs.ts';
import { type Context, transact } from '../context.ts';
import { recordTransition } from '../domains/record-transition.ts';

const VERIFIED_EVERY_MS = 6 * HOUR_MS;

/** Domains per transaction: few enough that other transactions do not wait long for their rows. */
const BATCH = 100;

/**
 * Checks whether the app's white-label host still reaches its target (`docs/api.md#app`). A verified host that breaks has 72 hours of
 * grace, after which the domains that are routed through it become `dns_broken` (`docs/api.md#states-and-transitions`).
 * @returns when the next check is due, or null if the app has no host.
 */
export async function checkWhitelabel(context: Context, appId: AppId): Promise<Instant | null> {
  const before = await findApp(context.store, appId);
  if (before === null || before.whitelabel_host === null) return null;
  const target = cnameTarget(before, context.settings.edgeZone);
  const chain = await context.cnameLookup.chain(before.whitelabel_host, {
    target,
    known: before.whitelabel_verified,
  });
  const noted = await transact(context, (tx) => recordLookup(tx, before, chain, target));
  if (noted.app === null || !isGraceOver(noted.app, context.clock.now())) return noted.next;
  return endGrace(context, noted.app);
}

interface RecordedLookup {
  next: Instant | null;
  /** The app after this check. Null if its host changed meanwhile or the lookup failed. */
  app: App | null;
}

async function recordLookup(
  tx: Context,
  before: App,
  chain: readonly string[] | null,
  target: string,
): Promise<RecordedLookup> {
  const app = await lockApp(tx.store, before.id);
  const now = tx.clock.now();
  if (app.whitelabel_host === null) return { next: null, app: null };
  if (app.whitelabel_host !== before.whitelabel_host) return { next: now, app: null };
  // A failed lookup is no evidence: only the time of the next check changes.
  if (chain === null) return { next: now + everyMs(app, now), app: null };
  const change = whitelabelFields(app, chain, target, now);
  const next = { ...app, ...change };
  if (next.whitelabel_verified && !app.whitelabel_verified) await recheckOthers(tx, next);
  await updateApp(tx.store, app.id, change);
  return { next: nextCheck(next, now), app: next };
}

/**
 * Breaks the domains that are routed through the host, in short transactions, and then clears the grace period. If a worker dies in
 * between, the grace period is still over and the next check continues.
 */
async function endGrace(context: Context, { id, whitelabel_host }: App): Promise<Instant | null> {
  for (;;) {
    const result = await transact(context, async (tx) => {
      const app = await lockApp(tx.store, id);
      const now = tx.clock.now();
      const isOver = app.whitelabel_host === whitelabel_host && isGraceOver(app, now);
      if (!isOver || app.whitelabel_host === null) return { next: now };
      if (await breakSome(tx, id, app.whitelabel_host)) return null;
      await updateApp(tx.store, id, { whitelabel_grace_ends_at: null });
      return { next: nextCheck({ ...app, whitelabel_grace_ends_at: null }, now) };
    });
    if (result !== null) return result.next;
  }
}

/**
 * Returns the app's fields after a lookup of the host's CNAME chain. A verified host that breaks is unverified at once and gets its grace
 * period.
 */
export function whitelabelFields(app: App, chain: readonly string[], target: string, now: Instant) {
  const reaches = chain.includes(target);
  const graceEndsAt = app.whitelabel_verified
    ? now + LIMITS.whitelabel_grace_ms
    : app.whitelabel_grace_ends_at;
  return {
    whitelabel_verified: reaches,
    whitelabel_found: reaches ? null : (chain[0] ?? null),
    whitelabel_checked_at: now,
    whitelabel_grace_ends_at: reaches ? null : graceEndsAt,
  };
}

function isGraceOver(app: App, now: Instant): boolean {
  return app.whitelabel_grace_ends_at !== null && app.whitelabel_grace_ends_at <= now;
}

/** Returns the interval between checks: a minute for the first hour, then 30 minutes; 6 hours once verified (`docs/domains.md`). */
function everyMs(app: App, now: Instant): number {
  if (app.whitelabel_verified) return VERIFIED_EVERY_MS;
  const since = app.whitelabel_grace_ends_at
    ? app.whitelabel_grace_ends_at - LIMITS.whitelabel_grace_ms
    : (app.whitelabel_set_at ?? now);
  return now - since < HOUR_MS ? MINUTE_MS : 30 * MINUTE_MS;
}

/** Returns when to check next: at the end of the grace period if that comes first. */
function nextCheck(app: App, now: Instant): Instant {
  const next = now + everyMs(app, now);
  const endsAt = app.whitelabel_grace_ends_at;
  return endsAt === null ? next : Math.min(next, endsAt);
}

/** Makes a check due now for every other app that has this host verified, because it now leads here. */
async function recheckOthers(tx: Context, app: App): Promise<void> {
  const dueAt = tx.clock.now();
  for (const { id } of await findAppsByVerifiedHost(tx.store, app.whitelabel_host ?? '')) {
    if (id !== app.id)
      await scheduleJob(tx.store, { kind: 'check_whitelabel', subject_id: id, app_id: id, due_at: dueAt });
  }
}

/** Breaks one batch of domains. @returns whether there were any. */
async function breakSome(tx: Context, appId: AppId, host: string): Promise<boolean> {
  const ids = await findDomainsRoutedThrough(tx.store, appId, host, BREAKABLE, BATCH);
  for (const id of ids) {
    const domain = await lockDomainById(tx.store, id);
    if (domain === null || findTransition(domain, 'whitelabel_grace_passed', tx.clock.now()) === null)
      continue;
    await recordTransition(tx, domain, { name: 'whitelabel_grace_passed', reason: 'whitelabel_unverified' });
  }
  return ids.length > 0;
}

/** The statuses that break. A held domain is not among them: the check that follows its release decides. */
const BREAKABLE: readonly Status[] =
  TRANSITIONS.find(({ on }) => on === 'whitelabel_grace_passed')?.from.filter((status) => status !== null) ??
  [];
