import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { type ServiceNode, startNode } from '../../../service/node.ts';
import { PROVIDER_PATH } from '../../../shared/dashboard/provider-page.ts';
import { launchChromium } from '../../connect/chromium.ts';
import { createTestBrowser } from '../../dashboard/dashboard-under-test.ts';
import { startIssuer } from '../../dashboard/openid-issuer.ts';
import { atIssuer, begin } from '../../dashboard/provider-visitor.ts';
import { openAuthenticator } from '../../dashboard/virtual-authenticator.ts';
import { migratedDatabase } from '../database/migrated-database.ts';
import { testConfig } from '../settings/test-config.ts';

const QUIET = { info: () => undefined, warn: () => undefined, error: console.error };

/** Starts two nodes of one deployment, configured by environment variables. The first node listens at the base URL. */
async function twoNodes() {
  const database = await migratedDatabase();
  const issuer = await startIssuer();
  const port = await freePort();
  const baseUrl = `http://localhost:${port}`;
  issuer.register(`${baseUrl}${PROVIDER_PATH}/callback`);
  const { settings } = issuer;
  const config = testConfig(database.url, {
    NAMEPLATE_ROLES: 'api',
    NAMEPLATE_BASE_URL: baseUrl,
    NAMEPLATE_SIGN_UP: 'open',
    NAMEPLATE_OIDC_ISSUER: settings.issuer,
    NAMEPLATE_OIDC_CLIENT_ID: settings.clientId,
    NAMEPLATE_OIDC_CLIENT_SECRET: settings.clientSecret,
    NAMEPLATE_OIDC_DOMAINS: settings.mailDomains.join(','),
    NAMEPLATE_OIDC_NAME: settings.name,
  });
  const one = await startNode({ ...config, api: { host: '127.0.0.1', port } }, QUIET);
  const two = await startNode(config, QUIET);
  onTestFinished(async () => {
    await Promise.all([one.stop(), two.stop()]);
    await issuer[Symbol.asyncDispose]();
    await database[Symbol.asyncDispose]();
  });
  const urlOf = (node: ServiceNode) => `http://127.0.0.1:${node.addresses.api?.port}`;
  const urls = [urlOf(one), urlOf(two)];
  let count = 0;
  return {
    baseUrl,
    /** Creates a browser whose requests go to the two nodes in turn, to the first node first. */
    browser() {
      count = 0;
      return createTestBrowser(baseUrl, async () => urls[count++ % 2] ?? '');
    },
  };
}

test('a sign-in that begins at one node can end at another, with an identity provider and with a passkey', async (t) => {
  const chromium = await launchChromium();
  if (chromium === null) return t.skip();
  onTestFinished(() => chromium.close());
  const { baseUrl, browser } = await twoNodes();
  const ada = browser();
  expect((await ada.open(await atIssuer(await begin(ada)))).status).toBe(303);
  const session = (await ada.send('GET /session')).body;
  expect([session.mail, session.sign_in]).toEqual([
    'ada@example.com',
    { link: false, mails: false, passkey: true, oidc: { name: 'Acme ID' }, sign_up: 'open' },
  ]);
  await ada.send('GET /session');
  await using authenticator = await openAuthenticator(chromium, `${baseUrl}/dashboard`);
  const creation = (await ada.send('POST /passkeys/options', {})).body;
  const added = await ada.send('POST /passkeys', {
    name: 'Laptop',
    response: await authenticator.create(creation),
  });
  expect(added.status).toBe(201);
  const phone = browser();
  const response = await authenticator.sign((await phone.send('POST /sign-in/passkeys/options', {})).body);
  // Sends the same passkey response to both nodes at the same time.
  const answers = await Promise.all([1, 2].map(() => phone.send('POST /sign-in/passkeys', { response })));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 403]);
  expect((await phone.send('GET /session')).body.mail).toBe('ada@example.com');
  const [passkey] = (await phone.send('GET /passkeys')).body.data;
  expect((await phone.send(`DELETE /passkeys/${passkey.id}`)).status).toBe(204);
});

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
