import { afterAll, beforeAll, expect, test } from 'vitest';
import { createHostPages } from '../../shared/connect/serve-host.ts';
import type { AppId } from '../../shared/core/ids.ts';
import { addApp, createAccount } from '../../shared/operations/accounts/create-account.ts';
import { transact } from '../../shared/operations/context.ts';
import { type ConnectUnderTest, connectUnderTest } from './connect-under-test.ts';

let underTest: ConnectUnderTest;
beforeAll(async () => {
  underTest = await connectUnderTest();
});
afterAll(() => underTest[Symbol.asyncDispose]());

/** Serves connect pages at the white-label hosts of apps, while the wall clock stands still. */
function hostPages() {
  const { context } = underTest.composition;
  const still = { ...context, wallClock: { ...context.wallClock, now: () => 0 } };
  const pages = createHostPages(still, () => context.store);
  return async (appId: AppId, network: string, times = 1): Promise<number[]> => {
    const owner = { app_id: appId, hostname: `connect.${appId}.com` };
    const request = () => new Request(`https://${owner.hostname}/connect/unknown`);
    const responses = Array.from({ length: times }, () => pages(request(), owner, network));
    return (await Promise.all(responses)).map(({ status }) => status);
  };
}

async function openAccount(apps = 1): Promise<[AppId, ...AppId[]]> {
  const { context } = underTest.composition;
  const { account, app } = await createAccount(context, { name: 'Agency' });
  const more = [];
  for (let at = 1; at < apps; at++)
    more.push((await transact(context, (tx) => addApp(tx, account, { name: `App ${at}` }))).app.id);
  return [app.id, ...more];
}

test('the white-label host refuses a network that requests too many connect pages, but no other visitor', async () => {
  const ask = hostPages();
  const [app] = await openAccount();
  const [other] = await openAccount();
  const flood = await ask(app, '192.0.2.1', 1000);
  expect(flood.filter((status) => status === 404)).toHaveLength(200);
  expect(flood.filter((status) => status === 429)).toHaveLength(800);
  expect(await ask(app, '192.0.2.2')).toEqual([404]);
  expect(await ask(other, '192.0.2.1')).toEqual([404]);
});

test('the connect pages of all apps of an account share a limit, and other accounts have their own', async () => {
  const ask = hostPages();
  const apps = await openAccount(5);
  const [other] = await openAccount();
  const flood = [];
  for (const app of apps) {
    for (let at = 0; at < 2; at++) flood.push(...(await ask(app, `192.0.2.${at}`, 100)));
  }
  expect(flood.filter((status) => status === 404)).toHaveLength(400);
  expect(await ask(other, '192.0.2.1')).toEqual([404]);
});
