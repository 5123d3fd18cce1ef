import { DAY_MS, type Instant } from '../instant.ts';

/** How many days before the end of a trial its owners get a mail. */
const TRIAL_NOTICE_DAYS = [3, 1, 0] as const;

/** A notice that would be sent later than this is left out. */
const LATE_MS_MAX = 7 * DAY_MS;

export interface TrialNotices {
  /** Number of days in the notice that is due now. Null if none is due. */
  due: number | null;
  /** When the next notice is due. Null if there is none. */
  next: Instant | null;
}

/**
 * Returns which notice about a trial's end is due, and when the next one is. If several are due because the worker was down, only the
 * latest is sent.
 * @param sent the days of the notice that was last sent for this trial, or null.
 */
export function trialNotices(endsAt: Instant, sent: number | null, now: Instant): TrialNotices {
  const left = TRIAL_NOTICE_DAYS.filter((days) => sent === null || days < sent);
  const due = left.findLast((days) => endsAt - days * DAY_MS <= now);
  const next = left.find((days) => endsAt - days * DAY_MS > now);
  return {
    due: due === undefined || now - (endsAt - due * DAY_MS) > LATE_MS_MAX ? null : due,
    next: next === undefined ? null : endsAt - next * DAY_MS,
  };
}
