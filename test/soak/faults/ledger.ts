import { setTimeout as delay } from 'node:timers/promises';
import { createClient } from '../../../shared/client/client.ts';
import { hold } from '../../../shared/operations/domains/hold-hostname.ts';
import { edgeVisitor, type Visit } from '../../service/edge/edge-visitor.ts';
import { api } from '../../service/run-service.ts';
import type { FaultNode } from './fault-nodes.ts';
import type { FaultWorld } from './fault-world.ts';

/** A record of all responses and events that clients and visitors of the nodes got. */
export interface Ledger {
  /** Ids of domains whose create got a success response. */
  created: Set<string>;
  /** Ids of domains whose deletion got a success response. */
  deleted: Set<string>;
  /** Number of responses by status and code. */
  answers: Map<string, number>;
  /** Ids of the events in each node's stream, in order. */
  streamed: Map<FaultNode, string[]>;
  visits: number;
  /** Visits without a response from a running node. */
  refused: { node: string; at: number; reason: string }[];
  /** For each hostname that was deleted or put on hold, the milliseconds until every edge that can read the database stopped serving it. */
  endedAfterMs: number[];
  /** Responses that no client should ever get. */
  wrong: string[];
  /**
   * Deletes the next live domain or puts it on hold, and checks that the edges stop serving its hostname. @param blind nodes that cannot
   * read the change.
   */
  endOne(blind: readonly FaultNode[]): Promise<void>;
  /** Ends the writes and visits. The streams continue until `close`. */
  stop(): Promise<void>;
  close(): Promise<void>;
}

const WRITERS = 8;
const WRITE_EVERY_MS = 240;
const VISIT_EVERY_MS = 60;
const VISIT_MS_MAX = 3_000;
/** Every response of the API takes less time than this. */
const ANSWER_MS_MAX = 15_000;
/** The contract's limit for how long a hostname may still respond after it was deleted or put on hold. */
const ENDED_MS_MAX = 5_000;

