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
 * Changes the status of a domain: writes the domain, its event, the row of its event queue (lane) and its jobs in the caller's transaction.
 * Only this function and `recordCreation` write `status`.
 * @param domain its row must be locked by the caller.
 * @param limits limits that the account's domain counts must not exceed at the COMMIT. Required if the transition may raise a count.
 * @throws ServiceError `validation_failed` if the state machine has no such transition. Callers for which this can happen check it first.
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
  // For a domain on the test timer, the time of the last check follows from its current status. The status changes now, so store the time.
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

/** If the domain lost its hostname while it was `held`, changes it to `dns_broken`. Its status could not change before the release. */
async function afterRelease(tx: TxContext, domain: Domain): Promise<Domain> {
  if (isHostedTest(domain, tx.settings) || findTransition(domain, 'dns_gone', tx.clock.now()) === null)
    return domain;
  if (!(await isHeldByAnother(tx, domain))) return domain;
  return recordTransition(tx, domain, { name: 'dns_gone', reason: 'hostname_routed_elsewhere' });
}

/**
 * Returns a new domain, and queues the statements that write it and its first event with the COMMIT (`docs/api.md#states-and-transitions`).
 * The caller must have checked that the app does not have this hostname, and that the account's limits allow the domain. If another
 * transaction changes that before the COMMIT, this transaction runs again.
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

/** Returns the type of the event of a transition. The domain of a white-label host has no events. */
function emittedBy({ mode }: Domain, emits: Recorded['emits']): Recorded['emits'] {
  return mode === 'host' ? null : emits;
}

/** Returns the jobs that the domain needs from now on, and the domain with its new `next_check_at` (`docs/api.md#domain`). */
function planJobs(
  tx: TxContext,
  domain: Domain,
  effects: readonly Effect[],
  before: Domain | null,
): { domain: Domain; jobs: DueJob[] } {
  // If the status stays the same, such as in a renewal, the next check must not move to a later time. A second check after a missing record
  // stays due.
  const latest = (before?.status === domain.status ? before.next_check_at : null) ?? Number.POSITIVE_INFINITY;
  const jobs = scheduleOf(domain, tx.settings, tx.clock.now(), effects).map((job) =>
    job.kind === 'check_dns' ? { ...job, due_at: Math.min(job.due_at, latest) } : job,
  );
  const check = jobs.find(({ kind }) => kind === 'check_dns');
  return { domain: { ...domain, next_check_at: check?.due_at ?? null }, jobs };
}

type Recorded = Pick<TransitionOutcome, 'emits' | 'effects'> & { previous_status: Domain['status'] | null };

/** Returns the statements that write the event of a new status, the domain's event queue (lane) and the domain's jobs. */
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
  // A new domain has no route yet, and a test domain of the hosted service never has one.
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

/** Returns the further writes of a new status. They run after the event and the jobs are written. */
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

/** Deletes the routes of a domain. @returns the hostnames that no longer have a route. */
async function leaveRoutes(tx: TxContext, id: Domain['id']): Promise<string[]> {
  const { freed, passed } = await dropRoutes(tx.store, id);
  for (const hostname of [...freed, ...passed]) tx.notices.publish({ kind: 'route', hostname });
  return freed;
}

/**
 * The writes of each effect of a transition, apart from the domain's own row; null if there are none. Effects run in this order, so that
 * all transactions lock rows in the same order.
 */
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
    await eraseCertificates(tx, domain.id);
    await deletePastCertificates(tx.store, domain.id);
  },
  drop_route: async (tx, { id }, previousStatus) => {
    const { store } = tx;
    const freed = await leaveRoutes(tx, id);
    // A domain that still waited for its record had only a provisional route. Its end does not change the delegations of other domains.
    if (previousStatus !== null && !isAwaitingDns(previousStatus)) await endDelegations(store, freed);
    await deleteSubscriptionsOf(store, id);
  },
  drop_check: ({ store }, { id }) => deleteDnsCheck(store, id),
  drop_preparation: async (tx, { id }) => {
    await eraseCertificates(tx, id);
    await leaveRoutes(tx, id);
  },
  note_check: null,
  open_window: null,
  extend_window: null,
  check_at_once: null,
  store_certificate: rememberServed,
};

/**
 * Returns the time of the next event. It is later than the time of the last event, even if both occur in one millisecond
 * (`docs/domains.md`).
 */
function eventTime(tx: TxContext, domain: Domain): number {
  return Math.max(tx.clock.now(), (domain.last_event_at ?? 0) + 1);
}

/** If the transition has an event, returns the domain with the number and the time of that event. */
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

/** Returns the domain, with a status reason if its test hostname forces one in `pending_dns`. */
function withForcedReason(tx: TxContext, shown: Shown, domain: Domain): Domain {
  const reason = runsOnTimer(domain, tx.settings) ? timerOutcome(domain).reason : undefined;
  if (domain.status !== 'pending_dns' || reason === undefined) return domain;
  const statusDetail = explainStatus(tx.settings, shown, domain, reason, tx.clock.now()) ?? null;
  return { ...domain, status_reason: reason, status_detail: statusDetail };
}
