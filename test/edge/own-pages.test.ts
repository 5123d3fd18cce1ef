import { afterAll, expect, test } from 'vitest';
import type { HostOwner } from '../../shared/edge/own-pages.ts';
import { createThrowawayCa } from '../fixtures/acme/throwaway-ca.ts';
import { logUnderTest } from './access-log-under-test.ts';
import { edgeWith, HOST, route } from './edge-under-test.ts';
import { certificatesFor } from './tls/certificates-under-test.ts';
import { http2Visitor } from './wire/http2-visitor.ts';
import { send } from './wire/raw-visitor.ts';

/** Tests requests to an app's white-label host. The edge answers them with its own pages. */
const OWN = route(null, { origin: { kind: 'connect' } });
const ca = createThrowawayCa();
afterAll(() => ca[Symbol.dispose]());
const BIG = 'x'.repeat(200_000);

interface Seen {
  url: string;
  method: string;
  headers: Record<string, string>;
  body: string;
  owner: HostOwner;
}

/** Starts an edge that records the requests for its own pages. */
async function edgeOf(respond: () => Response = () => new Response('a page')) {
  const seen: Seen[] = [];
  const edge = await edgeWith(
    { [HOST]: OWN },
    {
      scheme: 'https',
      tls: { certificates: certificatesFor(ca, HOST) },
      async serveHost(request, { app_id, hostname }) {
        const { url, method, headers } = request;
        const body = method === 'POST' ? await request.text() : '';
        seen.push({ url, method, headers: Object.fromEntries(headers), body, owner: { app_id, hostname } });
        return respond();
      },
    },
  );
  return { edge, seen, [Symbol.asyncDispose]: () => edge[Symbol.asyncDispose]() };
}

const ASKED = { ':path': '/connect/token?lang=de', ':authority': HOST };

test("the edge's own pages receive Accept-Language, but no cookies, no credentials and no forged headers", async () => {
  await using under = await edgeOf();
  using visitor = await http2Visitor(under.edge.port, HOST);
  const response = await visitor.ask({
    ...ASKED,
    'accept-language': 'ja',
    cookie: 'session=secret',
    authorization: 'Bearer secret',
    'x-forwarded-host': 'evil.example',
    'x-service-app-id': 'app_2',
  });
  expect(response).toMatchObject({ status: 200, body: 'a page' });
  expect(under.seen).toEqual([
    {
      url: `https://${HOST}/connect/token?lang=de`,
      method: 'GET',
      headers: { 'accept-language': 'ja', host: HOST },
      body: '',
      owner: { app_id: 'app_1', hostname: HOST },
    },
  ]);
});

test("the edge's own pages receive a complete form and can send a large response", async () => {
  await using under = await edgeOf(() => new Response(BIG, { status: 422, headers: { 'x-kind': 'form' } }));
  using visitor = await http2Visitor(under.edge.port, HOST);
  const response = await visitor.ask({ ...ASKED, ':method': 'POST' }, 'address=a%40b.example');
  expect(under.seen[0]).toMatchObject({ method: 'POST', body: 'address=a%40b.example' });
  expect(response).toMatchObject({ status: 422, body: BIG });
  expect(response.headers).toMatchObject({ 'x-kind': 'form', 'content-length': `${BIG.length}` });
});

test("a redirect from the edge's own pages reaches the visitor, and a page that fails gets 503 and is reported", async () => {
  let respond = () => new Response(null, { status: 303, headers: { location: '/connect/token' } });
  await using under = await edgeOf(() => respond());
  using visitor = await http2Visitor(under.edge.port, HOST);
  expect(await visitor.ask(ASKED)).toMatchObject({ status: 303, headers: { location: '/connect/token' } });
  respond = () => {
    throw new Error('the database is away');
  };
  const failed = await visitor.ask(ASKED);
  expect(failed.status).toBe(503);
  expect(failed.body).not.toContain('database');
  expect(under.edge.failures).toMatchObject([{ of: 'page', error: new Error('the database is away') }]);
});

test("the access log shows a body of 0 bytes for the edge's response to HEAD", async () => {
  using log = logUnderTest();
  await using edge = await edgeWith(
    { [HOST]: OWN },
    { logTo: log.settings, serveHost: async () => new Response('a page') },
  );
  const response = await send(
    edge.port,
    `HEAD /connect/token HTTP/1.1\r\nHost: ${HOST}\r\nConnection: close\r\n\r\n`,
  );
  expect(response).toMatchObject({ headers: { 'content-length': '6' }, body: '' });
  expect(await log.linesOf('http.request.method', 'HEAD')).toMatchObject([
    { 'http.response.body.size': 0, 'nameplate.responder': 'edge' },
  ]);
});
