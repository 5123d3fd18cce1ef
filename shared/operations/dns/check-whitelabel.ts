import {
  type WhitelabelMailFacts,
  whitelabelEndedMail,
  whitelabelEndsMail,
} from '../../core/accounts/billing-mail-texts.ts';
import { type App, cnameTarget } from '../../core/apps/app.ts';
import { isDefinite, leadsThrough } from '../../core/dns/dns-confirmation.ts';
import type { DnsExpectation } from '../../core/dns/dns-expectation.ts';
import type { DnsSurvey } from '../../core/dns/dns-survey.ts';
import type { Domain } from '../../core/domains/domain.ts';
import type { Status } from '../../core/domains/status.ts';
import { findTransition } from '../../core/domains/transition.ts';
import { TRANSITIONS } from '../../core/domains/transitions.ts';
import type { AppId } from '../../core/ids.ts';
import { DAY_MS, HOUR_MS, type Instant, MINUTE_MS } from '../../core/instant.ts';
import { LIMITS } from '../../core/limits.ts';
import type { ReasonCode } from '../../core/reasons.ts';
import { findAccount } from '../../store/accounts/accounts.ts';
import { findApp, findAppsByVerifiedHost, getApp, lockApp, updateApp } from '../../store/accounts/apps.ts';
import {
  deleteWhitelabelEnding,
  findWhitelabelEnding,
  saveWhitelabelEnding,
} from '../../store/accounts/whitelabel-endings.ts';
import { findDomainsRoutedThrough, lockDomainById } from '../../store/domains/domains.ts';
import { countDomainsRoutedThrough } from '../../store/domains/feature-use.ts';
import { scheduleJob } from '../../store/jobs/jobs.ts';
import { mailFacts, queueOwnerMails } from '../accounts/owner-mails.ts';
import { dropConnectHost, ensureConnectHost } from '../connect/connect-host.ts';
import { type Context, type TxContext, transact } from '../context.ts';
import { type WhitelabelInclusion, whitelabelInclusion } from '../domains/customer-target.ts';
import { recordTransition } from '../domains/record-transition.ts';

const VERIFIED_EVERY_MS = 6 * HOUR_MS;

/** Number of domains that one transaction changes. It is small, so that other transactions do not wait long for locked rows. */
const BATCH = 100;

/**
 * Checks whether the app's white-label host still reaches its target (`docs/api.md#app`). A verified host that breaks has a grace period of
 * 72 hours. Then the domains whose records point through the host become `dns_broken` (`docs/api.md#states-and-transitions`). A host that
 * the plan no longer includes gets the same grace period (`docs/plans-and-limits.md`).
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
  /** The app after this check. Null if the app changed its host during the lookup. */
  app: App | null;
}

/** @param chain null if the lookup failed. A failed lookup proves nothing, so only the plan is applied. */
async function recordLookup(
  tx: TxContext,
  before: App,
  chain: readonly string[] | null,
  target: string,
): Promise<RecordedLookup> {
  const app = await lockApp(tx.store, before.id);
  const now = tx.clock.now();
  if (app.whitelabel_host === null) return { next: null, app: null };
  if (app.whitelabel_host !== before.whitelabel_host) return { next: now, app: null };
  const inclusion = await whitelabelInclusion(tx, app);
  const seen = chain === null ? {} : whitelabelFields(app, chain, target, now);
  const next = withPlan({ ...app, ...seen }, app, inclusion, { isSeen: chain !== null, now });
  if (next.whitelabel_verified && !app.whitelabel_verified) await recheckOthers(tx, next);
  await updateApp(tx.store, app.id, { ...seen, whitelabel_grace_ends_at: next.whitelabel_grace_ends_at });
  const serves = next.whitelabel_verified && inclusion.included;
  const triesAt = serves ? await ensureConnectHost(tx, next) : null;
  const noticeAt = await noticeWhitelabelEnding(tx, next, inclusion.included);
  return { next: nextCheck(next, now, [noticeAt, inclusion.ends_at, triesAt]), app: next };
}

