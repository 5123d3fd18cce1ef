import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { logUnderTest, readLines } from '../../edge/access-log-under-test.ts';
import { edgeWith, HOST, originWith, route } from '../../edge/edge-under-test.ts';
import { edgeTo } from '../../edge/tls/tls-edge-under-test.ts';
import { http2Visitor } from '../../edge/wire/http2-visitor.ts';
import { rawVisitor } from '../../edge/wire/raw-visitor.ts';

it('a closing edge logs each request over HTTP/1.1 that it breaks off', async () => {
  using log = logUnderTest();
  await using origin = await originWith(() => undefined);
  const { port, edge } = await edgeWith({ [HOST]: route(origin.url) }, { logTo: log.settings });
  using one = await rawVisitor(port);
  using other = await rawVisitor(port);
  for (const visitor of [one, other]) visitor.write(`GET /cut HTTP/1.1\r\nHost: ${HOST}\r\n\r\n`);
  await delay(50);
  await edge.close({ graceMs: 0 });
  expect(readLines(log.file).map((line) => line['url.path'])).toEqual(['/cut', '/cut']);
});

it('a closing edge logs each request over HTTP/2 that it breaks off', async () => {
  using log = logUnderTest();
  await using origin = await originWith(() => undefined);
  const { port, edge } = await edgeTo(origin.url, { logTo: log.settings });
  using visitor = await http2Visitor(port, HOST);
  for (const path of ['/one', '/other']) visitor.request({ ':path': path }).on('error', () => undefined);
  await delay(50);
  await edge.close({ graceMs: 0 });
  expect(readLines(log.file).map((line) => line['url.path'])).toEqual(['/one', '/other']);
});

it('a closing edge logs each request over HTTP/1.1 and TLS that it breaks off', async () => {
  using log = logUnderTest();
  await using origin = await originWith(() => undefined);
  const { port, edge } = await edgeTo(origin.url, { logTo: log.settings });
  using visitor = await rawVisitor(port, HOST);
  visitor.write(`GET /cut HTTP/1.1\r\nHost: ${HOST}\r\n\r\n`);
  await delay(50);
  await edge.close({ graceMs: 0 });
  expect(readLines(log.file).map((line) => line['url.path'])).toEqual(['/cut']);
});

it('a closing edge logs a WebSocket that it closes', async () => {
  using log = logUnderTest();
  const server = createServer().on('upgrade', (_request, socket) => {
    socket.on('error', () => undefined);
    socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { port, edge } = await edgeTo(origin, { logTo: log.settings });
  using visitor = await rawVisitor(port, HOST);
  visitor.write(`GET /socket HTTP/1.1\r\nHost: ${HOST}\r\n${HANDSHAKE}\r\n`);
  await visitor.until((text) => text.includes('101'));
  await edge.close({ graceMs: 0 });
  expect(readLines(log.file).map((line) => line['url.path'])).toEqual(['/socket']);
});

const HANDSHAKE =
  'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n';