/** Starts the writes, visits and streams. @param writable the nodes that get the writes; by default all. */
export function openLedger(world: FaultWorld, writable = nodesWithApi(world)): Ledger {
  const { nodes, live } = world;
  let isRunning = true;
  const stopping = new AbortController();
  const ledger: Ledger = {
    created: new Set(),
    deleted: new Set(),
    answers: new Map(),
    streamed: new Map(nodesWithApi(world).map((node) => [node, []])),
    visits: 0,
    refused: [],
    endedAfterMs: [],
    wrong: [],
    endOne,
    async stop() {
      isRunning = false;
      await Promise.all(writers);
      await Promise.all(visitors);
    },
    async close() {
      stopping.abort();
      await Promise.all(streams);
    },
  };

  /** Repeats a request, with the same Idempotency-Key, until a node responds. */
  async function write(request: string, key: string, body?: object) {
    for (let n = Math.floor(Math.random() * writable.length); ; n++) {
      const node = writable[n % writable.length] as FaultNode;
      const sent = api(node.apiUrl, world.testKey, request, body, body && { 'idempotency-key': key });
      const answer = await Promise.race([sent.catch(() => null), delay(ANSWER_MS_MAX, null)]);
      const code = (answer?.body?.['error'] as { code?: string } | undefined)?.code;
      count(answer === null ? 'no response' : `${answer.status}${code === undefined ? '' : ` ${code}`}`);
      if (answer !== null && answer.status < 500 && answer.status !== 429 && answer.status !== 409)
        return answer;
      if (!isRunning && n > 300) throw new Error(`${request} was never answered`);
      await delay(200);
    }
  }

  const count = (what: string) => ledger.answers.set(what, (ledger.answers.get(what) ?? 0) + 1);

  async function writeOn(loop: number): Promise<void> {
    for (let n = 0; isRunning; n++) {
      const { status, body } = await write('POST /domains', `l${loop}-${n}`, {
        hostname: `d${n}.l${loop}.example.com`,
      });
      if (status !== 201) ledger.wrong.push(`POST answered ${status}: ${JSON.stringify(body)}`);
      else ledger.created.add(body.id);
      if (n % 3 === 0) {
        await write(`DELETE /domains/${body.id}`, '');
        ledger.deleted.add(body.id);
      }
      await delay(WRITE_EVERY_MS * (0.5 + Math.random()));
    }
  }

  async function visitOn(node: FaultNode): Promise<void> {
    while (isRunning) {
      const domain = live[Math.floor(Math.random() * live.length)];
      if (domain !== undefined && node.isUp) {
        const seen = await visit(node, domain.hostname, world.ca.certificate);
        ledger.visits += 1;
        const isEnding = !live.includes(domain);
        if (typeof seen === 'string') {
          if (node.isUp && !isEnding) ledger.refused.push({ node: node.name, at: Date.now(), reason: seen });
        } else if (seen.status === 308 ? seen.location !== `https://${domain.hostname}/a` : !isEnding) {
          ledger.wrong.push(`${node.name} answered ${seen.status} ${seen.location} for ${domain.hostname}`);
        }
      }
      await delay(VISIT_EVERY_MS);
    }
  }

  let ends = 0;
  async function endOne(blind: readonly FaultNode[]): Promise<void> {
    const domain = live.shift();
    if (domain === undefined) throw new Error('no live domain is left');
    if (ends++ % 3 === 2 && world.database() === world.pair.primary)
      await hold(world.composition.context, 'faults', domain.hostname, null);
    else await deleteLive(domain.id, blind);
    const endedAt = performance.now();
    const watched = nodes.filter((node) => !blind.includes(node) && node.isUp);
    const after = await Promise.all(
      watched.map(async (node) => {
        let last = 0;
        while (performance.now() - endedAt < ENDED_MS_MAX + 2_000) {
          const seen = await visit(node, domain.hostname, world.ca.certificate);
          if (typeof seen !== 'string' && seen.status === 308) last = performance.now() - endedAt;
          else if (performance.now() - endedAt > last + 500) break;
          await delay(50);
        }
        if (last > ENDED_MS_MAX && node.isUp)
          ledger.wrong.push(`${node.name} served ${domain.hostname} for ${last} ms`);
        return last;
      }),
    );
    ledger.endedAfterMs.push(Math.max(0, ...after));
  }

  async function deleteLive(id: string, blind: readonly FaultNode[]): Promise<void> {
    for (let n = 0; ; n++) {
      const able = nodesWithApi(world).filter((node) => !blind.includes(node) && node.isUp);
      const node = able[n % able.length] as FaultNode;
      const answer = await api(node.apiUrl, world.liveKey, `DELETE /domains/${id}`).catch(() => null);
      if (answer?.status === 204 || answer?.status === 404) return;
      await delay(200);
    }
  }

  async function streamFrom(node: FaultNode): Promise<void> {
    const client = createClient({ apiKey: world.testKey, baseUrl: node.apiUrl });
    const ids = ledger.streamed.get(node) ?? [];
    for await (const { id } of client.events.follow({ signal: stopping.signal })) ids.push(id);
  }

  const streams = nodesWithApi(world).map(streamFrom);
  const writers = Array.from({ length: WRITERS }, (_, loop) => writeOn(loop));
  const visitors = nodes.map(visitOn);
  return ledger;
}

const nodesWithApi = ({ nodes }: FaultWorld) => nodes.filter(({ hasApi }) => hasApi);

/** Sends a visitor's request over a new connection. @returns the response, or the reason why no response came. */
export async function visit(node: FaultNode, hostname: string, ca: string): Promise<Visit | string> {
  using visitor = edgeVisitor({ host: '127.0.0.1', port: node.edgePort }, ca);
  const asked = visitor.visit(`www.${hostname}`, '/a').catch((error: Error) => error.message);
  return await Promise.race([asked, delay(VISIT_MS_MAX, 'no response')]);
}
