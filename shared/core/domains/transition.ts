import { type Certificate, isValid } from '../certificates/certificate.ts';
import type { Instant } from '../instant.ts';
import { isReasonCode, type ReasonCode, reasonDetail } from '../reasons.ts';
import type { EventType } from '../webhooks/event.ts';
import type { Domain, StatusDetail } from './domain.ts';
import type { Status } from './status.ts';
import { type Effect, TRANSITIONS, type Transition, type TriggerName } from './transitions.ts';

/** What happened, with what the transition needs to know. */
export interface Trigger {
  name: TriggerName;
  /** Becomes `status_reason` and `status_detail` where the new status is a failure. */
  reason?: string;
  detail?: StatusDetail;
  /** With `dns_confirmed`: the name that the record was found to point through. */
  routed_through?: string;
  /** With `certificate_issued` and `certificate_renewed`. */
  certificate?: Certificate;
}

export interface TransitionOutcome {
  /** The domain after the transition. */
  domain: Domain;
  /** The event to write, or null where the contract names none. */
  emits: EventType | null;
  previous_status: Status;
  effects: readonly Effect[];
}

/** The row that takes this trigger from this status, or null: then it is impossible. */
export function findTransition(
  from: Pick<Domain, 'status' | 'certificate'> | null,
  on: TriggerName,
  now: Instant,
): Transition | null {
  const status = from?.status ?? null;
  const condition = isValid(from?.certificate ?? null, now) ? 'certificate_valid' : 'certificate_invalid';
  const fits = (row: Transition) =>
    row.on === on && row.from.includes(status) && (row.when === undefined || row.when === condition);
  return TRANSITIONS.find(fits) ?? null;
}

/** The triggers that are possible now, in the table's order. */
export function possibleTriggers(
  domain: Pick<Domain, 'status' | 'certificate'>,
  now: Instant,
): TriggerName[] {
  const names = TRANSITIONS.map((row) => row.on).filter((on) => findTransition(domain, on, now) !== null);
  return [...new Set(names)];
}

/**
 * The state machine: what becomes of a domain when something happens to it (section 3). Pure; `record-transition.ts` stores it.
 * @returns null when no row of the table takes this trigger from this status: nothing changes then.
 */
export function transition(domain: Domain, trigger: Trigger, now: Instant): TransitionOutcome | null {
  const row = findTransition(domain, trigger.name, now);
  if (row === null) return null;
  const to = row.to === 'previous' ? (domain.status_before_hold ?? 'pending_dns') : row.to;
  const effects = row.effects ?? [];
  const next: Domain = {
    ...domain,
    status: to,
    status_since: now,
    status_before_hold: to === 'held' ? domain.status : null,
    reason_before_hold: to === 'held' ? domain.status_reason : null,
    updated_at: now,
    ...reasonOf(to, row.to === 'previous' ? { reason: domain.reason_before_hold, ...trigger } : trigger),
  };
  for (const effect of effects) applyEffect(next, effect, domain, trigger, now);
  return { domain: next, emits: row.emits, previous_status: domain.status, effects };
}

/** `status_reason` says why a status is not `active`; on the way there is nothing to explain. */
function reasonOf(
  to: Status,
  trigger: { reason?: string | null; detail?: StatusDetail },
): Pick<Domain, 'status_reason' | 'status_detail'> {
  if (to === 'active' || to === 'issuing' || to === 'deleted')
    return { status_reason: null, status_detail: null };
  const reason = trigger.reason ?? IMPLIED_REASONS[to] ?? null;
  const known = reason !== null && isReasonCode(reason);
  return {
    status_reason: reason,
    status_detail: trigger.detail ?? (known ? reasonDetail(reason) : null),
  };
}

const IMPLIED_REASONS: Partial<Record<Status, ReasonCode>> = {
  expired: 'window_expired',
  held: 'hostname_held',
};

function applyEffect(next: Domain, effect: Effect, before: Domain, trigger: Trigger, now: Instant): void {
  switch (effect) {
    case 'note_check':
      next.last_checked_at = now;
      return;
    case 'open_window':
      next.window_opened_at = now;
      return;
    case 'extend_window':
      // The 72 hours do not run while held (`docs/domains.md`): the window starts later by as long as the hold took.
      next.window_opened_at = before.window_opened_at + (now - before.status_since);
      return;
    case 'check_at_once':
      return; // The jobs are the store's: `scheduleOf` acts on it.
    case 'abandon_order':
    case 'suspend_order':
      return; // So are the orders: suspend-order.ts acts on it.
    case 'store_certificate':
      if (trigger.certificate === undefined) throw new TypeError(`${trigger.name} needs a certificate`);
      next.certificate = trigger.certificate;
      return;
    case 'drop_certificate':
      next.certificate = null;
      return;
    case 'take_route':
      next.routed_through = trigger.routed_through ?? null;
      return; // The route table is the store's: record-transition.ts acts on it.
    case 'drop_route':
      next.routed_through = null;
      return;
  }
}
