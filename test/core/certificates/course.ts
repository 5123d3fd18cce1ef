import { isValid, testCertificate } from '../../../shared/core/certificates/certificate.ts';
import { scheduledChecks } from '../../../shared/core/domains/cadence.ts';
import type { Domain } from '../../../shared/core/domains/domain.ts';
import type { DueJob } from '../../../shared/core/domains/job.ts';
import { scheduleOf, timerOutcome, windowEndsAt } from '../../../shared/core/domains/schedule.ts';
import { nextTimerStep } from '../../../shared/core/domains/test-mode.ts';
import { type Trigger, transition } from '../../../shared/core/domains/transition.ts';
import type { Instant } from '../../../shared/core/instant.ts';
import { sampleDomain, T0 } from '../domains/sample-domain.ts';

export const HOSTED = { timerForLive: false, challengeZone: null };

/** A domain with its jobs, and a clock that jumps to the next due job. Every DNS check finds the record missing. */
export class Course {
  domain: Domain;
  now: Instant = T0;
  /** Each status since creation, as `<status> <seconds since T0>`. */
  readonly statuses: string[] = ['pending_dns 0'];
  readonly events: string[] = [];
  /** The jobs that ran, in order. */
  readonly ran: DueJob[] = [];
  private jobs: DueJob[];
  private readonly late_ms: number;

  constructor(fields: Partial<Domain> = {}, lateMs = 0) {
    this.domain = sampleDomain(fields);
    this.jobs = scheduleOf(this.domain, HOSTED, T0);
    this.late_ms = lateMs;
  }

  /** Runs all jobs that are due by `target`, in the order in which the runner would. */
  until(target: Instant): this {
    for (let i = 0; i < 10_000; i++) {
      const [job] = this.jobs.toSorted((a, b) => a.due_at - b.due_at || (a.kind < b.kind ? -1 : 1));
      if (job === undefined || job.due_at > target) break;
      this.now = Math.max(this.now, job.due_at + this.late_ms);
      this.jobs = this.jobs.filter((each) => each !== job);
      this.run(job);
    }
    this.now = Math.max(this.now, target);
    return this;
  }

  apply(trigger: Trigger): this {
    const outcome = transition(this.domain, trigger, this.now);
    if (outcome === null) throw new Error(`${trigger.name} is not possible in ${this.domain.status}`);
    this.domain = outcome.domain;
    this.jobs = scheduleOf(outcome.domain, HOSTED, this.now, outcome.effects);
    this.statuses.push(`${outcome.domain.status} ${(this.now - T0) / 1000}`);
    if (outcome.emits !== null) this.events.push(outcome.emits);
    return this;
  }

  get owed(): DueJob[] {
    return this.jobs;
  }

  private run(job: DueJob): void {
    this.ran.push(job);
    const certificate = testCertificate('Service Test CA', this.now);
    if (job.kind === 'expire') this.apply({ name: 'window_passed' });
    else if (job.kind === 'renew') {
      const valid = isValid(this.domain.certificate, this.now);
      this.apply(valid ? { name: 'certificate_renewed', certificate } : { name: 'certificate_lapsed' });
    } else if (job.kind === 'check_dns') {
      const { next } = scheduledChecks(this.domain, this.now);
      const awaits = this.domain.status === 'pending_dns' || this.domain.status === 'verifying';
      if (awaits && this.now >= windowEndsAt(this.domain)) this.apply({ name: 'window_passed' });
      else if (next !== null) this.jobs.push({ kind: 'check_dns', due_at: next });
    } else {
      const step = nextTimerStep(timerOutcome(this.domain), this.domain)?.step;
      if (step === undefined) throw new Error(`${job.kind} came due with nothing to do`);
      const { trigger: name, reason } = step;
      this.apply(reason === undefined ? { name, certificate } : { name, certificate, reason });
    }
  }
}
