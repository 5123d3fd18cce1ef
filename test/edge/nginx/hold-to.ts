import { beforeEach } from 'vitest';
import { whyMissing } from '../../fixtures/debian-package.ts';
import { describeUnlessMissing } from '../../fixtures/describe-unless-missing.ts';
import { runOn } from '../edge-under-test.ts';
import { DIFFERENCES } from './differences.ts';
import { NGINX_ENGINE, NGINX_PACKAGES } from './nginx-engine.ts';

/** Runs a suite of the built-in engine on nginx. Skips the tests of `DIFFERENCES`. */
export async function holdTo(suite: () => Promise<unknown>): Promise<void> {
  const missing = whyMissing(NGINX_PACKAGES);
  if (missing !== null) {
    describeUnlessMissing(missing, 'the edge on nginx', () => undefined);
    return;
  }
  runOn(NGINX_ENGINE);
  beforeEach(({ task, skip }) => {
    const difference = DIFFERENCES.find(({ titles }) => titles.some((title) => task.name === title));
    if (difference !== undefined) skip(difference.reason);
  });
  await suite();
}
