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

/** Domains that one transaction breaks: few enough that nobody waits long for their rows. */
const BATCH = 100;

/**
 * Looks whether the app's white-label host still reaches its target (section 2.1). A verified host that breaks has 72 hours
 * of grace, after which the domains that are routed through it go `dns_broken` (section 3.13).
 * @returns when the next check is due, or null where there is no host.
 */
export async function checkWhitelabel(context: Context, app_id: AppId): Promise<Instant | null> {
  const before = await findApp(context.store, app_id);
  if (before === null || before.whitelabel_host === null) return null;
  const target = cnameTarget(before, context.settings.edge_zone);
  const chain = await context.cname_lookup.chain(before.whitelabel_host, {
    target,
    known: before.whitelabel_verified,
  });
  const noted = await transact(context, (tx) => noteLook(tx, before, chain, target));
  if (noted.app === null || !isGraceOver(noted.app, context.clock.now())) return noted.next;
  return endGrace(context, noted.app);
}

interface Noted {
  next: Instant | null;
  /** As it is now; null where this look says nothing about it. */
  app: App | null;
}

async function noteLook(
  tx: Context,
  before: App,
  chain: readonly string[] | null,
  target: string,
): Promise<Noted> {
  const app = await lockApp(tx.store, before.id);
  const now = tx.clock.now();
  if (app.whitelabel_host === null) return { next: null, app: null };
  if (app.whitelabel_host !== before.whitelabel_host) return { next: now, app: null };
  // "Could not tell" is never evidence: nothing changes but the time of the next look.
  if (chain === null) return { next: now + everyMs(app, now), app: null };
  const change = whitelabelFields(app, chain, target, now);
  const next = { ...app, ...change };
  if (next.whitelabel_verified && !app.whitelabel_verified) await recheckOthers(tx, next);
  await updateApp(tx.store, app.id, change);
  return { next: nextCheck(next, now), app: next };
}

/**
 * Breaks what is routed through the host, in short transactions, and then forgets the grace: a worker that dies between them leaves it
 * over still, and the next look goes on.
 */
async function endGrace(context: Context, { id, whitelabel_host }: App): Promise<Instant | null> {
  for (;;) {
    const result = await transact(context, async (tx) => {
      const app = await lockApp(tx.store, id);
      const now = tx.clock.now();
      const is_over = app.whitelabel_host === whitelabel_host && isGraceOver(app, now);
      if (!is_over || app.whitelabel_host === null) return { next: now };
      if (await breakSome(tx, id, app.whitelabel_host)) return null;
      await updateApp(tx.store, id, { whitelabel_grace_ends_at: null });
      return { next: nextCheck({ ...app, whitelabel_grace_ends_at: null }, now) };
    });
    if (result !== null) return result.next;
  }
}

/** What a look at the CNAME chain means for the app's fields. A verified host that breaks is unverified at once, and has its grace. */
export function whitelabelFields(app: App, chain: readonly string[], target: string, now: Instant) {
  const reaches = chain.includes(target);
  const grace_ends_at = app.whitelabel_verified
    ? now + LIMITS.whitelabel_grace_ms
    : app.whitelabel_grace_ends_at;
  return {
    whitelabel_verified: reaches,
    whitelabel_found: reaches ? null : (chain[0] ?? null),
    whitelabel_checked_at: now,
    whitelabel_grace_ends_at: reaches ? null : grace_ends_at,
  };
}

function isGraceOver(app: App, now: Instant): boolean {
  return app.whitelabel_grace_ends_at !== null && app.whitelabel_grace_ends_at <= now;
}

/** Every minute for an hour, then every 30 minutes; every 6 hours once verified (`docs/domains.md`). */
function everyMs(app: App, now: Instant): number {
  if (app.whitelabel_verified) return VERIFIED_EVERY_MS;
  const since = app.whitelabel_grace_ends_at
    ? app.whitelabel_grace_ends_at - LIMITS.whitelabel_grace_ms
    : (app.whitelabel_set_at ?? now);
  return now - since < HOUR_MS ? MINUTE_MS : 30 * MINUTE_MS;
}

/** The end of the grace period is kept to the moment. */
function nextCheck(app: App, now: Instant): Instant {
  const next = now + everyMs(app, now);
  const ends_at = app.whitelabel_grace_ends_at;
  return ends_at === null ? next : Math.min(next, ends_at);
}

/** The host leads here now: whoever had it verified before finds out at once. */
async function recheckOthers(tx: Context, app: App): Promise<void> {
  const due_at = tx.clock.now();
  for (const { id } of await findAppsByVerifiedHost(tx.store, app.whitelabel_host ?? '')) {
    if (id !== app.id)
      await scheduleJob(tx.store, { kind: 'check_whitelabel', subject_id: id, app_id: id, due_at });
  }
}

/** @returns whether there were any. */
async function breakSome(tx: Context, app_id: AppId, host: string): Promise<boolean> {
  const ids = await findDomainsRoutedThrough(tx.store, app_id, host, BREAKABLE, BATCH);
  for (const id of ids) {
    const domain = await lockDomainById(tx.store, id);
    if (domain === null || findTransition(domain, 'whitelabel_grace_passed', tx.clock.now()) === null)
      continue;
    await recordTransition(tx, domain, { name: 'whitelabel_grace_passed', reason: 'whitelabel_unverified' });
  }
  return ids.length > 0;
}

/** A held domain finds out by the check that follows its release. */
const BREAKABLE: readonly Status[] =
  TRANSITIONS.find(({ on }) => on === 'whitelabel_grace_passed')?.from.filter((status) => status !== null) ??
  [];
