import { once } from 'node:events';
import { connect, type TLSSocket } from 'node:tls';

/**
 * A program that sends requests over keep-alive TLS connections at a fixed rate, so that all servers get the same load. Its environment has
 * PORT, HOSTNAME, CONNECTIONS, PER_S and SECONDS. Prints one JSON document, `Pace`.
 */
export interface Pace {
  requests: number;
  p99_ms: number;
}

const { PORT = '', HOSTNAME = '', CONNECTIONS = '', PER_S = '', SECONDS = '' } = process.env;
/** Requests of the first second are not counted, because V8 compiles this program during it. */
const WARM_UP_S = 1;
const head = `GET /careers?page=2 HTTP/1.1\r\nHost: ${HOSTNAME}:${PORT}\r\n\r\n`;
const free: TLSSocket[] = [];
/** The due times of the requests that wait for a free connection. */
const waiting: number[] = [];
const timesMs: number[] = [];
const sent = new Map<TLSSocket, { atMs: number; text: string }>();
let finished = 0;

for (let n = 0; n < Number(CONNECTIONS); n++) free.push(await open());
const startedAt = performance.now();
const total = Number(PER_S) * (WARM_UP_S + Number(SECONDS));
let due = 0;
const timer = setInterval(() => {
  const now = performance.now();
  const until = Math.min(total, Math.floor(((now - startedAt) / 1000) * Number(PER_S)));
  for (; due < until; due++) {
    const socket = free.pop();
    if (socket) send(socket, now);
    else waiting.push(now);
  }
  if (finished < total) return;
  clearInterval(timer);
  timesMs.sort((a, b) => a - b);
  const requests = timesMs.length;
  const pace: Pace = { requests, p99_ms: timesMs[Math.floor(0.99 * requests)] ?? Number.NaN };
  process.stdout.write(`${JSON.stringify(pace)}\n`, () => process.exit());
}, 1);

async function open(): Promise<TLSSocket> {
  const socket = connect({
    port: Number(PORT),
    host: '127.0.0.1',
    servername: HOSTNAME,
    rejectUnauthorized: false,
    ALPNProtocols: ['http/1.1'],
  });
  await once(socket, 'secureConnect');
  socket.setNoDelay().setEncoding('latin1');
  socket.on('data', (text: string) => receive(socket, text));
  socket.on('close', () => {
    throw new Error('the server closed a connection');
  });
  return socket;
}

function send(socket: TLSSocket, atMs: number): void {
  sent.set(socket, { atMs, text: '' });
  socket.write(head);
}

/** Handles received text. Once a whole response has arrived, records the time since the request was due. */
function receive(socket: TLSSocket, text: string): void {
  const request = sent.get(socket);
  if (!request) throw new Error('the server sent bytes without a request');
  request.text += text;
  const headEnd = request.text.indexOf('\r\n\r\n');
  if (headEnd < 0) return;
  if (!request.text.startsWith('HTTP/1.1 200')) throw new Error(request.text.slice(0, 200));
  const [, length = ''] = /^content-length: (\d+)/im.exec(request.text) ?? [];
  if (request.text.length < headEnd + 4 + Number(length)) return;
  finished++;
  if (request.atMs - startedAt >= WARM_UP_S * 1000) timesMs.push(performance.now() - request.atMs);
  sent.delete(socket);
  const next = waiting.shift();
  if (next === undefined) free.push(socket);
  else send(socket, next);
}
