import { type App, cnameTarget } from '../core/app.ts';
import type { AppId } from '../core/ids.ts';
import { HOUR_MS, type Instant, MINUTE_MS } from '../core/instant.ts';
import { LIMITS } from '../core/limits.ts';
import { findTransition } from '../core/transition.ts';
import { findApp, findAppsByVerifiedHost, lockApp, updateApp } from '../store/apps.ts';
import { findDomainsRoutedThrough, lockDomainById } from '../store/domains.ts';
import { scheduleJob } from '../store/jobs.ts';
import { type Context, transact } from './context.ts';
import { recordTransition } from './record-transition.ts';

const VERIFIED_EVERY_MS = 6 * HOUR_MS;

/**
 * Looks whether the app's white-label host still reaches its target (section 2.1). A verified host that breaks has 72 hours
 * of grace, after which the domains that are routed through it go `dns_broken` (section 3.13).
 * @returns when the next check is due, or null where there is no host.
 */
export async function checkWhitelabel(context: Context, app_id: AppId): Promise<Instant | null> {
  const before = await findApp(context.store, app_id);
  if (before === null || before.whitelabel_host === null) return null;
  const chain = await context.cname_lookup.chain(before.whitelabel_host);
  return transact(context, async (tx) => {
    const app = await lockApp(tx.store, app_id);
    const now = tx.clock.now();
    if (app.whitelabel_host === null) return null;
    if (app.whitelabel_host !== before.whitelabel_host) return now;
    // "Could not tell" is never evidence: nothing changes but the time of the next look.
    if (chain === null) return now + everyMs(app, now);
    const change = whitelabelFields(app, chain, cnameTarget(app, tx.settings.edge_zone), now);
    const next = { ...app, ...change };
    if (isGraceOver(next, now)) {
      next.whitelabel_grace_ends_at = null;
      await breakDomains(tx, app.id, app.whitelabel_host);
    }
    if (next.whitelabel_verified && !app.whitelabel_verified) await recheckOthers(tx, next);
    await updateApp(tx.store, app_id, {
      ...change,
      whitelabel_grace_ends_at: next.whitelabel_grace_ends_at,
    });
    return nextCheck(next, now);
  });
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

async function breakDomains(tx: Context, app_id: AppId, host: string): Promise<void> {
  for (const id of await findDomainsRoutedThrough(tx.store, app_id, host)) {
    const domain = await lockDomainById(tx.store, id);
    if (domain === null || findTransition(domain, 'whitelabel_grace_passed', tx.clock.now()) === null)
      continue;
    await recordTransition(tx, domain, { name: 'whitelabel_grace_passed', reason: 'whitelabel_unverified' });
  }
}
