import { type App, customerTarget } from '../../core/apps/app.ts';
import type { Domain } from '../../core/domains/domain.ts';
import type { DueJob } from '../../core/domains/job.ts';
import {
  DOMAIN_JOB_KINDS,
  isHostedTest,
  runsOnTimer,
  scheduleOf,
  shownChecks,
  timerOutcome,
} from '../../core/domains/schedule.ts';
import { isAwaitingDns } from '../../core/domains/status.ts';
import {
  findTransition,
  possibleTriggers,
  type TransitionOutcome,
  type Trigger,
  transition,
} from '../../core/domains/transition.ts';
import type { Effect } from '../../core/domains/transitions.ts';
import { ServiceError } from '../../core/errors.ts';
import { getApp } from '../../store/accounts/apps.ts';
import { deleteSubscriptionsOf } from '../../store/accounts/mail-subscriptions.ts';
import { deletePastCertificates } from '../../store/certificates/certificate-history.ts';
import { deleteDnsCheck } from '../../store/domains/dns-checks.ts';
import { type CountLimits, domainCounting } from '../../store/domains/domain-counts.ts';
import { domainInsertion, domainUpdate } from '../../store/domains/domains.ts';
import { findHold } from '../../store/domains/holds.ts';
import { dropRoutes, endDelegations } from '../../store/domains/routes.ts';
import { jobsReplacement } from '../../store/jobs/jobs.ts';
import { runTogether, type Statement } from '../../store/run-together.ts';
import { runWithCommit } from '../../store/store.ts';
import { abandonOrder, suspendOrder } from '../certificates/orders/suspend-order.ts';
import { eraseCertificates, scheduleRevocations } from '../certificates/revoke-deleted.ts';
import { rememberServed } from '../certificates/served-certificates.ts';
import { notifySubscribers } from '../connect/mail-subscriptions.ts';
import type { TxContext } from '../context.ts';
import { eventStatements } from '../events/write-event.ts';
import { claimHostname, isHeldByAnother, retired } from './claim-hostname.ts';
import { type CustomerAddresses, findCustomerAddresses } from './customer-target.ts';
import { explainStatus } from './explain-status.ts';

/**
 * Takes a domain through a transition: writes the domain, its event with the exact body, its lane and its jobs in the caller's transaction.
 * Only this function and `recordCreation` write `status`.
 * @param domain its row must be locked by the caller.
 * @param limits limits that the account's counts must not exceed at the COMMIT. Needed if the transition may raise a count.
 * @throws ServiceError `validation_failed` if the state machine has no such transition. Callers that can run into one check first.
 */
export async function recordTransition(
  tx: TxContext,
  domain: Domain,
  trigger: Trigger,
  limits: CountLimits = {},
): Promise<Domain> {
  const hold = trigger.name === 'release' ? await findHold(tx.store, domain.hostname) : null;
  if (hold !== null) {
    throw new ServiceError('hostname_held', {
      message: `The hold of ${hold.hostname} covers ${domain.hostname}.`,
      fix: `Release the hold of ${hold.hostname}: that releases the domain too.`,
    });
  }
  const app = await getApp(tx.store, domain.app_id);
  const shown = { app, ...(await findCustomerAddresses(tx, app)) };
  const now = eventTime(tx, domain);
  const isLate = trigger.name === 'recreate' && (await isHeldByAnother(tx, domain));
  const current = isLate ? retired(tx, domain) : domain;
  // For a domain on the test timer, checks are computed from its status. The status ends now, so the time of the latest check is stored.
  const checked = { ...current, last_checked_at: shownChecks(domain, tx.settings, now).last_checked_at };
  const outcome = transition(checked, completeTrigger(tx, shown, domain, trigger), now);
  if (outcome === null) {
    const possible = possibleTriggers(domain, tx.clock.now()).join(', ');
    throw new ServiceError('validation_failed', {
      message: `${trigger.name} is not possible while the domain is ${domain.status}; possible: ${possible}.`,
    });
  }
  const emits = emittedBy(domain, outcome.emits);
  const counted = withEvent(withForcedReason(tx, shown, outcome.domain), emits);
  const { domain: next, jobs } = planJobs(tx, counted, outcome.effects, domain);
  const recorded = { ...outcome, emits };
  await runTogether(
    tx.store,
    ...domainUpdate(tx.store, next),
    ...ownStatements(tx, shown, next, recorded, jobs),
  );
  for (const write of furtherWrites(next, outcome.previous_status, outcome.effects))
    await write(tx, next, outcome.previous_status);
  runWithCommit(tx.store, ...domainCounting(tx.store, domain, next, limits));
  publishChange(tx, next, recorded);
  return trigger.name === 'release' ? afterRelease(tx, next) : next;
}

