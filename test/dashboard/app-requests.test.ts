import { expect, test } from 'vitest';
import { verifyWebhook } from '../../shared/client/webhooks.ts';
import { DAY_MS } from '../../shared/core/instant.ts';
import { insertAudit } from '../../shared/store/accounts/audit-log.ts';
import { autocommit } from '../../shared/store/store.ts';
import { startReceiver } from '../fixtures/webhook-receiver.ts';
import { dashboardUnderTest } from './dashboard-under-test.ts';

test('the dashboard runs the routes of the API in the mode that its path names', async () => {
  await using dashboard = await dashboardUnderTest();
  const developer = await dashboard.signedIn('developer');
  const base = `/apps/${dashboard.account.app.id}`;
  const created = await developer.send(`POST ${base}/test/domains`, {
    hostname: 'careers.acme.com',
    metdata: 1,
  });
  expect(created.status).toBe(201);
  expect(created.body).toMatchObject({ hostname: 'careers.acme.com', mode: 'test' });
  expect(created.headers.get('x-ignored-parameters')).toBe('metdata');
  const { id } = created.body;
  expect((await developer.send(`GET ${base}/test/domains?status=pending_dns`)).body.data).toMatchObject([
    { id },
  ]);
  expect((await developer.send(`GET ${base}/live/domains`)).body.data).toEqual([]);
  expect((await developer.send(`GET ${base}/live/domains/${id}`)).status).toBe(404);
  const changed = await developer.send(`PATCH ${base}/test/domains/${id}`, { metadata: { team: 'a' } });
  expect(changed.body.metadata).toEqual({ team: 'a' });
  expect((await developer.send(`DELETE ${base}/test/domains/${id}`)).status).toBe(204);
  for (const call of [`GET ${base}/test/nothing`, `GET ${base}/other/domains`, `PUT ${base}/test/domains`]) {
    expect((await developer.send(call)).status, call).toBe(404);
  }
});

test('the audit log has each change in the dashboard with its actor, but no refused change', async () => {
  await using dashboard = await dashboardUnderTest();
  const owner = await dashboard.signedIn('owner');
  const { account, app } = dashboard.account;
  const base = `/apps/${app.id}/test`;
  const before = (await dashboard.audit()).length;
  const { id } = (await owner.send(`POST ${base}/domains`, { hostname: 'careers.acme.com' })).body;
  await owner.send(`POST ${base}/domains`, { hostname: 'not a name' });
  await owner.send(`PATCH ${base}/domains/${id}`, { origin_headers: { 'X-Token': 's3cret' } });
  expect((await owner.send(`POST ${base}/domains/${id}/verify`)).status).toBe(422);
  await owner.send(`PATCH /apps/${app.id}/live/apps/current`, { name: 'Shop' });
  const key = (await owner.send(`POST /apps/${app.id}/live/keys`, { name: 'CI', mode: 'live' })).body;
  await owner.send(`DELETE /apps/${app.id}/live/keys/${key.id}`);
  await owner.send(`POST /apps/${app.id}/live/apps/current/signing-secret/rotate`);
  await owner.send(`POST /apps/${app.id}/signing-secret/reveal`);
  await owner.send(`DELETE ${base}/domains/${id}`);
  const entries = (await dashboard.audit()).slice(0, -before).reverse();
  expect(entries.map(({ actor, action }) => `${actor} ${action}`)).toEqual(
    [
      'domain.create',
      'domain.update',
      'app.update',
      'key.create',
      'key.revoke',
      'signing_secret.rotate',
      'signing_secret.reveal',
      'domain.delete',
    ].map((action) => `owner@example.com ${action}`),
  );
  expect(JSON.stringify(entries)).not.toMatch(/s3cret|sk_live_|whsec_/);
  const shown = await owner.send(`GET /accounts/${account.id}/audit?limit=3`);
  expect(shown.body.data.map((each: { action: string }) => each.action)).toEqual([
    'domain.delete',
    'signing_secret.reveal',
    'signing_secret.rotate',
  ]);
  const next = await owner.send(`GET /accounts/${account.id}/audit?limit=3&before=${shown.body.next_before}`);
  expect(next.body.data[0].action).toBe('key.revoke');
});

