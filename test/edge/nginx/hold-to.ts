import { beforeEach, vi } from 'vitest';
import { whyMissing } from '../../fixtures/debian-package.ts';
import { describeUnlessMissing } from '../../fixtures/describe-unless-missing.ts';
import { runOn } from '../edge-under-test.ts';
import { DIFFERENCES } from './differences.ts';
import { NGINX_ENGINE, NGINX_PACKAGES } from './nginx-engine.ts';

/** Runs the tests of the built-in engine on nginx, except the tests in `DIFFERENCES`. */
export async function holdTo(suite: () => Promise<unknown>): Promise<void> {
  await onNginx((title) => reasonOf(title) === undefined, suite);
}

/**
 * Runs only the tests in `DIFFERENCES`, and expects that each fails. Many fail by a timeout, because they wait for something that never
 * happens.
 */
export async function expectDifferences(suite: () => Promise<unknown>): Promise<void> {
  vi.setConfig({ testTimeout: 10_000 });
  // A failed test may leave requests behind. Their errors are not caught, so they are ignored here.
  for (const event of ['uncaughtException', 'unhandledRejection'])
    process.removeAllListeners(event).on(event, () => undefined);
  await onNginx((title) => reasonOf(title) !== undefined, suite);
  beforeEach(({ task }) => {
    Object.assign(task, { fails: true });
  });
}

async function onNginx(runs: (title: string) => boolean, suite: () => Promise<unknown>): Promise<void> {
  const missing = whyMissing(NGINX_PACKAGES);
  if (missing !== null) {
    describeUnlessMissing(missing, 'the edge on nginx', () => undefined);
    return;
  }
  runOn(NGINX_ENGINE);
  beforeEach(({ task, skip }) => {
    if (!runs(task.name)) skip(reasonOf(task.name));
  });
  await suite();
}

function reasonOf(title: string): string | undefined {
  return DIFFERENCES.find(({ titles }) => titles.includes(title))?.reason;
}