/** A held domain keeps its status if it loses the hostname. Its release makes up for that. */
async function afterRelease(tx: TxContext, domain: Domain): Promise<Domain> {
  if (isHostedTest(domain, tx.settings) || findTransition(domain, 'dns_gone', tx.clock.now()) === null)
    return domain;
  if (!(await isHeldByAnother(tx, domain))) return domain;
  return recordTransition(tx, domain, { name: 'dns_gone', reason: 'hostname_routed_elsewhere' });
}

/**
 * Writes a new domain with its first event (`docs/api.md#states-and-transitions`), together with the COMMIT, and returns the domain. The
 * caller has checked that the app does not have this hostname, and that the account's limits allow the domain. If another transaction has
 * changed that by the COMMIT, this transaction runs again.
 */
export function recordCreation(tx: TxContext, shown: Shown, draft: Domain, limits: CountLimits = {}): Domain {
  const created = findTransition(null, 'create', draft.created_at);
  if (created === null) throw new TypeError('The transition table has no row that creates a domain');
  const { effects = [] } = created;
  const emits = emittedBy(draft, created.emits);
  const counted = withEvent(withForcedReason(tx, shown, draft), emits);
  const { domain, jobs } = planJobs(tx, counted, effects, null);
  const recorded = { emits, previous_status: null, effects };
  runWithCommit(
    tx.store,
    ...domainInsertion(tx.store, domain),
    ...ownStatements(tx, shown, domain, recorded, jobs),
    ...domainCounting(tx.store, null, domain, limits),
  );
  publishChange(tx, domain, recorded);
  return domain;
}

/** An app, and the addresses that it gives its customers. */
interface Shown extends CustomerAddresses {
  app: App;
}

/** Returns the event of a transition. Nothing that happens to an app's own white-label host is an event. */
function emittedBy({ mode }: Domain, emits: Recorded['emits']): Recorded['emits'] {
  return mode === 'host' ? null : emits;
}

/** Returns the jobs that the domain needs from now on, and the domain with the `next_check_at` that follows (`docs/api.md#domain`). */
function planJobs(
  tx: TxContext,
  domain: Domain,
  effects: readonly Effect[],
  before: Domain | null,
): { domain: Domain; jobs: DueJob[] } {
  // If the status stays the same, as in a renewal, the check must not move to a later time. The second check after a missed record stays
  // due.
  const latest = (before?.status === domain.status ? before.next_check_at : null) ?? Number.POSITIVE_INFINITY;
  const jobs = scheduleOf(domain, tx.settings, tx.clock.now(), effects).map((job) =>
    job.kind === 'check_dns' ? { ...job, due_at: Math.min(job.due_at, latest) } : job,
  );
  const check = jobs.find(({ kind }) => kind === 'check_dns');
  return { domain: { ...domain, next_check_at: check?.due_at ?? null }, jobs };
}

type Recorded = Pick<TransitionOutcome, 'emits' | 'effects'> & { previous_status: Domain['status'] | null };

/** Returns the statements that write the event of a new status, its lane and the domain's jobs. */
function ownStatements(
  tx: TxContext,
  shown: Shown,
  domain: Domain,
  { emits, previous_status }: Recorded,
  jobs: readonly DueJob[],
): Statement[] {
  const event = emits === null ? [] : eventStatements(tx, shown, domain, emits, previous_status);
  const subject = { subject_id: domain.id, app_id: domain.app_id };
  const replaced = previous_status === null ? [] : DOMAIN_JOB_KINDS; // A new domain has no jobs yet.
  return [...event, ...jobsReplacement(tx.store, subject, replaced, jobs)];
}

function publishChange(tx: TxContext, domain: Domain, { emits, previous_status }: Recorded): void {
  // The domain's route changes only if the domain is not new. A hosted test domain never has one.
  if (previous_status !== null && !isHostedTest(domain, tx.settings)) {
    tx.notices.publish({ kind: 'route', hostname: domain.hostname });
  }
  tx.notices.publish({ kind: 'work' });
  if (emits !== null) tx.notices.publish({ kind: 'event', app_id: domain.app_id });
}