/**
 * Starts the grace period of a working host when the plan no longer includes white-label, and ends the period when the plan includes it
 * again.
 */
function withPlan(
  next: App,
  before: App,
  { included }: WhitelabelInclusion,
  { isSeen, now }: { isSeen: boolean; now: Instant },
): App {
  const { whitelabel_grace_ends_at: graceEndsAt } = before;
  if (included) {
    const isWhole = isSeen ? next.whitelabel_verified : before.whitelabel_verified;
    return isWhole ? { ...next, whitelabel_grace_ends_at: null } : next;
  }
  const counts = next.whitelabel_verified || next.whitelabel_grace_ends_at !== null;
  if (!counts) return next;
  return { ...next, whitelabel_grace_ends_at: graceEndsAt ?? now + LIMITS.whitelabel_grace_ms };
}

/**
 * Changes the domains whose records point through the host to `dns_broken`, in short transactions. Then clears the grace period of a broken
 * host. If the worker dies before that, the next check finds that the period is over, and continues.
 */
async function endGrace(context: Context, { id, whitelabel_host }: App): Promise<Instant | null> {
  for (;;) {
    const result = await transact(context, async (tx) => {
      const app = await lockApp(tx.store, id);
      const now = tx.clock.now();
      const isOver = app.whitelabel_host === whitelabel_host && isGraceOver(app, now);
      if (!isOver || app.whitelabel_host === null) return { next: now };
      const { included, ends_at } = await whitelabelInclusion(tx, app);
      const reason = included ? 'whitelabel_unverified' : 'whitelabel_ended';
      if (await breakSome(tx, id, app.whitelabel_host, reason)) return null;
      // If the plan no longer includes the host, `whitelabel_grace_ends_at` keeps its past time until the plan includes white-label again.
      const next = included ? { ...app, whitelabel_grace_ends_at: null } : app;
      await updateApp(tx.store, id, { whitelabel_grace_ends_at: next.whitelabel_grace_ends_at });
      if (!included) await dropConnectHost(tx, id, app.whitelabel_host);
      await noticeWhitelabelEnding(tx, next, included);
      return { next: nextCheck(next, now, [ends_at]) };
    });
    if (result !== null) return result.next;
  }
}

/**
 * Returns the app's fields after a lookup of the host's CNAME chain. If a verified host breaks, it becomes unverified at once, and its
 * grace period starts.
 */
