import type { ErrorCode } from '../errors.ts';
import { DAY_MS, HOUR_MS, type Instant, MINUTE_MS, SECOND_MS } from '../instant.ts';
import { REASON_CODES, REASONS, type ReasonCode } from '../reasons.ts';
import type { Status } from './status.ts';
import type { TriggerName } from './transitions.ts';

/** A step of the test timer, which fires a trigger while a test domain is in a given status. */
export interface TimerStep {
  /** Delay since the domain entered the status. Null if the step happens only after a requested check. */
  afterMs: number | null;
  trigger: TriggerName;
  reason?: ReasonCode;
  /** The job that runs the step. By default it is `advance`. */
  job?: 'flap' | 'retry';
  /** The step happens only if it is due within this time after the domain's window opened. */
  untilWindowMs?: number;
  /** The step to take in the same status if this step does not happen. Absent if there is no other step. */
  afterwards?: TimerStep;
}

/** The outcome that the first label of a test hostname forces, like a test card number in a payment sandbox. */
export interface TestOutcome {
  label: string;
  /** A clause that completes "a domain whose first label is …" on the docs page. */
  summary: string;
  /** The error code with which the API refuses to create the domain. */
  refusedWith?: ErrorCode;
  /** The reason with which the domain stays in `pending_dns`. */
  reason?: ReasonCode;
  /** How long after its creation the domain gets a certificate, although its record does not exist yet. */
  preparedAfterMs?: number;
  /** Lifetime of the domain's certificates. Defaults to `TEST_CERTIFICATE_MS`. */
  certificateMs?: number;
  steps: Partial<Record<Status, TimerStep>>;
}

const ISSUE: TimerStep = { afterMs: 4 * SECOND_MS, trigger: 'certificate_issued' };

/** The usual steps, which take a domain from `pending_dns` to `active` in ten seconds (`docs/test-mode.md`). */
const STEPS = {
  pending_dns: { afterMs: 3 * SECOND_MS, trigger: 'dns_seen' },
  verifying: { afterMs: 3 * SECOND_MS, trigger: 'dns_confirmed' },
  issuing: ISSUE,
  dns_broken: { afterMs: null, trigger: 'dns_confirmed' },
  cert_failed: { afterMs: DAY_MS, trigger: 'certificate_issued', job: 'retry' },
} as const satisfies Partial<Record<Status, TimerStep>>;

export const DEFAULT_OUTCOME: TestOutcome = {
  label: '',
  summary: 'becomes active after ten seconds',
  steps: STEPS,
};

/**
 * Limits a flapping domain to ten status changes. The domain breaks at 20, 40, 60, 80 and 100 s, and recovers 10 s after each break, so the
 * last change is at 110 s. A sixth break would come at 120 s. The limit lies between the two, because timers run slightly late at every
 * step.
 */
const FLAPPING_MS = 110 * SECOND_MS;
/**
 * Limits the domain to one hold, which comes 10 s after the window opened. The window does not run during a hold, so a second hold would
 * come 14 s after it opened. The limit lies between the two and allows for late timers.
 */
const ONE_HOLD_MS = 13 * SECOND_MS;

const BREAK: TimerStep = { afterMs: 10 * SECOND_MS, trigger: 'dns_gone', reason: 'dns_record_missing' };

