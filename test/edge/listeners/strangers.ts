import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ConnectionError } from '../../../shared/adapters/owned-server.ts';
import { openConnections } from '../../fixtures/open-connections.ts';
import { HOST } from '../edge-under-test.ts';
import { isWhole, parseAnswer, type RawVisitor, rawVisitor } from '../wire/raw-visitor.ts';

/** The bytes that a stranger sends, one string for each packet. */
type Packets = readonly string[];

/** Returns packets that once crashed the process. @param host a hostname with an origin. */
function strangePackets(host: string): [title: string, packets: Packets][] {
  const get = `GET / HTTP/1.1\r\nHost: ${host}\r\n\r\n`;
  const upgradeTo = (protocol: string) =>
    get.replace('\r\n\r\n', `\r\nConnection: Upgrade\r\nUpgrade: ${protocol}\r\n\r\n`);
  const tunnel = `CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n`;
  const post = `POST /connect/AAAA/check HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 3\r\n\r\nabc`;
  const noHost = 'GET / HTTP/1.1\r\n\r\n';
  return [
    ['a tunnel', [tunnel]],
    ['a tunnel behind a request', [get + tunnel]],
    ['an upgrade behind a request', [get + upgradeTo('websocket')]],
    ['two upgrades', [upgradeTo('websocket') + upgradeTo('websocket')]],
    ['a request behind an upgrade that is ignored', [upgradeTo('h2c') + get]],
    ['requests and a tunnel behind one without a Host', [noHost + post, get + tunnel]],
    ['requests and garbage behind one without a Host', [noHost + post, `${get}garbage\r\n\r\n`]],
    ['garbage', ['garbage\r\n\r\n']],
  ];
}

/** The ways to send the packets and to disconnect. */
const TIMINGS: [title: string, leave: (visitor: RawVisitor, packets: Packets) => Promise<unknown>][] = [
  [
    'with a reset at once',
    async (visitor, packets) => {
      visitor.write(packets.join(''));
      visitor.reset();
    },
  ],
  [
    'with a reset after the head of a response',
    async (visitor, packets) => {
      visitor.write(packets.join(''));
      await visitor.until((text) => text.includes('\r\n\r\n'));
      visitor.reset();
    },
  ],
  [
    'with a reset in the middle',
    async (visitor, packets) => {
      visitor.write(packets.join('').slice(0, -5));
      await turn();
      visitor.reset();
    },
  ],
  [
    'packet by packet',
    async (visitor, packets) => {
      for (const packet of packets) {
        visitor.write(packet);
        await turn();
      }
      await visitor.until((text) => text.includes('\r\n\r\n'));
    },
  ],
  [
    'byte by byte',
    async (visitor, packets) => {
      for (const byte of packets.join('')) {
        visitor.write(byte);
        await turn();
      }
      await visitor.until((text) => text.includes('\r\n\r\n'));
    },
  ],
  [
    'line by line, with a goodbye',
    async (visitor, packets) => {
      for (const line of packets.join('').split(/(?<=\n)/)) {
        visitor.write(line);
        await turn();
      }
      visitor.socket.end();
      await visitor.ended();
    },
  ],
];

/** A well-behaved visitor on one open connection, whose requests must all succeed. */
interface GoodVisitor extends Disposable {
  visit(): Promise<void>;
}

async function goodVisitor(
  port: number,
  request: string,
  status: number,
  servername?: string,
): Promise<GoodVisitor> {
  const visitor = await rawVisitor(port, servername);
  let read = 0;
  return {
    async visit() {
      visitor.write(request);
      const text = await visitor.until((all) => isWhole(all.slice(read)));
      expect(parseAnswer(text.slice(read)).status).toBe(status);
      read = text.length;
    },
    [Symbol.dispose]: visitor[Symbol.dispose],
  };
}

/** A server to which strangers send packets. */
export interface Visited {
  port: number;
  /** The request of a good visitor, and the status of the response. */
  request: string;
  status: number;
  /** The name in the TLS handshake; undefined for plain HTTP. */
  servername?: string | undefined;
  /** The hostname to use instead of `HOST` in the packets, for a server that accepts only its own names. */
  host?: string;
  /** The server's errors of single connections. A stranger may cause only such errors. */
  connectionErrors?: readonly ConnectionError[];
  /** Is called before each stranger connects. */
  prepare?(stranger: number): void;
}

/**
 * Tests that a server survives all strange packets with each timing, serves a good visitor meanwhile, and closes the strangers'
 * connections.
 * @param open starts a server for one test, or returns a shared server that runs on afterwards.
 */
export function outlivesStrangers(open: () => Promise<Visited & Partial<AsyncDisposable>>): void {
  describe.each(strangePackets(HOST))('outlives %s', (_title, packets) => {
    test.each(TIMINGS)('%s', async (_timing, leave) => {
      const server = await open();
      await using stack = new AsyncDisposableStack();
      stack.defer(async () => server[Symbol.asyncDispose]?.());
      const { port, request, status, servername, host = HOST } = server;
      const sent = packets.map((packet) => packet.replaceAll(HOST, host));
      const before = openConnections(port);
      using good = await goodVisitor(port, request, status, servername);
      await good.visit();
      for (let i = 0; i < 10; i++) {
        server.prepare?.(i);
        using stranger = await rawVisitor(port, servername);
        await Promise.all([leave(stranger, sent), good.visit()]);
      }
      await good.visit();
      await expect.poll(() => openConnections(port), { timeout: 10_000 }).toBeLessThanOrEqual(before + 1);
      expect(server.connectionErrors?.filter(({ kind }) => kind === 'node') ?? []).toEqual([]);
    });
  });
}

/** Makes each test of the file fail if an error reaches the process uncaught. */
export function expectNoUncaughtError(): void {
  const uncaught: unknown[] = [];
  const note = (error: unknown) => void uncaught.push(error);
  beforeEach(() => {
    uncaught.length = 0;
    process.on('uncaughtExceptionMonitor', note);
  });
  afterEach(() => {
    process.off('uncaughtExceptionMonitor', note);
    expect(uncaught).toEqual([]);
  });
}

/** Resolves when the server has the expected number of connections. */
export async function expectOpen(port: number, count: number): Promise<void> {
  await expect.poll(() => openConnections(port), { timeout: 10_000 }).toBe(count);
}