type StoreEffect = (
  tx: TxContext,
  domain: Domain,
  previousStatus: Recorded['previous_status'],
) => Promise<void>;

/** Returns what a new status writes after its event and its jobs. */
function furtherWrites(
  { status }: Domain,
  previousStatus: Recorded['previous_status'],
  effects: readonly Effect[],
): StoreEffect[] {
  const ofEffects = (Object.keys(STORE_EFFECTS) as Effect[]).flatMap((effect) =>
    effects.includes(effect) ? (STORE_EFFECTS[effect] ?? []) : [],
  );
  const tells = status === 'dns_broken' || (status === 'active' && previousStatus !== 'active');
  return tells ? [...ofEffects, notifySubscribers] : ofEffects;
}

/** The writes of each effect besides the domain's own row; null for none. They run in this order, so that all transactions lock rows in it. */
const STORE_EFFECTS: Readonly<Record<Effect, StoreEffect | null>> = {
  abandon_order: abandonOrder,
  suspend_order: suspendOrder,
  take_route: async (tx, domain, previousStatus) => {
    if (isHostedTest(domain, tx.settings)) return;
    const isNew = previousStatus !== 'dns_broken';
    await claimHostname(tx, domain, domain.hostname, { isNew, record: recordTransition });
  },
  drop_certificate: async (tx, domain) => {
    if (tx.settings.revokesOnDelete) await scheduleRevocations(tx, domain);
    await eraseCertificates(tx.store, domain.id);
    await deletePastCertificates(tx.store, domain.id);
  },
  drop_route: async ({ store }, { id }, previousStatus) => {
    const freed = await dropRoutes(store, id);
    // A route before the switch was provisional, so it retires nothing.
    if (previousStatus !== null && !isAwaitingDns(previousStatus)) await endDelegations(store, freed);
    await deleteSubscriptionsOf(store, id);
  },
  drop_check: ({ store }, { id }) => deleteDnsCheck(store, id),
  drop_preparation: async ({ store }, { id }) => {
    await eraseCertificates(store, id);
    await dropRoutes(store, id);
  },
  note_check: null,
  open_window: null,
  extend_window: null,
  check_at_once: null,
  store_certificate: rememberServed,
};

/** Returns the time of the next event. It is always later than that of the last event, even within one millisecond (`docs/domains.md`). */
function eventTime(tx: TxContext, domain: Domain): number {
  return Math.max(tx.clock.now(), (domain.last_event_at ?? 0) + 1);
}

/** Returns the domain with the number and the time of the event, if the transition emits one. */
function withEvent(domain: Domain, emits: Recorded['emits']): Domain {
  if (emits === null) return domain;
  return { ...domain, event_seq: domain.event_seq + 1, last_event_at: domain.status_since };
}

/** Returns the trigger with its missing parts: the detail of its reason and, for a domain on the test timer, `routed_through`. */
function completeTrigger(tx: TxContext, shown: Shown, domain: Domain, trigger: Trigger): Trigger {
  const whole = { ...trigger };
  if (trigger.name === 'release' && domain.reason_before_hold !== null)
    whole.reason ??= domain.reason_before_hold;
  if (whole.reason !== undefined && whole.detail === undefined) {
    const detail = explainStatus(tx.settings, shown, domain, whole.reason, tx.clock.now());
    if (detail !== undefined) whole.detail = detail;
  }
  if (trigger.name === 'dns_confirmed' && runsOnTimer(domain, tx.settings) && !domain.is_apex) {
    whole.routed_through ??= customerTarget(shown, domain.hostname);
  }
  return whole;
}

/** Returns the domain. If a test hostname forces a DNS reason, the domain stays in `pending_dns` with that reason. */
function withForcedReason(tx: TxContext, shown: Shown, domain: Domain): Domain {
  const reason = runsOnTimer(domain, tx.settings) ? timerOutcome(domain).reason : undefined;
  if (domain.status !== 'pending_dns' || reason === undefined) return domain;
  const statusDetail = explainStatus(tx.settings, shown, domain, reason, tx.clock.now()) ?? null;
  return { ...domain, status_reason: reason, status_detail: statusDetail };
}
