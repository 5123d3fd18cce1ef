import { testCertificate } from '../../shared/core/certificates/certificate.ts';
import type { Domain } from '../../shared/core/domains/domain.ts';
import { windowEndsAt } from '../../shared/core/domains/schedule.ts';
import type { Status } from '../../shared/core/domains/status.ts';
import {
  DEFAULT_OUTCOME,
  FORCED_OUTCOMES,
  nextTimerStep,
  type TestOutcome,
} from '../../shared/core/domains/test-mode.ts';
import { type Trigger, transition } from '../../shared/core/domains/transition.ts';
import { ERRORS, type ErrorCode } from '../../shared/core/errors.ts';
import type { AppId, DomainId } from '../../shared/core/ids.ts';
import type { EventType } from '../../shared/core/webhooks/event.ts';

/** The outcome that a test hostname forces, as a fixture for your own tests. */
export interface ExpectedOutcome {
  /** First label of the test hostname; empty for the outcome of an ordinary hostname. */
  label: string;
  /** An example hostname with this label. */
  hostname: string;
  summary: string;
  /** The error with which the API refuses to create the domain; null if it creates the domain. */
  refusedWith: { code: ErrorCode; status: number } | null;
  /** The steps that the domain goes through by itself, without renewals. */
  course: CourseStep[];
}

export interface CourseStep {
  /** Milliseconds since the domain was created. */
  afterMs: number;
  status: Status;
  status_reason: string | null;
  /** The event that this step sends; null if the step sends no event. */
  event: EventType | null;
}

/** Derives the outcomes from the table that the service itself uses. */
export function testOutcomes(): ExpectedOutcome[] {
  return [DEFAULT_OUTCOME, ...FORCED_OUTCOMES].map((outcome) => {
    const { label, summary, refusedWith: code } = outcome;
    return {
      label,
      hostname: `${label === '' ? 'careers' : label}.acme.com`,
      summary,
      refusedWith: code === undefined ? null : { code, status: ERRORS[code].status },
      course: code === undefined ? courseOf(outcome) : [],
    };
  });
}

function courseOf(outcome: TestOutcome): CourseStep[] {
  const course: CourseStep[] = [];
  let domain: Domain = { ...NEW, status_reason: outcome.reason ?? null };
  course.push(stepOf(domain, 'domain.created'));
  for (let due = nextDue(outcome, domain); due !== null; due = nextDue(outcome, domain)) {
    const certificate = testCertificate('', due.at);
    const after = transition(domain, { certificate, ...due.trigger }, due.at);
    if (after === null) throw new TypeError(`${outcome.label}: ${due.trigger.name} is not possible`);
    domain = after.domain;
    course.push(stepOf(domain, after.emits));
  }
  return course;
}

function stepOf({ status_since, status, status_reason }: Domain, event: EventType | null): CourseStep {
  return { afterMs: status_since, status, status_reason, event };
}

function nextDue(outcome: TestOutcome, domain: Domain): { at: number; trigger: Trigger } | null {
  const next = nextTimerStep(outcome, domain);
  if (next !== null && next.due_at !== null) {
    const { trigger: name, reason } = next.step;
    return { at: next.due_at, trigger: reason === undefined ? { name } : { name, reason } };
  }
  return domain.status === 'pending_dns'
    ? { at: windowEndsAt(domain), trigger: { name: 'window_passed' } }
    : null;
}

/** A new domain with arbitrary values, except for the fields that the state machine reads. */
const NEW: Domain = {
  id: 'dom_' as DomainId,
  app_id: 'app_' as AppId,
  mode: 'test',
  hostname: '',
  is_apex: false,
  status: 'pending_dns',
  status_since: 0,
  status_before_hold: null,
  reason_before_hold: null,
  status_reason: null,
  status_detail: null,
  origin: null,
  apex_redirect: 'none',
  connect_token: '',
  retired_at: null,
  routed_through: null,
  txt_value: '',
  certificate: null,
  metadata: null,
  origin_headers: null,
  created_at: 0,
  updated_at: 0,
  window_opened_at: 0,
  last_checked_at: null,
  next_check_at: null,
  event_seq: 0,
  last_event_at: null,
};