test('adding a domain that the app already has writes no line to the audit log, unless it revives an expired domain', async () => {
  await using dashboard = await dashboardUnderTest();
  const owner = await dashboard.signedIn('owner');
  const call = `POST /apps/${dashboard.account.app.id}/test/domains`;
  const created = await owner.send(call, { hostname: 'dns-record-missing.acme.com' });
  const lines = async () =>
    (await dashboard.audit()).filter(({ action }) => action === 'domain.create').length;
  expect([created.status, await lines()]).toEqual([201, 1]);
  for (const body of [
    { hostname: 'dns-record-missing.acme.com' },
    { hostname: 'DNS-record-missing.acme.com' },
  ]) {
    const again = await owner.send(call, body, { 'idempotency-key': body.hostname });
    expect([again.status, again.body.id, await lines()]).toEqual([200, created.body.id, 1]);
  }
  await dashboard.composition.time.advance({ by_ms: 15 * DAY_MS });
  const later = await dashboard.signedIn('owner', 'later@example.com');
  const shown = await later.send(`GET /apps/${dashboard.account.app.id}/test/domains/${created.body.id}`);
  expect(shown.body.status).toBe('expired');
  expect((await later.send(call, { hostname: 'dns-record-missing.acme.com' })).status).toBe(200);
  expect(await lines()).toBe(2);
});

test('a repeated request whose response shows a live key again has its own line in the audit log', async () => {
  await using dashboard = await dashboardUnderTest();
  const owner = await dashboard.signedIn('owner');
  const { app } = dashboard.account;
  const body = { name: 'CI', mode: 'live' };
  const send = async () => {
    const sent = await owner.send(`POST /apps/${app.id}/live/keys`, body, { 'idempotency-key': 'once' });
    return [sent.status, sent.headers.get('idempotency-replayed'), sent.body.key];
  };
  const first = await send();
  expect(first).toEqual([201, null, expect.stringMatching(/^sk_live_/)]);
  expect(await send()).toEqual([201, 'true', first[2]]);
  const entries = await dashboard.audit();
  expect(entries.slice(0, 2).map(({ actor, action }) => `${actor} ${action}`)).toEqual([
    'owner@example.com key.reveal',
    'owner@example.com key.create',
  ]);
  expect(entries[0]?.detail).toMatchObject({ app: app.id, mode: 'live' });
  expect(JSON.stringify(entries)).not.toContain(String(first[2]));
});

test('the audit log contains no names of fields that the API does not know', async () => {
  await using dashboard = await dashboardUnderTest();
  const owner = await dashboard.signedIn('owner');
  const call = `PATCH /apps/${dashboard.account.app.id}/live/apps/current`;
  expect((await owner.send(call, { name: 'Shop', ['x'.repeat(90_000)]: 1 })).status).toBe(200);
  expect((await dashboard.audit())[0]?.detail).toMatchObject({ fields: ['name'] });
});

test('a dashboard session cannot stream events, because the session could end during the stream', async () => {
  await using dashboard = await dashboardUnderTest();
  const viewer = await dashboard.signedIn('viewer');
  const { status } = await viewer.send(`GET /apps/${dashboard.account.app.id}/test/events/stream`);
  expect(status).toBe(404);
});

