import { expect, test } from 'vitest';
import { SUBDOMAIN, smallInternet } from './small-internet.ts';

test.each(['first', 'again'] as const)(
  'a scheduled check (%s) of silent servers ends at its deadline, although a question may take longer',
  async (depth) => {
    await using net = await smallInternet();
    for (const server of [net.acme, net.acmeSecond]) server.fault = () => ({ drop: true });
    const dns = net.look({ timeoutMs: 60_000, scheduledMsMax: 500 });
    const survey = await dns.survey(SUBDOMAIN, depth);
    expect(survey.authorities.map(({ a }) => a.failure)).toEqual(['timeout', 'timeout']);
  },
);

test('a diagnosis may take longer than a scheduled check', async () => {
  await using net = await smallInternet();
  const dns = net.look({ scheduledMsMax: 0 });
  expect((await dns.survey(SUBDOMAIN, 'all')).delegation?.zone).toBe('acme.test');
});
