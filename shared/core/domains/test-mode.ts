import type { ErrorCode } from '../errors.ts';
import { DAY_MS, type Instant, SECOND_MS } from '../instant.ts';
import { REASON_CODES, REASONS, type ReasonCode } from '../reasons.ts';
import type { Status } from './status.ts';
import type { TriggerName } from './transitions.ts';

/** What happens to a test domain by itself in one status. */
export interface TimerStep {
  /** Counted from when the domain entered the status; null: only when a check is asked for. */
  after_ms: number | null;
  trigger: TriggerName;
  reason?: ReasonCode;
  /** The job that takes the step, where it is not `advance`. */
  job?: 'flap' | 'retry';
  /** The step happens only while it is due no later than this after the domain's window opened. */
  until_window_ms?: number;
  /** What happens instead after that; without it, nothing. */
  afterwards?: TimerStep;
}

/** What the first label of a test hostname brings about, like a card number in a payment sandbox. */
export interface TestOutcome {
  label: string;
  /** One clause for the docs page: "a domain whose first label is this …". */
  summary: string;
  /** The create is refused with this code. */
  refused_with?: ErrorCode;
  /** The domain stays in `pending_dns` with this reason. */
  reason?: ReasonCode;
  steps: Partial<Record<Status, TimerStep>>;
}

const ISSUE: TimerStep = { after_ms: 4 * SECOND_MS, trigger: 'certificate_issued' };

/** Ten seconds from `pending_dns` to `active` (`docs/test-mode.md`). */
const STEPS = {
  pending_dns: { after_ms: 3 * SECOND_MS, trigger: 'dns_seen' },
  verifying: { after_ms: 3 * SECOND_MS, trigger: 'dns_confirmed' },
  issuing: ISSUE,
  dns_broken: { after_ms: null, trigger: 'dns_confirmed' },
  cert_failed: { after_ms: DAY_MS, trigger: 'certificate_issued', job: 'retry' },
} as const satisfies Partial<Record<Status, TimerStep>>;

export const DEFAULT_OUTCOME: TestOutcome = {
  label: '',
  summary: 'becomes active after ten seconds',
  steps: STEPS,
};

/**
 * Ten alternations: breaks at 20, 40, 60, 80 and 100 s, each mended 10 s later, the last at 110 s. A timer runs late by a little
 * at every step: the limit stands half-way to a sixth break, and a break is always mended.
 */
const FLAPPING_MS = 110 * SECOND_MS;
/**
 * The first hold is due 10 s after the window opened, and the window does not run during a hold: back in `issuing`, another
 * one would be due at 14 s. A limit between the two makes it one hold, with room for a timer that runs late.
 */
const ONE_HOLD_MS = 13 * SECOND_MS;

const BREAK: TimerStep = { after_ms: 10 * SECOND_MS, trigger: 'dns_gone', reason: 'dns_record_missing' };

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
      active: { ...BREAK, job: 'flap', until_window_ms: FLAPPING_MS },
      dns_broken: { after_ms: 10 * SECOND_MS, trigger: 'dns_confirmed', job: 'flap' },
    },
  },
  {
    label: 'held',
    summary: 'is held ten seconds after creation, once',
    steps: {
      ...STEPS,
      issuing: { after_ms: 4 * SECOND_MS, trigger: 'hold', until_window_ms: ONE_HOLD_MS, afterwards: ISSUE },
    },
  },
];

/** Every code that a hostname can be refused with (section 4.3, rule 3). */
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

/** Every outcome but the default, for the docs page and the tests: a new reason or refusal gets its row by itself. */
export const TEST_OUTCOMES: readonly TestOutcome[] = [
  ...NAMED,
  ...REASON_CODES.flatMap((code) => reasonOutcome(code)),
  ...Object.entries(REFUSALS).map(([label, code]) => ({
    label,
    summary: `is refused with ${code}`,
    refused_with: code,
    steps: {},
  })),
];

const BY_LABEL: ReadonlyMap<string, TestOutcome> = new Map(TEST_OUTCOMES.map((each) => [each.label, each]));

/** @param hostname as `parseHostname` gives it. */
export function testOutcome(hostname: string): TestOutcome {
  return BY_LABEL.get(hostname.split('.', 1)[0] ?? '') ?? DEFAULT_OUTCOME;
}

/**
 * What the timer still owes a test domain in its status, or null for nothing.
 * `due_at` is null where the step waits for a check that is asked for.
 */
export function nextStep(
  outcome: TestOutcome,
  domain: { status: Status; status_since: Instant; window_opened_at: Instant },
): { step: TimerStep; due_at: Instant | null } | null {
  for (let step = outcome.steps[domain.status]; step !== undefined; step = step.afterwards) {
    if (step.after_ms === null) return { step, due_at: null };
    const due_at = domain.status_since + step.after_ms;
    const until = step.until_window_ms;
    if (until === undefined || due_at - domain.window_opened_at <= until) return { step, due_at };
  }
  return null;
}

/** DNS reasons keep a domain from being seen, CA reasons from getting its certificate; the others are nothing a timer can bring about. */
function reasonOutcome(code: ReasonCode): TestOutcome[] {
  const label = code.replaceAll('_', '-');
  const { group } = REASONS[code];
  if (group === 'dns') {
    const summary = `stays in pending_dns with the reason ${code} and expires after 72 hours`;
    return [{ label, summary, reason: code, steps: without(STEPS, 'pending_dns') }];
  }
  if (group !== 'ca') return [];
  const issuing: TimerStep = { after_ms: 4 * SECOND_MS, trigger: 'issuance_failed', reason: code };
  const summary = `becomes cert_failed with the reason ${code} instead of active`;
  return [{ label, summary, steps: { ...without(STEPS, 'cert_failed'), issuing } }];
}

function without(steps: TestOutcome['steps'], status: Status): TestOutcome['steps'] {
  const { [status]: _left, ...rest } = steps;
  return rest;
}
