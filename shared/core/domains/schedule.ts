import { renewalPollMs } from '../certificates/renewal-time.ts';
import { DAY_MS, HOUR_MS, type Instant } from '../instant.ts';
import { LIMITS } from '../limits.ts';
import type { Settings } from '../settings.ts';
import { nextProofCheckAt, scheduledChecks } from './cadence.ts';
import type { Domain } from './domain.ts';
import type { DueJob, JobKind } from './job.ts';
import { isAwaitingDns } from './status.ts';
import { nextTimerStep, type TestOutcome, testOutcome } from './test-mode.ts';
import type { Effect } from './transitions.ts';

/**
 * Kinds of jobs that follow from a domain's state. After each transition, the domain's jobs of these kinds are exactly those that
 * `scheduleOf` returns.
 */
export const DOMAIN_JOB_KINDS: readonly JobKind[] = [
  'advance',
  'flap',
  'issue',
  'prepare',
  'retry',
  'expire',
  'renew',
  'check_dns',
];

/** Returns true if the test timer changes the domain's status, without DNS or a CA (`docs/api.md#the-service`; `docs/test-mode.md`). */
export function runsOnTimer(domain: Pick<Domain, 'mode'>, settings: Pick<Settings, 'timerForLive'>): boolean {
  return domain.mode === 'test' || settings.timerForLive;
}

/**
 * Returns true for a test domain of the hosted service. Such a domain proves nothing about its hostname, so it has no route and sends no
 * mail (`docs/test-mode.md`).
 */
export function isHostedTest(
  domain: Pick<Domain, 'mode'>,
  settings: Pick<Settings, 'timerForLive'>,
): boolean {
  return domain.mode === 'test' && !settings.timerForLive;
}

/** Returns the outcome of a domain on the test timer. The first label of the hostname can force an outcome. */
export function timerOutcome(domain: Pick<Domain, 'hostname'>): TestOutcome {
  return testOutcome(domain.hostname);
}

/**
 * Returns the jobs that a domain needs in its current state.
 * @param effects the effects of the transition that led to this state. After a release, the next check is due immediately.
 */
export function scheduleOf(
  domain: Domain,
  settings: Pick<Settings, 'timerForLive' | 'challengeZone'>,
  now: Instant,
  effects: readonly Effect[] = [],
): DueJob[] {
  const jobs: DueJob[] = [];
  if (runsOnTimer(domain, settings)) {
    if (isAwaitingDns(domain.status)) {
      jobs.push({ kind: 'expire', due_at: windowEndsAt(domain) });
    }
    if (domain.status === 'active' && domain.certificate !== null) {
      jobs.push({ kind: 'renew', due_at: domain.certificate.renews_at });
    }
    const { preparedAfterMs } = timerOutcome(domain);
    if (preparedAfterMs !== undefined && domain.status === 'pending_dns' && domain.certificate === null) {
      jobs.push({ kind: 'prepare', due_at: domain.window_opened_at + preparedAfterMs });
    }
    const next = nextTimerStep(timerOutcome(domain), domain);
    if (next !== null && next.due_at !== null) {
      jobs.push({ kind: next.step.job ?? 'advance', due_at: next.due_at });
    }
  } else {
    const job = certificateJob(domain, now);
    if (job !== null) jobs.push(job);
    const { next } = scheduledChecks(domain, now);
    if (isAwaitingDns(domain.status) && settings.challengeZone !== null) {
      jobs.push({ kind: 'prepare', due_at: nextProofCheckAt(domain, now) });
    }
    if (next !== null) {
      jobs.push({ kind: 'check_dns', due_at: effects.includes('check_at_once') ? now : next });
    }
  }
  return jobs;
}

/** Returns the certificate job of a domain that is not on the timer (`docs/domains.md`). */
function certificateJob(domain: Domain, now: Instant): DueJob | null {
  switch (domain.status) {
    case 'issuing':
      return { kind: 'issue', due_at: now };
    case 'active': {
      // Each run of the job asks the authority for the renewal window, and looks up the record of `www`.
      const lookMs = domain.apex_redirect === 'www' ? HOUR_MS : renewalPollMs(null);
      return { kind: 'renew', due_at: Math.min(domain.certificate?.renews_at ?? now, now + lookMs) };
    }
    case 'cert_failed':
      return { kind: 'retry', due_at: domain.status_since + DAY_MS };
    default:
      return null;
  }
}

/** Returns the end of the 72 hours in which the record has to be confirmed. A hold postpones this end (`docs/domains.md`). */
export function windowEndsAt(domain: Pick<Domain, 'window_opened_at'>): Instant {
  return domain.window_opened_at + LIMITS.window_ms;
}

/**
 * Returns `last_checked_at` and `next_check_at` as the API shows them. A domain on the test timer needs no lookups, so these times are
 * computed. No checks have to run, even if the emulator's clock moves by a year.
 */
export function shownChecks(
  domain: Domain,
  settings: Pick<Settings, 'timerForLive'>,
  now: Instant,
): Pick<Domain, 'last_checked_at' | 'next_check_at'> {
  if (!runsOnTimer(domain, settings)) return domain;
  const { last, next } = scheduledChecks(domain, now);
  const step = nextTimerStep(timerOutcome(domain), domain)?.due_at ?? null;
  const coming = [next, next === null ? null : step].filter(
    (each) => each !== null && each > now,
  ) as Instant[];
  return {
    last_checked_at: Math.max(domain.last_checked_at ?? 0, last ?? 0) || null,
    next_check_at: coming.length === 0 ? null : Math.min(...coming),
  };
}
