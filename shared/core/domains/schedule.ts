import { renewalPollMs } from '../certificates/renewal-time.ts';
import { DAY_MS, HOUR_MS, type Instant } from '../instant.ts';
import { LIMITS } from '../limits.ts';
import type { Settings } from '../settings.ts';
import { scheduledChecks } from './cadence.ts';
import type { Domain } from './domain.ts';
import type { DueJob, JobKind } from './job.ts';
import { nextStep, type TestOutcome, testOutcome } from './test-mode.ts';
import type { Effect } from './transitions.ts';

/** The jobs that follow from a domain's own state. After each transition the store is made to hold exactly these. */
export const DOMAIN_JOB_KINDS: readonly JobKind[] = [
  'advance',
  'flap',
  'issue',
  'retry',
  'expire',
  'renew',
  'check_dns',
];

/** Whether a domain runs on the test timer and never meets DNS or a CA (section 1; `docs/test-mode.md`). */
export function runsOnTimer(
  domain: Pick<Domain, 'mode'>,
  settings: Pick<Settings, 'timer_for_live'>,
): boolean {
  return domain.mode === 'test' || settings.timer_for_live;
}

/** What a domain on the timer does by itself, forced by its first label or not. */
export function timerOutcome(domain: Pick<Domain, 'hostname'>): TestOutcome {
  return testOutcome(domain.hostname);
}

/**
 * What the service owes a domain next, as a function of its state.
 * @param effects of the transition that led to it: a release makes the check due at once.
 */
export function scheduleOf(
  domain: Domain,
  settings: Pick<Settings, 'timer_for_live'>,
  now: Instant,
  effects: readonly Effect[] = [],
): DueJob[] {
  const jobs: DueJob[] = [];
  if (runsOnTimer(domain, settings)) {
    if (domain.status === 'pending_dns' || domain.status === 'verifying') {
      jobs.push({ kind: 'expire', due_at: windowEndsAt(domain) });
    }
    if (domain.status === 'active' && domain.certificate !== null) {
      jobs.push({ kind: 'renew', due_at: domain.certificate.renews_at });
    }
    const next = nextStep(timerOutcome(domain), domain);
    if (next !== null && next.due_at !== null) {
      jobs.push({ kind: next.step.job ?? 'advance', due_at: next.due_at });
    }
  } else {
    const job = certificateJob(domain, now);
    if (job !== null) jobs.push(job);
    const { next } = scheduledChecks(domain, now);
    if (next !== null) {
      jobs.push({ kind: 'check_dns', due_at: effects.includes('check_at_once') ? now : next });
    }
  }
  return jobs;
}

/** What is owed to the certificate of a domain that is not on the timer (`docs/domains.md`). */
function certificateJob(domain: Domain, now: Instant): DueJob | null {
  switch (domain.status) {
    case 'issuing':
      return { kind: 'issue', due_at: now };
    case 'active': {
      // The authority is asked when it wants it renewed, and the record of `www` is looked at.
      const look_ms = domain.apex_redirect === 'www' ? HOUR_MS : renewalPollMs(null);
      return { kind: 'renew', due_at: Math.min(domain.certificate?.renews_at ?? now, now + look_ms) };
    }
    case 'cert_failed':
      return { kind: 'retry', due_at: domain.status_since + DAY_MS };
    default:
      return null;
  }
}

/** 72 hours since the window opened; a hold has moved its start (`docs/domains.md`). */
export function windowEndsAt(domain: Pick<Domain, 'window_opened_at'>): Instant {
  return domain.window_opened_at + LIMITS.window_ms;
}

/**
 * `last_checked_at` and `next_check_at` as the API shows them. Nothing is looked up for a domain on the timer, so its
 * scheduled checks happen on paper: a year of them costs nothing when a clock is moved.
 */
export function shownChecks(
  domain: Domain,
  settings: Pick<Settings, 'timer_for_live'>,
  now: Instant,
): Pick<Domain, 'last_checked_at' | 'next_check_at'> {
  if (!runsOnTimer(domain, settings)) return domain;
  const { last, next } = scheduledChecks(domain, now);
  const step = nextStep(timerOutcome(domain), domain)?.due_at ?? null;
  const coming = [next, next === null ? null : step].filter(
    (each) => each !== null && each > now,
  ) as Instant[];
  return {
    last_checked_at: Math.max(domain.last_checked_at ?? 0, last ?? 0) || null,
    next_check_at: coming.length === 0 ? null : Math.min(...coming),
  };
}
