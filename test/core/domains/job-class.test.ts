import { expect, test } from 'vitest';
import { CLASS_OF, JOB_CLASSES, JOB_KINDS, retryAfterMs } from '../../../shared/core/domains/job.ts';

test('every class of jobs has at least one kind of job', () => {
  expect(new Set(JOB_KINDS.map((kind) => CLASS_OF[kind]))).toEqual(new Set(Object.keys(JOB_CLASSES)));
});

test.each(Object.entries(JOB_CLASSES))('no app can use all slots of the job class %s', (_, limits) => {
  expect(limits.inFlightPerAccountMax).toBeLessThanOrEqual(limits.inFlightMax / 2);
});

test('sign-in links have a job class without other mails, so that invitations cannot delay them', () => {
  expect(JOB_KINDS.filter((kind) => CLASS_OF[kind] === CLASS_OF.send_link)).toEqual(['send_link']);
});

test('a job that fails for a year is still retried', () => {
  expect(retryAfterMs('send_mail', 100_000)).toBe(JOB_CLASSES.mail.retryMsMax);
});
