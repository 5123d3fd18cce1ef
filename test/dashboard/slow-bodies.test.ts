import { type ClientRequest, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import type { Admission } from '../../shared/http/admission.ts';
import { type DashboardUnderTest, dashboardUnderTest, type TestBrowser } from './dashboard-under-test.ts';

/** Begins a request that makes a change, without sending its body yet. */
function begin(
  dashboard: DashboardUnderTest,
  browser: TestBrowser,
  path: string,
): { sending: ClientRequest; end(body: object): Promise<{ status: number; body: string }> } {
  const sending = request(`${dashboard.url}/dashboard/api${path}`, {
    method: 'POST',
    headers: {
      origin: dashboard.url,
      'content-type': 'application/json',
      cookie: [...browser.cookies].map((pair) => pair.join('=')).join('; '),
    },
  });
  sending.flushHeaders();
  const answered = new Promise<{ status: number; body: string }>((resolve, reject) => {
    sending.on('error', reject);
    sending.on('response', async (response) =>
      resolve({ status: response.statusCode ?? 0, body: await text(response) }),
    );
  });
  return {
    sending,
    end(body) {
      sending.end(JSON.stringify(body));
      return answered;
    },
  };
}

test('a request of a member who is removed while its body arrives changes nothing', async () => {
  await using dashboard = await dashboardUnderTest();
  const { account, app } = dashboard.account;
  const owner = await dashboard.signedIn('owner', 'ada@example.com');
  const leaving = await dashboard.signedIn('owner', 'eve@example.com');
  const invitation = begin(dashboard, leaving, `/accounts/${account.id}/members`);
  const key = begin(dashboard, leaving, `/apps/${app.id}/live/keys`);
  const { data } = (await owner.send(`GET /accounts/${account.id}/members`)).body;
  const { id } = data.find(({ mail }: { mail: string }) => mail === 'eve@example.com');
  expect((await owner.send(`DELETE /accounts/${account.id}/members/${id}`)).status).toBe(204);
  const results = [
    await invitation.end({ mail: 'mallory@example.com', role: 'owner' }),
    await key.end({ name: 'Late', mode: 'live' }),
  ];
  expect(results.map(({ status }) => status)).toEqual([404, 404]);
  expect((await owner.send(`GET /accounts/${account.id}/members`)).body.data).toHaveLength(1);
});

test('a request of the dashboard whose body does not arrive takes no slot from other visitors', async () => {
  let slots = 0;
  const admission: Admission = {
    serveAccount: () => Promise.reject(new Error('not asked for')),
    async servePage(_client, work) {
      slots += 1;
      return work();
    },
    paceRefusal: async () => undefined,
  };
  await using dashboard = await dashboardUnderTest({}, { admission });
  const visitor = dashboard.browser();
  const waiting = begin(dashboard, visitor, '/sign-in/links');
  // After the response to this request, the server has also received the head of the first request.
  expect((await visitor.send('GET /session')).status).toBe(200);
  expect(slots).toBe(1);
  expect((await waiting.end({ mail: 'ada@example.com' })).status).toBe(202);
  expect(slots).toBe(2);
});
