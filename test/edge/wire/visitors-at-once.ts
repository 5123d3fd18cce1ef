import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { parseAnswer, rawVisitor } from './raw-visitor.ts';

/** A visitor that sends one request over its own connection. `servername` is null for plain HTTP. */
export interface Visit {
  hostname: string;
  path: string;
  servername: string | null;
}

/** The response to a visitor. If the connection failed, `status` is null and `body` is the error. */
export interface Answer {
  status: number | null;
  body: string;
}

/** Sends all requests at once. Uses its own thread, because the edge under test runs in this thread. @returns the responses in order. */
export function visitAtOnce(port: number, visits: readonly Visit[]): Promise<Answer[]> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL(import.meta.url), { workerData: { port, visits } });
    worker.once('message', resolve).once('error', reject);
  });
}

/** Counts the responses by status, and the failed connections by error. */
export function tally(answers: readonly Answer[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status, body } of answers) {
    const name = status === null ? body : String(status);
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

async function visit(port: number, { hostname, path, servername }: Visit): Promise<Answer> {
  try {
    using visitor = await rawVisitor(port, servername ?? undefined);
    visitor.write(`GET ${path} HTTP/1.1\r\nHost: ${hostname}\r\nConnection: close\r\n\r\n`);
    const { status, body } = parseAnswer(await visitor.ended());
    return { status, body };
  } catch (error) {
    return { status: null, body: String(error) };
  }
}

if (!isMainThread && workerData?.visits !== undefined) {
  const { port, visits } = workerData as { port: number; visits: Visit[] };
  parentPort?.postMessage(await Promise.all(visits.map((each) => visit(port, each))));
}
