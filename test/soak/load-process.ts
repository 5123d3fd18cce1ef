import { once } from 'node:events';
import { connect } from 'node:net';

/** A program that runs API clients as the `PLAN` variable describes. Prints one JSON document, `LoadResult`, at the end. */
export interface LoadPlan {
  url: string;
  forMs: number;
  connections: number;
  /** API keys. Each request uses the next one in turn. */
  keys: readonly string[];
  /** The requests to send, in turn. `{n}` in a path becomes a number that no other request has. */
  requests: readonly LoadRequest[];
  /** The time between the requests of a connection. If 0, the next request follows each response immediately. */
  everyMs: number;
}

export interface LoadRequest {
  method: 'GET' | 'POST';
  path: string;
  body?: object;
}

export interface LoadResult {
  /** The number of responses by status. */
  statuses: Record<string, number>;
  /** The durations of successful requests in milliseconds, recorded only if `everyMs` is not 0. */
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
  // Spreads the first requests of the connections over `everyMs`.
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

/** @returns the status once the whole response has arrived. @throws Error if the connection ends before the response is complete. */
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
