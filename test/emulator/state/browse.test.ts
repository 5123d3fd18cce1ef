import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type {
  DomainListing,
  InspectedApp,
  InspectedDomain,
  InspectedEvent,
  Listing,
} from '../../../emulator/lab/responses.ts';
import { signWebhook } from '../../../shared/core/webhooks/signature.ts';
import { type EmulatorUnderTest, emulatorUnderTest } from '../running/emulator-under-test.ts';

/** Tests the calls of the control API that list the resources of all apps, page by page. */
let underTest: EmulatorUnderTest;
let agencyKey: string;
const received: { path: string | undefined; body: string }[] = [];
const receiver = createServer(async (req, res) => {
  let body = '';
  for await (const chunk of req) body += chunk;
  received.push({ path: req.url, body });
  res.end();
});

beforeAll(async () => {
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const webhook = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/webhooks`;
  underTest = await emulatorUnderTest({ webhook });
  const { api, control, emulator } = underTest;
  agencyKey = (await control('POST /apps', { name: 'Agency' })).body.live_key;
  await api('POST /domains', { hostname: 'one.acme.com' });
  await api('POST /domains', { hostname: 'two.acme.com' }, emulator.keys.live);
  await api('POST /domains', { hostname: 'three.agency.com' }, agencyKey);
  await emulator.clock.untilIdle();
  await api('POST /domains', { hostname: 'caa-forbids.acme.com' });
  await emulator.clock.untilIdle();
});

afterAll(async () => {
  await underTest[Symbol.asyncDispose]();
  receiver.closeAllConnections();
  receiver.close();
});

async function read<T>(path: string): Promise<T> {
  const { status, body } = await underTest.control(`GET ${path}`);
  expect(status).toBe(200);
  return body as unknown as T;
}

const hostnames = async (query: string) =>
  (await read<DomainListing>(`/domains${query}`)).data.map(({ hostname }) => hostname);

describe('GET /domains of the emulator lists domains for a person to browse', () => {
  test('lists the domains of all apps and both modes, newest first', async () => {
    const { total, by_status, data } = await read<DomainListing>('/domains');
    expect(total).toBe(4);
    expect(data[0]?.hostname).toBe('caa-forbids.acme.com');
    expect(by_status).toEqual({ active: 3, cert_failed: 1 });
    expect(new Set(data.map(({ app_id }) => app_id)).size).toBe(2);
  });

  test('returns a page by offset, with the total number', async () => {
    const all = await hostnames('');
    expect(await hostnames('?offset=1&limit=2')).toEqual(all.slice(1, 3));
    expect((await read<DomainListing>('/domains?offset=1&limit=2')).total).toBe(4);
    expect(await hostnames('?offset=9')).toEqual([]);
  });

  test('filters by part of the hostname, id, status, mode and app', async () => {
    expect((await hostnames('?search=ACME.com')).length).toBe(3);
    const { data } = await read<DomainListing>('/domains?search=three');
    expect(await hostnames(`?search=${data[0]?.id}`)).toEqual(['three.agency.com']);
    expect(await hostnames(`?app_id=${data[0]?.app_id}`)).toEqual(['three.agency.com']);
    expect(await hostnames('?status=cert_failed')).toEqual(['caa-forbids.acme.com']);
    expect((await hostnames('?mode=live')).sort()).toEqual(['three.agency.com', 'two.acme.com']);
    expect(await hostnames('?search=%25')).toEqual([]);
  });

  test.each([
    '?limit=0',
    '?limit=501',
    '?offset=-1',
    '?offset=x',
    '?status=gone',
    '?nothing=1',
    '?limit=1&limit=2',
  ])('the query %s gets 422', async (query) => {
    expect((await underTest.control(`GET /domains${query}`)).status).toBe(422);
  });
});

test('the emulator shows the possible triggers, findings and due jobs of a domain, even after its deletion', async () => {
  const [failed] = (await read<DomainListing>('/domains?search=caa-forbids')).data;
  const inspected = await read<InspectedDomain>(`/domains/${failed?.id}`);
  expect(inspected.domain.status).toBe('cert_failed');
  expect(inspected.possible).toContain('retry_issuance');
  expect(inspected.findings.map(({ code }) => code)).toEqual(['caa_forbids']);
  const [live] = (await read<DomainListing>('/domains?search=one.acme.com')).data;
  const { jobs } = await read<InspectedDomain>(`/domains/${live?.id}`);
  expect(jobs).toEqual([{ kind: 'renew', due_at: expect.stringMatching(/^\d{4}-/) }]);
  const { body } = await underTest.api('POST /domains', { hostname: 'short.acme.com' });
  await underTest.api(`DELETE /domains/${body.id}`);
  const deleted = await read<InspectedDomain>(`/domains/${body.id}`);
  expect(deleted).toMatchObject({ domain: { status: 'deleted' }, possible: [] });
  expect(await hostnames('?status=deleted')).toEqual(['short.acme.com']);
  expect((await underTest.control('GET /domains/dom_nothing')).status).toBe(404);
});

describe('the emulator shows the events of all apps', () => {
  test('the list of events can be filtered by type, delivery, domain and text', async () => {
    const list = (query: string) => read<Listing<InspectedEvent>>(`/events${query}`);
    expect(
      (await list('?search=three.agency')).data.every(({ delivery }) => delivery.status === 'none'),
    ).toBe(true);
    expect((await list('?type=domain.cert_failed')).data.map(({ hostname }) => hostname)).toEqual([
      'caa-forbids.acme.com',
    ]);
    const [one] = (await list('?search=one.acme.com')).data;
    expect((await list(`?domain_id=${one?.domain_id}`)).total).toBe(3);
    expect((await list('?delivery=delivered&limit=1')).data.length).toBe(1);
    expect((await list('?limit=2')).data[0]).not.toHaveProperty('body');
  });

  test('an event of any app can be redelivered without a key', async () => {
    const [event] = (await read<Listing<InspectedEvent>>('/events?search=one.acme.com&type=domain.active'))
      .data;
    const before = received.length;
    const { status, body } = await underTest.control(`POST /events/${event?.id}/redeliver`, {});
    expect({ status, code: body['status_code'] }).toEqual({ status: 200, code: 200 });
    expect(received.length).toBe(before + 1);
    const { body: sent } = await read<InspectedEvent>(`/events/${event?.id}`);
    expect(received.at(-1)).toEqual({ path: '/webhooks', body: sent });
    const [unsent] = (await read<Listing<InspectedEvent>>('/events?search=three.agency')).data;
    expect((await underTest.control(`POST /events/${unsent?.id}/redeliver`, {})).status).toBe(422);
    expect((await underTest.control('POST /events/evt_nothing/redeliver', {})).status).toBe(404);
  });

  test('the emulator says whether a receiver would accept a signature of the event', async () => {
    const [event] = (await read<Listing<InspectedEvent>>('/events?search=one.acme.com')).data;
    const { body } = await read<InspectedEvent>(`/events/${event?.id}`);
    const check = async (header?: string) =>
      (await underTest.control(`POST /events/${event?.id}/signature`, header === undefined ? {} : { header }))
        .body;
    expect(await check()).toMatchObject({ header: 'Service-Signature', accepted: true });
    const sign = (secret: string, timestampS: number) =>
      signWebhook({ secrets: [secret], timestampS, body: body ?? '' });
    const nowS = Math.floor(Date.now() / 1000);
    const { webhookSecret } = underTest.emulator;
    expect(await check(sign(webhookSecret, nowS))).toMatchObject({ accepted: true });
    expect(await check(sign(webhookSecret, nowS - 3600))).toMatchObject({ accepted: false });
    expect(await check(sign('whsec_other', nowS))).toMatchObject({ accepted: false });
    expect(await check('nonsense')).toMatchObject({ accepted: false, value: 'nonsense' });
  });
});

test('GET /apps lists each app with its account, its secrets and its keys, and shows only the default keys in full', async () => {
  const { data } = await read<{ data: InspectedApp[] }>('/apps');
  expect(data.map(({ app, is_default }) => [app.name, is_default])).toEqual([
    ['Emulator', true],
    ['Agency', false],
  ]);
  const [own, agency] = data;
  expect(own?.keys.map(({ key }) => key).sort()).toEqual(Object.values(underTest.emulator.keys).sort());
  expect(own?.signing_secrets).toEqual([underTest.emulator.webhookSecret]);
  expect(agency).toMatchObject({ account: { plan: 'scale' }, domains: { live: 1, test: 0 } });
  expect(JSON.stringify(agency)).not.toContain(agencyKey);
});

test('the emulator lists forced errors, and clears them', async () => {
  const { control, api } = underTest;
  await control('PUT /errors', { code: 'internal_error', times: 2 });
  expect((await control('GET /errors')).body.data).toEqual([{ code: 'internal_error', times: 2 }]);
  expect((await control('DELETE /errors')).status).toBe(204);
  expect((await api('GET /domains')).status).toBe(200);
});

test('the emulator replays an edge request unchanged, and lists the replay too', async () => {
  const { control, emulator } = underTest;
  await new Promise((resolve, reject) => {
    request(emulator.edgeUrl, { path: '/jobs?q=1', headers: { host: 'one.acme.com', 'x-mine': 'yes' } })
      .on('response', (response) => response.resume().on('end', resolve))
      .on('error', reject)
      .end();
  });
  const [seen] = emulator.requests();
  const { status, body } = await control(`POST /requests/${seen?.request_id}/replay`, {});
  expect({ status, answer: body.status }).toEqual({ status: 200, answer: 200 });
  const echo = JSON.parse(String(body['body']));
  expect(echo).toMatchObject({
    method: 'GET',
    host: 'one.acme.com',
    path: '/jobs?q=1',
    signature: { verified: true },
  });
  expect(echo.headers).toContainEqual(['x-mine', 'yes']);
  expect(emulator.requests().length).toBe(2);
  expect((await control('POST /requests/req_nothing/replay', {})).status).toBe(404);
});
