import { afterAll, beforeAll, expect, test } from 'vitest';
import { type EmulatorUnderTest, emulatorUnderTest } from '../emulator/running/emulator-under-test.ts';
import { startReceiver, type WebhookReceiver } from '../fixtures/webhook-receiver.ts';
import { type GeneratedClient, makeClient } from '../schema/generated-client.ts';

/** Tests a client for the emulator that a public generator made from the emulator's OpenAPI document. */
let underTest: EmulatorUnderTest;
let receiver: WebhookReceiver;
let client: GeneratedClient;

beforeAll(async () => {
  receiver = await startReceiver();
  underTest = await emulatorUnderTest();
  const { url, keys } = underTest.emulator;
  const document = (await (await fetch(`${url}/v1/openapi.json`)).json()) as object;
  client = await makeClient(document, { base_url: url, api_key: keys.live });
});
afterAll(async () => {
  await client.close();
  await underTest[Symbol.asyncDispose]();
  await receiver[Symbol.asyncDispose]();
});

async function call(id: string, ...args: unknown[]) {
  const operation = client.operations[id];
  if (operation === undefined) throw new Error(`the client has no ${id}`);
  const { status, data } = await operation(...args);
  return { status, data: data as Record<string, never> };
}

test('the generated client supports every operation of the document, from the app to a redelivery', async () => {
  const app = await call('updateApp', { name: 'Acme', webhook_url: receiver.url });
  expect(app).toMatchObject({ status: 200, data: { name: 'Acme', webhook_url: receiver.url } });
  expect((await call('getApp')).data).toMatchObject({ name: 'Acme' });

  const key = await call('createKey', { name: 'ci', mode: 'test' });
  expect(key).toMatchObject({ status: 201, data: { key: expect.stringMatching(/^sk_test_/) } });
  expect((await call('listKeys', { limit: 100 })).data).toMatchObject({ next_cursor: null });
  expect((await call('revokeKey', key.data['id'])).status).toBe(204);
  expect((await call('rotateSigningSecret')).data).toMatchObject({
    signing_secret: expect.stringMatching(/^whsec_/),
  });

  const created = await call('createDomain', {
    hostname: 'careers.acme.com',
    metadata: { team: 'jobs' },
    origin_headers: { 'X-Team': 'jobs' },
  });
  expect(created).toMatchObject({ status: 201, data: { status: 'pending_dns' } });
  const id = created.data['id'];
  expect((await call('verifyDomain', id)).status).toBe(202);
  await underTest.control('POST /clock/advance', { until: 'idle' });
  expect((await call('getDomain', id)).data).toMatchObject({ status: 'active' });
  expect((await call('listDomains', { status: 'active', hostname: 'careers' })).data).toMatchObject({
    data: [{ id }],
  });
  expect((await call('updateDomain', id, { metadata: null })).data).toMatchObject({ metadata: null });

  const { data: events } = (await call('listEvents', { domain_id: id })).data as unknown as {
    data: { id: string }[];
  };
  expect(events).toHaveLength(3);
  const [newest] = events;
  expect((await call('getEvent', newest?.id)).data).toMatchObject({ deliveries: [{ attempt: 1 }] });
  expect(await call('redeliverEvent', newest?.id)).toMatchObject({
    status: 201,
    data: { status_code: 200, attempt: 2 },
  });
  expect((await call('deleteDomain', id)).status).toBe(204);
  await underTest.control('POST /clock/advance', { until: 'idle' });
  expect(receiver.arrivals.map(({ type }) => type)).toEqual([
    'domain.created',
    'domain.verified',
    'domain.active',
    'domain.active',
    'domain.deleted',
  ]);
});

test('the generated client throws an API error with its envelope', async () => {
  await expect(call('getDomain', 'dom_nothing')).rejects.toMatchObject({
    status: 404,
    error: { error: { code: 'not_found', docs: `${underTest.emulator.url}/docs/errors/not_found` } },
  });
});
