import { afterAll, beforeAll, describe } from 'vitest';
import { whyMissing } from '../fixtures/debian-package.ts';
import { describeUnlessMissing } from '../fixtures/describe-unless-missing.ts';
import { classificationTests } from './classified-setups.ts';
import { FRONT_PACKAGES } from './front-programs.ts';
import { FRONTS, PROGRAMS, SETUPS } from './fronts.ts';
import { type ProxyWorld, startProxyWorld } from './proxy-world.ts';

/** One setup for each kind of server, with another program for each in turn. The soak test runs all programs for each kind. */
const SAMPLE = SETUPS.filter(({ front, program }) => {
  const programs = front.programs ?? PROGRAMS;
  return programs[FRONTS.indexOf(front) % programs.length] === program;
});

describeUnlessMissing(whyMissing(FRONT_PACKAGES), 'A server in front of our edge', () => {
  let world: ProxyWorld | undefined;
  beforeAll(async () => {
    world = await startProxyWorld(SAMPLE);
  });
  afterAll(() => world?.[Symbol.asyncDispose]());
  const running = () => world as ProxyWorld;

  describe('as the only server', () => classificationTests(SAMPLE, running));
});