function whitelabelFields(app: App, chain: readonly string[], target: string, now: Instant) {
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

/**
 * Returns the interval between checks of a host: 6 hours if the host is verified. Otherwise a minute in the first hour, then 30 minutes
 * (`docs/domains.md`).
 */
function everyMs(app: App, now: Instant): number {
  if (app.whitelabel_verified) return VERIFIED_EVERY_MS;
  const since = app.whitelabel_grace_ends_at
    ? app.whitelabel_grace_ends_at - LIMITS.whitelabel_grace_ms
    : (app.whitelabel_set_at ?? now);
  return now - since < HOUR_MS ? MINUTE_MS : 30 * MINUTE_MS;
}

/**
 * Returns when to check next: after the usual interval, or at the end of the grace period or at one of `moments`, whichever comes first.
 */
function nextCheck(app: App, now: Instant, moments: readonly (Instant | null)[]): Instant {
  const later = [app.whitelabel_grace_ends_at, ...moments].filter(
    (moment): moment is Instant => moment !== null && moment > now,
  );
  return Math.min(now + everyMs(app, now), ...later);
}

/** Schedules a check of the app's white-label host if a survey shows that the host no longer points to the app. */
export async function startHostCheck(
  tx: TxContext,
  { app_id }: Pick<Domain, 'app_id'>,
  survey: DnsSurvey,
  expectation: DnsExpectation,
): Promise<void> {
  if (!leavesHost(survey, expectation)) return;
  const app = await getApp(tx.store, app_id);
  const now = tx.clock.now();
  if (!app.whitelabel_verified || now - (app.whitelabel_checked_at ?? 0) < MINUTE_MS) return;
  await scheduleJob(tx.store, { kind: 'check_whitelabel', subject_id: app_id, app_id, due_at: now });
  tx.notices.publish({ kind: 'work' });
}

/** Returns whether a CNAME chain passes through the app's verified white-label host but does not reach the app's own CNAME target. */
export function leavesHost({ authorities, resolvers }: DnsSurvey, { host }: DnsExpectation): boolean {
  return (
    host?.accepted === true &&
    [...authorities, ...resolvers].some(
      ({ a }) => isDefinite(a) && leadsThrough(a, host.name) && !leadsThrough(a, host.target),
    )
  );
}

/** Schedules an immediate check of every other app that has verified this host, because the host now points to the given app. */
async function recheckOthers(tx: TxContext, app: App): Promise<void> {
  const dueAt = tx.clock.now();
  for (const { id } of await findAppsByVerifiedHost(tx.store, app.whitelabel_host ?? '')) {
    if (id !== app.id)
      await scheduleJob(tx.store, { kind: 'check_whitelabel', subject_id: id, app_id: id, due_at: dueAt });
  }
}

/** Changes one batch of domains to `dns_broken`. @returns whether the batch had any domains. */
async function breakSome(tx: TxContext, appId: AppId, host: string, reason: ReasonCode): Promise<boolean> {
  const ids = await findDomainsRoutedThrough(tx.store, appId, host, BREAKABLE, BATCH);
  for (const id of ids) {
    const domain = await lockDomainById(tx.store, id);
    if (domain === null || findTransition(domain, 'whitelabel_grace_passed', tx.clock.now()) === null)
      continue;
    await recordTransition(tx, domain, { name: 'whitelabel_grace_passed', reason });
  }
  return ids.length > 0;
}

/** The statuses from which a domain becomes `dns_broken` here. A `held` domain keeps its status, and is checked after its release. */
const BREAKABLE: readonly Status[] =
  TRANSITIONS.find(({ on }) => on === 'whitelabel_grace_passed')?.from.filter((status) => status !== null) ??
  [];

/** How long before the end of a grace period the second of three mails is due. */
const REMINDER_MS = DAY_MS;

/**
 * Queues mails to the owners if the plan no longer includes white-label: at the start of the grace period, a day before its end, and at its
 * end. Once the plan includes white-label again, deletes the record of sent mails.
 * @returns when the next mail is due, or null if there is none.
 */
export async function noticeWhitelabelEnding(
  tx: TxContext,
  app: App,
  included: boolean,
): Promise<Instant | null> {
  const { id, whitelabel_host: host, whitelabel_grace_ends_at: endsAt } = app;
  const ending = await findWhitelabelEnding(tx.store, id);
  if (included || host === null || endsAt === null) {
    if (ending !== null) await deleteWhitelabelEnding(tx.store, id);
    return null;
  }
  const now = tx.clock.now();
  const sent = ending?.ends_at === endsAt ? ending.mails : 0;
  const due = [endsAt - REMINDER_MS, endsAt].filter((at) => at <= now).length + 1;
  if (due > sent) {
    const facts = await factsOf(tx, app, { host, endsAt });
    if (facts !== null) {
      const mail = now < endsAt ? whitelabelEndsMail(facts) : whitelabelEndedMail(facts);
      await queueOwnerMails(tx, app.account_id, mail);
    }
    await saveWhitelabelEnding(tx.store, { app_id: id, ends_at: endsAt, mails: due });
  }
  return now < endsAt - REMINDER_MS ? endsAt - REMINDER_MS : null;
}

async function factsOf(
  tx: TxContext,
  app: App,
  { host, endsAt }: { host: string; endsAt: Instant },
): Promise<WhitelabelMailFacts | null> {
  const account = await findAccount(tx.store, app.account_id);
  if (account === null) return null;
  return {
    ...mailFacts(tx, account),
    app_name: app.name,
    host,
    target: cnameTarget(app, tx.settings.edgeZone),
    domains: await countDomainsRoutedThrough(tx.store, app.id, host),
    endsAt,
  };
}