test('if two tabs of the dashboard edit one setting, the second edit is refused with the current value, and changes nothing', async () => {
  await using dashboard = await dashboardUnderTest();
  const developer = await dashboard.signedIn('developer');
  const call = `PATCH /apps/${dashboard.account.app.id}/live/apps/current`;
  const [first, second] = ['One', 'Two'].map((name) => ({ name, expected: { name: 'Acme' } }));
  expect((await developer.send(call, first)).body.name).toBe('One');
  const before = (await dashboard.audit()).length;
  const { status, body } = await developer.send(call, second);
  expect([status, body.error.code, body.error.status_detail]).toEqual([
    409,
    'changed_meanwhile',
    { now: { name: 'One' } },
  ]);
  expect((await dashboard.audit()).length).toBe(before);
  expect((await developer.send(call, { name: 'Two', expected: { name: 'One' } })).body.name).toBe('Two');
});

test("if two tabs of the dashboard edit one domain's metadata, the second edit is refused with the current metadata", async () => {
  await using dashboard = await dashboardUnderTest();
  const developer = await dashboard.signedIn('developer');
  const base = `/apps/${dashboard.account.app.id}/test/domains`;
  const { id } = (await developer.send(`POST ${base}`, { hostname: 'careers.acme.com' })).body;
  const change = async (metadata: object | null, expected: object) => {
    const { status, body } = await developer.send(`PATCH ${base}/${id}`, { metadata, expected });
    return status === 200 ? body.metadata : [status, body.error.code, body.error.status_detail];
  };
  expect(await change({ a: 1, b: { c: 2 } }, { metadata: null })).toEqual({ a: 1, b: { c: 2 } });
  const before = (await dashboard.audit()).length;
  const refused = [409, 'changed_meanwhile', { now: { metadata: { a: 1, b: { c: 2 } } } }];
  expect(await change({ a: 2 }, { metadata: null })).toEqual(refused);
  expect(await change({ a: 2 }, { metadata: { a: 1 } })).toEqual(refused);
  expect((await dashboard.audit()).length).toBe(before);
  // In JSON, the order of an object's fields has no meaning, and a database may change the order.
  expect(await change(null, { metadata: { b: { c: 2 }, a: 1 }, origin: null })).toBe(null);
  expect((await dashboard.audit())[0]).toMatchObject({
    actor: 'developer@example.com',
    action: 'domain.update',
    detail: { id, fields: ['metadata'] },
  });
});

test('the response to a refused edit shows current values only of fields that the API can change', async () => {
  await using dashboard = await dashboardUnderTest();
  const developer = await dashboard.signedIn('developer');
  const base = `/apps/${dashboard.account.app.id}/test/domains`;
  const { id } = (await developer.send(`POST ${base}`, { hostname: 'careers.acme.com' })).body;
  const expected = {
    connect_token: 'x',
    account_id: 'x',
    origin: 'https://other.example',
    ['y'.repeat(9000)]: 1,
  };
  const { status, body } = await developer.send(`PATCH ${base}/${id}`, { metadata: { a: 1 }, expected });
  expect([status, body.error.status_detail]).toEqual([409, { now: { origin: null } }]);
});

test('the dashboard reveals the signing secret, and the previous secret while it is valid', async () => {
  await using dashboard = await dashboardUnderTest();
  const owner = await dashboard.signedIn('owner');
  const { app, signing_secret } = dashboard.account;
  const reveal = async () => (await owner.send(`POST /apps/${app.id}/signing-secret/reveal`)).body;
  expect(await reveal()).toEqual({
    signing_secret,
    previous_signing_secret: null,
    previous_valid_until: null,
  });
  const rotated = (await owner.send(`POST /apps/${app.id}/live/apps/current/signing-secret/rotate`)).body;
  expect(await reveal()).toEqual({
    signing_secret: rotated.signing_secret,
    previous_signing_secret: signing_secret,
    previous_valid_until: rotated.previous_valid_until,
  });
});

