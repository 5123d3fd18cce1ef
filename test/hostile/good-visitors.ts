import {
  type ClientRequest,
  type IncomingMessage,
  Agent as PlainAgent,
  request as requestPlainly,
} from 'node:http';
import { connect as connectHttp2 } from 'node:http2';
import { Agent, request } from 'node:https';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import { answerOf } from '../edge/wire/http2-visitor.ts';
import { rawVisitor } from '../edge/wire/raw-visitor.ts';
import type { GoodVisit, SeenResponse, Target } from './target.ts';

/** Visitors that follow the protocol and check every response. */
export interface GoodVisitors {
  /** Number of correct responses, by visitor. */
  served: Record<string, number>;
  /** The errors of all visits that failed. */
  lost: string[];
  /** Lets each visitor complete its request. Resolves when all visitors have disconnected. */
  leave(): Promise<void>;
}

/**
 * Addresses of good visitors. They are similar to the addresses of hostile visitors, but in other networks, which have their own limits.
 */
const ADDRESSES = {
  tls: '127.0.0.2',
  http2: '127.0.0.3',
  tunnel: '127.0.0.4',
  api: '127.0.0.5',
  plain: '127.0.0.6',
};
/** Time between requests, which keeps them below the rate limit of one key. */
const BETWEEN_MS = 15;
/** A response that takes longer is reported as lost. The time is long enough for a very busy machine. */
const PATIENCE_MS = 60_000;
/** A visitor opens a new connection after this number of requests. */
const REQUESTS_PER_CONNECTION = 200;

export function welcomeGoodVisitors(target: Target): GoodVisitors {
  const served: Record<string, number> = {};
  const lost: string[] = [];
  const over = new AbortController();
  const kinds: Record<string, () => Promise<Visitor>> = {
    'HTTP/1.1 over TLS': async () => tlsVisitor(target),
    'HTTP/1.1': async () => plainVisitor(target),
    'HTTP/2': async () => http2Visitor(target),
    API: async () => apiVisitor(target),
    ...(target.tunnels && { WebSocket: () => webSocketVisitor(target) }),
  };

  async function visit(name: string, come: () => Promise<Visitor>): Promise<void> {
    served[name] = 0;
    while (!over.signal.aborted) {
      try {
        await using visitor = await come();
        for (let n = 0; n < REQUESTS_PER_CONNECTION && !over.signal.aborted; n++) {
          await inTime(visitor.visit());
          served[name] = (served[name] ?? 0) + 1;
          await pause(BETWEEN_MS);
        }
      } catch (error) {
        lost.push(`${name}: ${error}`);
        // Waits before the next try, because a process that has ended refuses connections immediately.
        await pause(BETWEEN_MS * 10);
      }
    }
  }

  const visits = Object.entries(kinds).map(([name, come]) => visit(name, come));
  return {
    served,
    lost,
    async leave() {
      over.abort();
      await Promise.all(visits);
    },
  };
}

interface Visitor extends AsyncDisposable {
  /** Sends one request over the visitor's connection. @throws Error if the response is not the expected one. */
  visit(): Promise<void>;
}

function tlsVisitor({ ports, visits }: Target): Visitor {
  const { host, isRight } = visits.edge;
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const tls = { servername: host, rejectUnauthorized: false, agent };
  const to = { host: '127.0.0.1', port: ports.edge, localAddress: ADDRESSES.tls, headers: { host } };
  return {
    visit: async () => check(await responseTo(request({ ...to, ...tls })), isRight),
    [Symbol.asyncDispose]: async () => agent.destroy(),
  };
}

function plainVisitor({ ports, visits }: Target): Visitor {
  const { host, isRight } = visits.edgeHttp;
  const agent = new PlainAgent({ keepAlive: true, maxSockets: 1 });
  const to = {
    host: '127.0.0.1',
    port: ports.edgeHttp,
    localAddress: ADDRESSES.plain,
    headers: { host },
    agent,
  };
  return {
    visit: async () => check(await responseTo(requestPlainly(to)), isRight),
    [Symbol.asyncDispose]: async () => agent.destroy(),
  };
}

function apiVisitor({ ports, neighbourKey }: Target): Visitor {
  const agent = new PlainAgent({ keepAlive: true, maxSockets: 1 });
  const headers = { authorization: `Bearer ${neighbourKey}` };
  const path = '/v1/domains?limit=1';
  const to = { host: '127.0.0.1', port: ports.api, localAddress: ADDRESSES.api, path, headers, agent };
  return {
    visit: async () =>
      check(
        await responseTo(requestPlainly(to)),
        ({ status, body }) => status === 200 && JSON.parse(body).data.length === 1,
      ),
    [Symbol.asyncDispose]: async () => agent.destroy(),
  };
}

function http2Visitor({ ports, visits }: Target): Visitor {
  const { host, isRight } = visits.edge;
  const to = { host: '127.0.0.1', port: ports.edge, localAddress: ADDRESSES.http2 };
  const tls = { servername: host, ALPNProtocols: ['h2'], rejectUnauthorized: false };
  const session = connectHttp2(`https://${host}`, { createConnection: () => connectTls({ ...to, ...tls }) });
  session.on('error', () => undefined);
  return {
    async visit() {
      const { status, headers, body } = await answerOf(session.request({ ':path': '/' }));
      check({ status, location: headers['location'] as string | undefined, body }, isRight);
    },
    [Symbol.asyncDispose]: async () => session.destroy(),
  };
}

/** Opens a WebSocket tunnel. The origin echoes all bytes, so the visitor can send any bytes. */
async function webSocketVisitor({ ports, visits }: Target): Promise<Visitor> {
  const { host } = visits.edge;
  const visitor = await rawVisitor(ports.edge ?? 0, host, ADDRESSES.tunnel);
  visitor.write(
    `GET /chat HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`,
  );
  const head = await visitor.until((got) => got.includes('\r\n\r\n'));
  if (!head.startsWith('HTTP/1.1 101 ')) throw new Error(`no tunnel: ${head}`);
  let expected = head;
  let said = 0;
  return {
    async visit() {
      const message = `message ${said++};`;
      expected += message;
      visitor.write(message);
      const got = await visitor.until((echoed) => echoed.length >= expected.length);
      if (got !== expected) throw new Error(`${message} came back as ${got.slice(-50)}`);
    },
    async [Symbol.asyncDispose]() {
      visitor[Symbol.dispose]();
    },
  };
}

/** Sends a request without a body and reads the whole response. */
async function responseTo(asked: ClientRequest): Promise<SeenResponse> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    asked.on('error', reject).on('response', resolve).end();
  });
  return {
    status: response.statusCode,
    location: response.headers.location,
    body: await text(response),
  };
}

function check(response: SeenResponse, isRight: GoodVisit['isRight']): void {
  if (!isRight(response)) throw new Error(`${response.status} ${response.body.slice(0, 200)}`);
}

async function inTime(visit: Promise<void>): Promise<void> {
  const late = new AbortController();
  const timeout = pause(PATIENCE_MS, undefined, { signal: late.signal, ref: false }).then(
    () => Promise.reject(new Error('no response')),
    () => undefined,
  );
  try {
    await Promise.race([visit, timeout]);
  } finally {
    late.abort();
  }
}