const NAMED: readonly TestOutcome[] = [
  {
    label: 'dns-broken',
    summary: 'becomes active, and dns_broken ten seconds later',
    steps: { ...without(STEPS, 'dns_broken'), active: BREAK },
  },
  {
    label: 'dns-flapping',
    summary: 'alternates between active and dns_broken every ten seconds, ten times',
    steps: {
      ...STEPS,
      active: { ...BREAK, job: 'flap', untilWindowMs: FLAPPING_MS },
      dns_broken: { afterMs: 10 * SECOND_MS, trigger: 'dns_confirmed', job: 'flap' },
    },
  },
  {
    label: 'ready-to-switch',
    summary:
      'has its certificate after three seconds, stays in pending_dns as ready_to_switch for a minute, and then becomes active',
    preparedAfterMs: 3 * SECOND_MS,
    steps: { ...STEPS, pending_dns: { ...STEPS.pending_dns, afterMs: MINUTE_MS } },
  },
  {
    label: 'short-lived',
    summary: 'becomes active with a certificate of 160 hours, which is renewed after 80 hours',
    certificateMs: 160 * HOUR_MS,
    steps: STEPS,
  },
  {
    label: 'held',
    summary: 'is held ten seconds after creation, once',
    steps: {
      ...STEPS,
      issuing: { afterMs: 4 * SECOND_MS, trigger: 'hold', untilWindowMs: ONE_HOLD_MS, afterwards: ISSUE },
    },
  },
];

/** The labels that force a refusal, each with the error code of the refusal (`docs/api.md#domains`). */
const REFUSALS: Readonly<Record<string, ErrorCode>> = {
  'hostname-held': 'hostname_held',
  'limit-reached': 'domain_limit_reached',
  'domain-limit-reached': 'domain_limit_reached',
  'invalid-hostname': 'invalid_hostname',
  'hostname-is-service': 'hostname_is_service',
  'hostname-is-public-suffix': 'hostname_is_public_suffix',
  'origin-not-allowed': 'origin_not_allowed',
  'validation-failed': 'validation_failed',
};

/** All outcomes except the default, for the docs page and the tests. New reasons and refusals are included automatically. */
export const FORCED_OUTCOMES: readonly TestOutcome[] = [
  ...NAMED,
  ...REASON_CODES.flatMap((code) => reasonOutcome(code)),
  ...Object.entries(REFUSALS).map(([label, code]) => ({
    label,
    summary: `is refused with ${code}`,
    refusedWith: code,
    steps: {},
  })),
];

const BY_LABEL: ReadonlyMap<string, TestOutcome> = new Map(FORCED_OUTCOMES.map((each) => [each.label, each]));

/** Returns the outcome that a hostname's first label forces. @param hostname as `parseHostname` returns it. */
export function testOutcome(hostname: string): TestOutcome {
  return BY_LABEL.get(hostname.split('.', 1)[0] ?? '') ?? DEFAULT_OUTCOME;
}

/**
 * Returns the next step of a test domain in its status; null if no step follows. If the step happens only after a requested check, `due_at`
 * is null.
 */
export function nextTimerStep(
  outcome: TestOutcome,
  domain: { status: Status; status_since: Instant; window_opened_at: Instant },
): { step: TimerStep; due_at: Instant | null } | null {
  for (let step = outcome.steps[domain.status]; step !== undefined; step = step.afterwards) {
    if (step.afterMs === null) return { step, due_at: null };
    const dueAt = domain.status_since + step.afterMs;
    const until = step.untilWindowMs;
    if (until === undefined || dueAt - domain.window_opened_at <= until) return { step, due_at: dueAt };
  }
  return null;
}

/**
 * Returns the outcome that forces a reason. With a DNS reason, the record is never found. With a CA reason, no certificate is issued. The
 * timer cannot force other reasons.
 */
function reasonOutcome(code: ReasonCode): TestOutcome[] {
  const label = code.replaceAll('_', '-');
  const { group } = REASONS[code];
  if (group === 'dns') {
    const summary = `stays in pending_dns with the reason ${code} and expires after 72 hours`;
    return [{ label, summary, reason: code, steps: without(STEPS, 'pending_dns') }];
  }
  if (group !== 'ca') return [];
  const issuing: TimerStep = { afterMs: 4 * SECOND_MS, trigger: 'issuance_failed', reason: code };
  const summary = `becomes cert_failed with the reason ${code} instead of active`;
  return [{ label, summary, steps: { ...without(STEPS, 'cert_failed'), issuing } }];
}

function without(steps: TestOutcome['steps'], status: Status): TestOutcome['steps'] {
  const { [status]: _left, ...rest } = steps;
  return rest;
}
