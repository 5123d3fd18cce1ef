import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Cluster, ClusterNode } from './cluster.ts';

/** The results of a load, including every wrong response. */
export interface Load {
  /** Ids of the domains that were added. */
  created: string[];
  /** Number of revoked keys that every node then refused. */
  revoked: number;
  /** Number of responses by status. */
  answers: Record<number, number>;
  wrong: string[];
  /** Repeats the requests that got no final response. */
  finish(): Promise<void>;
}

/** Time within which every node must refuse a revoked key (`docs/api.md#authentication`). */
const REVOKED_MS = 5_000;
const WATCH_MS = 250;
const WATCHES_MAX = 100;
const TRIES_MAX = 5;
/** This time is longer than the service's longest wait, which is the wait for its database. */
const ANSWER_MS_MAX = 15_000;

interface Request {
  call: string;
  key: string;
  body?: object;
  idempotencyKey?: string;
  /**
   * Expected statuses. If `rightAgain` is set, a retry expects those statuses instead, because the first attempt may have succeeded.
   */
  right: readonly number[];
  rightAgain?: readonly number[];
}

interface Answer {
  status: number;
  body: Record<string, unknown>;
}

/** Creates and deletes domains, and creates and revokes keys, through random nodes until `stopped` resolves. */
export async function runLoad(cluster: Cluster, loops: number, stopped: Promise<void>): Promise<Load> {
  const { nodes, test_key } = cluster;
  const load: Load = { created: [], revoked: 0, answers: {}, wrong: [], finish };
  const unanswered: Request[] = [];
  const watches: Promise<void>[] = [];
  let running = true;
  stopped.then(() => {
    running = false;
  });

  const anyNode = (): ClusterNode => nodes[randomInt(nodes.length)] as ClusterNode;

  /** Sends a request. @returns null if no response came. Only a killed node may leave a request without a response. */
  async function send(node: ClusterNode, request: Request, again: boolean): Promise<Answer | null> {
    const { addresses, kills } = node;
    if (addresses === null) return null;
    const [method = '', path = ''] = request.call.split(' ');
    try {
      const response = await fetch(`${addresses.api_url}/v1${path}`, {
        method,
        signal: AbortSignal.timeout(ANSWER_MS_MAX),
        headers: {
          authorization: `Bearer ${request.key}`,
          ...(request.body && { 'content-type': 'application/json' }),
          ...(request.idempotencyKey && { 'idempotency-key': request.idempotencyKey }),
        },
        ...(request.body && { body: JSON.stringify(request.body) }),
      });
      const text = await response.text();
      const answer = { status: response.status, body: text === '' ? {} : JSON.parse(text) };
      load.answers[answer.status] = (load.answers[answer.status] ?? 0) + 1;
      const right = again ? (request.rightAgain ?? request.right) : request.right;
      if (!right.includes(answer.status) && !isCleanFailure(answer, response)) {
        load.wrong.push(`${request.call} answered ${answer.status}: ${text}`);
      }
      return answer;
    } catch (error) {
      if (node.kills === kills) load.wrong.push(`${request.call} was not answered: ${causeOf(error)}`);
      return null;
    }
  }

  /** Sends a request to random nodes until a node gives a final response. Returns null if no node does. */
  async function ask(request: Request): Promise<Answer | null> {
    for (let tries = 0; tries < TRIES_MAX; tries++) {
      const answer = await send(anyNode(), request, tries > 0);
      if (answer !== null && answer.status < 500 && answer.status !== 409) return answer;
      await sleep(100 + 100 * tries);
    }
    return null;
  }

  async function addDomains(loop: number): Promise<void> {
    for (let n = 0; running; n++) {
      const added = await add({
        call: 'POST /domains',
        key: test_key,
        body: { hostname: `d${n}.l${loop}.example.com` },
        idempotencyKey: `domain ${loop} ${n}`,
        right: [201],
        rightAgain: [201, 409],
      });
      await sleep(randomInt(20, 80));
      if (added === null) continue;
      const path = `/domains/${added}`;
      // Reads through a random node, usually another node than the one that made the change.
      const read = await ask({ call: `GET ${path}`, key: test_key, right: [200] });
      if (read !== null && read.body['id'] !== added) load.wrong.push(`GET ${path} answered another domain`);
      if (n % 3 === 0) {
        await ask({ call: `DELETE ${path}`, key: test_key, right: [204], rightAgain: [204, 404] });
      }
    }
  }

  async function add(request: Request): Promise<string | null> {
    const answer = await ask(request);
    if (answer?.status === 201) {
      load.created.push(String(answer.body['id']));
      return String(answer.body['id']);
    }
    unanswered.push(request);
    return null;
  }

  async function revokeKeys(): Promise<void> {
    for (let n = 0; running; n++) {
      const made = await ask({
        call: 'POST /keys',
        key: test_key,
        body: { name: `key ${n}`, mode: 'test' },
        idempotencyKey: `key ${n}`,
        right: [201],
        rightAgain: [201, 409],
      });
      if (made?.status !== 201) continue;
      const { id, key } = made.body as { id: string; key: string };
      // Uses the key at every node, so that every node has it in memory.
      await Promise.all(
        nodes.map((node) => send(node, { call: 'GET /apps/current', key, right: [200] }, false)),
      );
      const revoked = await ask({
        call: `DELETE /keys/${id}`,
        key: test_key,
        right: [204],
        rightAgain: [204, 404],
      });
      if (revoked !== null) watches.push(watchRefusal(key, performance.now()));
      await sleep(500);
    }
  }

  /** Sends requests with a revoked key to every node, and reports a node that accepts the key for too long. */
  async function watchRefusal(key: string, revokedAt: number): Promise<void> {
    const request = { call: 'GET /apps/current', key, right: [200, 401] };
    const refused = await Promise.all(
      nodes.map(async (node, index) => {
        for (let asked = 0; asked < WATCHES_MAX; asked++) {
          const lateMs = performance.now() - revokedAt - REVOKED_MS;
          const answer = await send(node, request, false);
          if (lateMs > 0 && answer?.status === 200) {
            load.wrong.push(`node ${index} took a revoked key ${Math.round(REVOKED_MS + lateMs)} ms later`);
          }
          if (lateMs > 0 && (answer?.status === 401 || answer?.status === 200)) return answer.status === 401;
          await sleep(WATCH_MS);
        }
        load.wrong.push(`node ${index} never said whether it takes a revoked key`);
        return false;
      }),
    );
    if (refused.every(Boolean)) load.revoked += 1;
  }

  async function finish(): Promise<void> {
    for (const request of unanswered) {
      const answer = await ask({ ...request, right: [201] });
      if (answer?.status === 201) load.created.push(String(answer.body['id']));
      else load.wrong.push(`${request.call} was never answered: ${JSON.stringify(request.body)}`);
    }
  }

  await Promise.all([...Array.from({ length: loops }, (_, loop) => addDomains(loop)), revokeKeys()]);
  await Promise.all(watches);
  return load;
}

const UNAVAILABLE = new Set(['service_unavailable', 'database_unavailable']);

/** Returns whether the response is a documented temporary error with `Retry-After`. */
function isCleanFailure({ status, body }: Answer, { headers }: Response): boolean {
  const { code } = (body['error'] ?? {}) as { code?: string };
  return status === 503 && UNAVAILABLE.has(code ?? '') && headers.has('retry-after');
}

function causeOf(error: unknown): string {
  return error instanceof Error ? `${error.message}, ${String(error.cause)}` : String(error);
}
