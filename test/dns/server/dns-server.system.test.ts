import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type DnsServer, startDnsServer } from '../../../shared/dns/server/dns-server.ts';
import { whyMissing } from '../../fixtures/debian-package.ts';
import { describeUnlessMissing } from '../../fixtures/describe-unless-missing.ts';
import { KDIG, kdig } from '../../fixtures/dns/kdig.ts';
import { queryOf, responderOf, shown } from './served-zones.ts';

const LIMITS = { connectionsMax: 3, perNetworkMax: 2, idleMs: 300 };
const TARGET = 'k7m2q9.edge.example.net';
const ANSWERS = [`${TARGET} 300 A 192.0.2.10`, `${TARGET} 300 A 192.0.2.11`];
let server: DnsServer;
let counts: Record<string, number>;

beforeEach(async () => {
  counts = { udp: 0, tcp: 0, unanswered: 0 };
  server = await startDnsServer({
    listen: [
      { host: '127.0.0.1', port: 0 },
      { host: '::1', port: 0 },
    ],
    respond: responderOf(),
    onMessage(transport, response) {
      const counted = response === null ? 'unanswered' : transport;
      counts[counted] = (counts[counted] ?? 0) + 1;
    },
    onError: ({ error }) => expect.unreachable(error.message),
    limits: LIMITS,
  });
});
afterEach(() => server.close(0));

function at(index: number): { host: string; port: number } {
  const address = server.addresses[index];
  if (address === undefined) throw new Error(`there is no address ${index}`);
  return address;
}

