import { type Certificate, isValid } from '../certificates/certificate.ts';
import type { Instant } from '../instant.ts';
import { isReasonCode, type ReasonCode, reasonDetail } from '../reasons.ts';
import type { EventType } from '../webhooks/event.ts';
import type { Domain, StatusDetail } from './domain.ts';
import type { Status } from './status.ts';
import { type Effect, TRANSITIONS, type Transition, type TriggerName } from './transitions.ts';

/** An occurrence that changes a domain, with the facts that the transition needs. */
export interface Trigger {
  name: TriggerName;
  /** `reason` and `detail` become `status_reason` and `status_detail` if the new status is a failure. */
  reason?: string;
  detail?: StatusDetail;
  /** The name through which the record points to us. Set only for `dns_confirmed`. */
  routed_through?: string;
  /** The new certificate. Set only for `certificate_issued` and `certificate_renewed`. */
  certificate?: Certificate;
}

export interface TransitionOutcome {
  /** The domain after the transition. */
  domain: Domain;
  /** The event to record; null if this transition emits no event. */
  emits: EventType | null;
  previous_status: Status;
  effects: readonly Effect[];
}

/** Returns the row of `TRANSITIONS` for a trigger in the domain's status; null if the trigger is impossible in this status. */
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

/** Returns the triggers that are possible now, in the order of `TRANSITIONS`. */
export function possibleTriggers(
  domain: Pick<Domain, 'status' | 'certificate'>,
  now: Instant,
): TriggerName[] {
  const names = TRANSITIONS.map((row) => row.on).filter((on) => findTransition(domain, on, now) !== null);
  return [...new Set(names)];
}

/**
 * Applies a trigger to a domain (`docs/api.md#states-and-transitions`). This function is pure: `record-transition.ts` stores the result.
 * @returns null if the trigger is impossible in the domain's status, so that nothing changes.
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
  for (const effect of effects)
    Object.assign(next, DOMAIN_EFFECTS[effect]?.({ before: domain, trigger, now }));
  return { domain: next, emits: row.emits, previous_status: domain.status, effects };
}

/**
 * Returns the reason for the new status. `status_reason` explains a failure, so the reason is null in the statuses on the way to `active`.
 */
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

/** The facts that an effect can use. */
interface Change {
  before: Domain;
  trigger: Trigger;
  now: Instant;
}

/**
 * For each effect, a function that returns the domain's fields to set. Null if the effect only changes the schedule (`scheduleOf`) or the
 * store (`STORE_EFFECTS`).
 */
const DOMAIN_EFFECTS: Readonly<Record<Effect, ((change: Change) => Partial<Domain>) | null>> = {
  note_check: ({ now }) => ({ last_checked_at: now }),
  open_window: ({ now }) => ({ window_opened_at: now }),
  // The 72 hours do not run during a hold (`docs/domains.md`), so their start moves by the length of the hold.
  extend_window: ({ before, now }) => ({
    window_opened_at: before.window_opened_at + (now - before.status_since),
  }),
  check_at_once: null,
  store_certificate({ trigger: { name, certificate } }) {
    if (certificate === undefined) throw new TypeError(`${name} needs a certificate`);
    return { certificate };
  },
  drop_certificate: () => ({ certificate: null }),
  take_route: ({ trigger }) => ({ routed_through: trigger.routed_through ?? null }),
  drop_route: () => ({ routed_through: null }),
  drop_check: null,
  drop_preparation: () => ({ certificate: null }),
  abandon_order: null,
  suspend_order: null,
};
