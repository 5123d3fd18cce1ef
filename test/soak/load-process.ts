import { once } from 'node:events';
import { connect } from 'node:net';

/** A program that runs API clients as the `PLAN` variable describes. Prints one JSON document, `LoadResult`, at the end. */
export interface LoadPlan {
  url: string;
  forMs: number;
  connections: number;
  /** API keys. They are used in turn, one for each request. */
  keys: readonly string[];
  /** Paths, used in turn. `{n}` becomes a number that no other request has. */
  requests: readonly LoadRequest[];
  /** Time between a connection's requests. If it is 0, the next one follows the response at once. */
  everyMs: number;
}

export interface LoadRequest {
  method: 'GET' | 'POST';
  path: string;
  body?: object;
}

export interface LoadResult {
  /** Responses by status. */
  statuses: Record<string, number>;
  /** Durations of successful responses in milliseconds, recorded only if connections have pauses. */
  tookMs: number[];
}

const plan: LoadPlan = JSON.parse(process.env['PLAN'] ?? '');
const { hostname: host, port } = new URL(plan.url);
const until = performance.now() + plan.forMs;
const result: LoadResult = { statuses: {}, tookMs: [] };
let sent = 0;

await Promise.all(Array.from({ length: plan.connections }, (_, index) => client(index)));
console.log(JSON.stringify(result));
process.exit();

/** Sends requests one after another over an open connection. It parses only the HTTP that this API sends. */
async function client(index: number): Promise<void> {
  const socket = connect(Number(port), host).setNoDelay(true);
  await once(socket, 'connect');
  // Connections with pauses start one after another.
  let nextAt = performance.now() + (plan.everyMs * index) / plan.connections;
  while (nextAt < until) {
    await pause(nextAt - performance.now());
    const sentAt = performance.now();
    socket.write(nextRequest());
    const status = await readStatus(socket);
    if (performance.now() > until) break;
    result.statuses[status] = (result.statuses[status] ?? 0) + 1;
    if (plan.everyMs > 0 && status < 300) result.tookMs.push(performance.now() - sentAt);
    nextAt = plan.everyMs === 0 ? performance.now() : Math.max(nextAt + plan.everyMs, performance.now());
  }
  socket.destroy();
}

function nextRequest(): string {
  const n = sent++;
  const { method, path, body } = plan.requests[n % plan.requests.length] as LoadRequest;
  const key = plan.keys[n % plan.keys.length];
  const text = body === undefined ? '' : JSON.stringify(body).replaceAll('{n}', `${process.pid}-${n}`);
  const type =
    body === undefined ? '' : `content-type: application/json\r\ncontent-length: ${text.length}\r\n`;
  return `${method} ${path} HTTP/1.1\r\nhost: ${host}\r\nauthorization: Bearer ${key}\r\n${type}\r\n${text}`;
}

/** @returns the status once the whole response has arrived. @throws Error if the connection ends before that. */
function readStatus(socket: ReturnType<typeof connect>): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  let head = '';
  let bodyBytes = Number.NaN;
  const onClose = () => reject(new Error(`the connection ended after: ${head}`));
  const onData = (part: Buffer) => {
    if (Number.isNaN(bodyBytes)) {
      head += part.toString('latin1');
      const headEnd = head.indexOf('\r\n\r\n');
      if (headEnd < 0) return;
      const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0);
      bodyBytes = headEnd + 4 + length - head.length;
    } else bodyBytes -= part.length;
    if (bodyBytes > 0) return;
    socket.off('data', onData).off('close', onClose);
    resolve(Number(head.slice(9, 12)));
  };
  socket.on('data', onData).on('close', onClose);
  return promise;
}

function pause(ms: number): Promise<void> | undefined {
  return ms <= 0 ? undefined : new Promise((resolve) => setTimeout(resolve, ms));
}