async function opened(index = 0): Promise<Socket> {
  const socket = connect(at(index));
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

/** Resolves when a connection has closed, even by a reset. */
function closed(socket: Socket): Promise<void> {
  return new Promise((resolve) => socket.once('close', () => resolve()));
}

function framed(message: Buffer): Buffer {
  return Buffer.concat([Buffer.of(message.length >> 8, message.length & 255), message]);
}

/** Reads this number of responses from a connection. */
async function responses(socket: Socket, count: number): Promise<Buffer[]> {
  const found: Buffer[] = [];
  let bytes: Buffer = Buffer.alloc(0);
  for await (const chunk of socket.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    bytes = Buffer.concat([bytes, chunk]);
    for (; bytes.length > 2 && bytes.length >= 2 + bytes.readUInt16BE(0); ) {
      const end = 2 + bytes.readUInt16BE(0);
      found.push(bytes.subarray(2, end));
      bytes = bytes.subarray(end);
    }
    if (found.length >= count) break;
  }
  return found;
}

describe('Over UDP, the DNS server survives hostile messages', () => {
  test('answers a query, drops a response, and continues', async () => {
    const socket = createSocket('udp4');
    const { host, port } = at(0);
    const query = queryOf(TARGET, 'A');
    const asResponse = Buffer.from(query);
    asResponse.writeUInt8(0x80, 2);
    for (const message of [asResponse, Buffer.alloc(3), query]) socket.send(message, port, host);
    const [response] = await once(socket, 'message');
    expect(shown(response).answers).toEqual(ANSWERS);
    expect(counts).toEqual({ udp: 1, tcp: 0, unanswered: 2 });
    socket.close();
  });
});

describe('Over TCP, the DNS server limits its clients', () => {
  test('answers queries that a client sends without waiting, in order and in any pieces', async () => {
    const socket = await opened();
    const queries = Array.from({ length: 50 }, (_, index) => {
      const query = queryOf(TARGET, 'A');
      query.writeUInt16BE(index, 0);
      return framed(query);
    });
    const bytes = Buffer.concat(queries);
    for (const [from, to] of [
      [0, 1],
      [1, 40],
      [40, 700],
      [700, bytes.length],
    ]) {
      socket.write(bytes.subarray(from, to));
      await sleep(5);
    }
    const found = await responses(socket, 50);
    expect(found.map((response) => response.readUInt16BE(0))).toEqual([...queries.keys()]);
    expect(found.map((response) => shown(response).answers)).toEqual(queries.map(() => ANSWERS));
    socket.destroy();
  });

  test.each([
    ['a message without a header', framed(Buffer.alloc(4))],
    ['a message of 5 000 bytes', Buffer.of(0x13, 0x88)],
    ['a response', framed(Buffer.concat([Buffer.of(0, 1, 0x80, 0), Buffer.alloc(8)]))],
  ])('closes a connection that sends %s', async (_, bytes) => {
    const socket = await opened();
    socket.write(bytes);
    await closed(socket);
  });

  test('closes a connection without a complete query within the idle time, whatever bytes arrive', async () => {
    const socket = await opened();
    const startedAt = performance.now();
    const drip = setInterval(() => socket.write(Buffer.of(0)), 250);
    await closed(socket);
    clearInterval(drip);
    expect(performance.now() - startedAt).toBeLessThan(2 * LIMITS.idleMs + 250);
  });

  test('closes the third connection of one network, and the oldest connection when all are taken', async () => {
    const first = await opened();
    await opened();
    const refused = await opened();
    await closed(refused);
    await opened(1);
    const oldestClosed = closed(first);
    await opened(1);
    await oldestClosed;
  });

  test('stops reading from a client that does not read its responses', async () => {
    const socket = await opened();
    socket.pause();
    const query = framed(queryOf(TARGET, 'A'));
    const many = Buffer.concat(Array(2000).fill(query));
    for (let round = 0; round < 100; round++) socket.write(many);
    await closed(socket);
    expect(counts['tcp']).toBeLessThan(200_000);
  });

  test('sends the responses of open connections before it closes', async () => {
    const socket = await opened();
    socket.write(framed(queryOf(TARGET, 'A')));
    const [response] = await responses(socket, 1);
    const ended = once(socket, 'end');
    socket.resume();
    await Promise.all([server.close(2000), ended]);
    expect(shown(response ?? null).answers).toEqual(ANSWERS);
  });
});

test('the DNS server listens on no address if one of them is taken', async () => {
  const taken = at(0);
  const options = { respond: responderOf(), onMessage: () => undefined, onError: () => undefined };
  const free = { host: '127.0.0.2', port: taken.port };
  await expect(startDnsServer({ ...options, listen: [free, taken] })).rejects.toMatchObject({
    code: 'EADDRINUSE',
  });
  const again = await startDnsServer({ ...options, listen: [free] });
  await again.close(0);
});

const missing = whyMissing({ packages: ['knot-dnsutils'], programs: [KDIG] });
describeUnlessMissing(missing, 'kdig gets correct answers from the DNS server', () => {
  test.each([
    ['an address', [TARGET, 'A', '+short'], /^192\.0\.2\.10\n192\.0\.2\.11\n$/],
    ['an address over TCP', [TARGET, 'AAAA', '+tcp', '+short'], /^2001:db8::10\n$/],
    ['the name servers', ['edge.example.net', 'NS', '+short'], /^ns1\.example\.net\.\nns2\.dns\.edge/],
    ['the SOA of a negative answer', ['edge.example.net', 'A'], /NOERROR.*Flags: qr aa.*\t60\tIN\tSOA/s],
    ['a name that does not exist', ['x.dns.edge.example.net', 'A'], /status: NXDOMAIN.*SOA/s],
    ['ANY', [TARGET, 'ANY', '+short'], /^192\.0\.2\.10\n192\.0\.2\.11\n$/],
    ['a name elsewhere', ['example.org', 'A'], /status: REFUSED/],
    ['a version of EDNS', [TARGET, 'A', '+edns=1'], /ext-rcode: BADVERS/],
    ['DO and a cookie', [TARGET, 'A', '+dnssec', '+cookie'], /flags: do; .*COOKIE: \w{48}/s],
    ['an unknown option', [TARGET, 'A', '+ednsopt=65001:0a0b'], /status: NOERROR.*192\.0\.2\.10/s],
    ['a notification', [TARGET, 'NOTIFY=7'], /NOTIMPL/],
    ['the CAA record', ['edge.example.net', 'CAA', '+short'], /^0 issue "letsencrypt\.org" ?\n$/],
  ])('such as %s', async (_, args, expected) => {
    for (const index of [0, 1]) expect(await kdig(at(index), args)).toMatch(expected);
  });
});
