import { afterAll, beforeAll, expect, test } from 'vitest';
import { createHostPages } from '../../shared/connect/serve-host.ts';
import { type ConnectUnderTest, connectUnderTest } from './connect-under-test.ts';

let underTest: ConnectUnderTest;
beforeAll(async () => {
  underTest = await connectUnderTest();
});
afterAll(() => underTest[Symbol.asyncDispose]());

/** Requests pages at the white-label hosts of apps, while real time stands still. */
function hostPages() {
  const { context } = underTest.composition;
  const still = { ...context, wallClock: { ...context.wallClock, now: () => 0 } };
  const pages = createHostPages(still, () => context.store);
  return async (appId: string, network: string, times = 1): Promise<number[]> => {
    const owner = { app_id: appId, hostname: `connect.${appId}.com` };
    const request = () => new Request(`https://${owner.hostname}/connect/unknown`);
    const responses = Array.from({ length: times }, () => pages(request(), owner, network));
    return (await Promise.all(responses)).map(({ status }) => status);
  };
}

test('a network that asks for too many pages is refused, and no other visitor is', async () => {
  const ask = hostPages();
  const flood = await ask('app_1', '192.0.2.1', 1000);
  expect(flood.filter((status) => status === 404)).toHaveLength(200);
  expect(flood.filter((status) => status === 429)).toHaveLength(800);
  expect(await ask('app_1', '192.0.2.2')).toEqual([404]);
  expect(await ask('app_2', '192.0.2.1')).toEqual([404]);
});

test('the visitors of an app from many networks are refused, and those of another app are not', async () => {
  const ask = hostPages();
  const flood = [];
  for (let at = 0; at < 10; at++) flood.push(...(await ask('app_1', `192.0.2.${at}`, 100)));
  expect(flood.filter((status) => status === 404)).toHaveLength(400);
  expect(await ask('app_2', '192.0.2.1')).toEqual([404]);
});
