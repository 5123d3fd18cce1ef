import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { connect as tlsConnect } from 'node:tls';
import { afterAll, expect, it } from 'vitest';
import { createThrowawayCa } from '../fixtures/throwaway-ca.ts';
import { edgeWith, HOST, originWith, route } from './edge-under-test.ts';
import { isWhole, parseAnswer, send } from './raw-visitor.ts';

const ca = createThrowawayCa();
afterAll(() => ca[Symbol.dispose]());

/** A visitor over TLS: one request, one answer. */
async function sendTls(port: number, servername: string, host: string) {
  const socket = tlsConnect({ port, host: '127.0.0.1', servername, ca: ca.certificate });
  await once(socket, 'secureConnect');
  let text = '';
  socket.write(`GET / HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
  for await (const chunk of socket.iterator({ destroyOnReturn: true })) {
    text += (chunk as Buffer).toString('latin1');
    if (isWhole(text)) break;
  }
  return parseAnswer(text);
}

it('over TLS the Host is the name that the connection was made for, else 421', async () => {
  await using origin = await originWith((req, res) => res.end(JSON.stringify(req.headers)));
  const tls = ca.issue(`DNS:${HOST},DNS:jobs.acme.com,DNS:${HOST}.localhost`);
  const routes = { [HOST]: route(origin.url), 'jobs.acme.com': route(origin.url) };
  await using edge = await edgeWith(routes, { scheme: 'https', tls, localhost_suffix: true });

  const answer = await sendTls(edge.port, HOST, HOST.toUpperCase());
  expect(JSON.parse(answer.body)).toMatchObject({ host: HOST, 'x-forwarded-proto': 'https' });
  expect((await sendTls(edge.port, HOST, 'jobs.acme.com')).status).toBe(421);
  expect((await sendTls(edge.port, `${HOST}.localhost`, `${HOST}.localhost:8443`)).status).toBe(200);
  expect((await sendTls(edge.port, `${HOST}.localhost`, HOST)).status).toBe(421);
});

it('SNI and the certificate check use the name of the origin, and its connection serves every hostname', async () => {
  const names: unknown[] = [];
  const server = createServer(ca.issue('DNS:origin.localhost'), (req, res) => res.end(req.headers.host));
  server.on('secureConnection', ({ servername }) => names.push(servername));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const to = route(`https://origin.localhost:${port}`);
  const wrong = route(`https://wrong.localhost:${port}`);
  const by_address = route(`https://127.0.0.1:${port}`);
  await using edge = await edgeWith(
    { [HOST]: to, 'jobs.acme.com': to, 'wrong.acme.com': wrong, 'address.acme.com': by_address },
    { ca: [ca.certificate] },
  );
  const get = (host: string) => send(edge.port, `GET / HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
  for (const host of [HOST, 'jobs.acme.com', HOST]) expect((await get(host)).body).toBe(host);
  expect(names).toEqual(['origin.localhost']);
  expect((await get('wrong.acme.com')).status).toBe(502);
  expect((await get('address.acme.com')).status).toBe(502);
  server.closeAllConnections();
  server.close();
});