test("a test event is signed like any other event, shows the receiver's response, and is not in the event log", async () => {
  await using dashboard = await dashboardUnderTest();
  await using receiver = await startReceiver(() => 202);
  const developer = await dashboard.signedIn('developer');
  const { app, signing_secret } = dashboard.account;
  const call = `POST /apps/${app.id}/test-event`;
  const unset = await developer.send(call);
  expect([unset.status, unset.body.error.code]).toEqual([422, 'validation_failed']);
  await developer.send(`PATCH /apps/${app.id}/live/apps/current`, { webhook_url: receiver.url });
  const { status, body } = await developer.send(call);
  expect([status, body.status_code, body.error, body.response_body]).toEqual([200, 202, null, '']);
  const [received] = receiver.arrivals;
  const verified = await verifyWebhook({
    body: received?.body ?? '',
    secret: signing_secret,
    signature: received?.headers['service-signature'],
  });
  expect(verified).toMatchObject({ type: 'domain.active', test: true });
  expect(received?.headers['service-signature']).toBe(body.signature);
  expect((await developer.send(`GET /apps/${app.id}/test/events`)).body.data).toEqual([]);
  expect((await developer.send(`GET /apps/${app.id}/live/events`)).body.data).toEqual([]);
});

test('a test event shows why its receiver failed, and an app may send ten test events a minute', async () => {
  await using dashboard = await dashboardUnderTest();
  const developer = await dashboard.signedIn('developer');
  const { app } = dashboard.account;
  await developer.send(`PATCH /apps/${app.id}/live/apps/current`, { webhook_url: 'http://127.0.0.1:9/hook' });
  const statuses: number[] = [];
  for (let count = 0; count < 11; count++) {
    const { status, body } = await developer.send(`POST /apps/${app.id}/test-event`);
    statuses.push(status);
    if (count === 0) expect([body.status_code, body.error]).toEqual([null, 'connection_failed']);
  }
  expect(statuses).toEqual([...Array(10).fill(200), 429]);
});

test('the overview of the dashboard counts domains by status and shows which setup steps are done', async () => {
  await using dashboard = await dashboardUnderTest();
  const developer = await dashboard.signedIn('developer');
  const { app, account } = dashboard.account;
  await developer.send(`POST /apps/${app.id}/test/domains`, { hostname: 'careers.acme.com' });
  const { body } = await developer.send(`GET /apps/${app.id}/overview`);
  expect(body).toEqual({
    account_id: account.id,
    live: { by_status: {}, failed_deliveries_24h: 0 },
    test: { by_status: { pending_dns: 1 }, failed_deliveries_24h: 0 },
    has_key_used: false,
    has_delivered_event: false,
  });
});

test('the CSV of the audit log has no cell that a spreadsheet would evaluate', async () => {
  await using dashboard = await dashboardUnderTest();
  const owner = await dashboard.signedIn('owner');
  const { id } = dashboard.account.account;
  await insertAudit(autocommit(dashboard.context.store), {
    id: dashboard.context.ids('aud'),
    at: dashboard.context.clock.now(),
    actor: '=HYPERLINK("http://evil.example")',
    action: 'account.update',
    subject: id,
    detail: { name: 'a,"b"\r\n=1' },
  });
  const { status, headers, body } = await owner.send(`GET /accounts/${id}/audit.csv`);
  expect(status).toBe(200);
  expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
  expect(headers.get('content-disposition')).toBe(`attachment; filename="audit-${id}.csv"`);
  expect(body.split('\r\n')[0]).toBe('at,actor,action,detail,id');
  expect(body).toContain(`"'=HYPERLINK(""http://evil.example"")"`);
});

test('a new live key requires a recent sign-in, but a new test key does not', async () => {
  await using dashboard = await dashboardUnderTest();
  const developer = await dashboard.signedIn('developer');
  await dashboard.composition.time.advance({ by_ms: 11 * 60_000 });
  const call = `POST /apps/${dashboard.account.app.id}/live/keys`;
  const refused = await developer.send(call, { name: 'CI', mode: 'live' });
  expect([refused.status, refused.body.error.code]).toEqual([403, 'sign_in_again']);
  expect((await developer.send(call, { name: 'CI', mode: 'test' })).body.key).toMatch(/^sk_test_/);
});
