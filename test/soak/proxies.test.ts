import { afterAll, beforeAll, expect, test } from 'vitest';
import { whyMissing } from '../fixtures/debian-package.ts';
import { describeUnlessMissing } from '../fixtures/describe-unless-missing.ts';
import { classificationTests } from '../proxies/classified-setups.ts';
import { FRONT_PACKAGES } from '../proxies/front-programs.ts';
import { SETUPS } from '../proxies/fronts.ts';
import { type Http2Outcome, http2AttackTests, outcomeLines } from '../proxies/http2-attacks.ts';
import { type ProxyWorld, startProxyWorld } from '../proxies/proxy-world.ts';

describeUnlessMissing(whyMissing(FRONT_PACKAGES), 'Every server in front of our edge', () => {
  let world: ProxyWorld | undefined;
  beforeAll(async () => {
    world = await startProxyWorld(SETUPS);
  });
  afterAll(() => world?.[Symbol.asyncDispose]());
  const outcomes: Http2Outcome[] = [];

  test('is tested in at least 200 setups', () => {
    expect(SETUPS.length).toBeGreaterThanOrEqual(200);
  });
  classificationTests(SETUPS, () => world as ProxyWorld);
  http2AttackTests(
    () => world as ProxyWorld,
    (outcome) => outcomes.push(outcome),
  );
  test('has an outcome for each hostile request over HTTP/2', () => {
    console.log(outcomeLines(outcomes));
    expect(outcomes.length).toBeGreaterThan(0);
  });
});
