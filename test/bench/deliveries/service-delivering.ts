import { once } from 'node:events';
import { Agent } from 'undici';
import { type ProfiledPart, startProfile } from '../profile.ts';
import { deliverByService } from './service-deliverer.ts';
import { RIVALS } from './service-delivery-rivals.ts';

/**
 * The sending process of `service-ordered-deliveries.bench.ts`. It fills a database with a backlog and reports that it is ready. When it
 * gets a message, it delivers the whole backlog, each domain's events in order.
 */
export interface Backlog {
  receiver_url: string;
  databaseUrl: string;
  apps: number;
  domains: number;
  events_per_domain: number;
}

export interface Work extends Backlog {
  profiled: boolean;
  how: 'service' | 'bare' | keyof typeof RIVALS;
}

export interface Cost {
  wallMs: number;
  cpu_ms: number;
  /** The parts of the profile; empty without the profiler. */
  parts: ProfiledPart[];
}

/** A backlog that is ready to be delivered. */
export interface Deliverer {
  /** Starts the deliveries. */
  start(): Promise<void>;
  /** Resolves once every delivery has also been recorded. */
  finish(): Promise<void>;
}

export type Post = (body: string) => Promise<number>;

const [work] = (await once(process, 'message')) as [Work];
const agent = new Agent({ connections: 128, pipelining: 1 });
const deliverer = await prepare(work);
process.send?.('ready');
await once(process, 'message');
const endProfile = work.profiled ? await startProfile() : async () => [];
const cpuBefore = process.cpuUsage();
const startedAt = performance.now();
const received = once(process, 'message');
await deliverer.start();
await received;
await deliverer.finish();
const { user, system } = process.cpuUsage(cpuBefore);
const wallMs = performance.now() - startedAt;
const cost: Cost = { wallMs, cpu_ms: (user + system) / 1000, parts: await endProfile() };
await agent.close();
process.send?.(cost);
process.disconnect();

function prepare(work: Work): Promise<Deliverer> | Deliverer {
  if (work.how === 'bare') return bare(work);
  if (work.how === 'service') return deliverByService(work);
  return RIVALS[work.how](work, post);
}

/** Sends plain posts without a queue, with the maximum number of concurrent posts. */
function bare({ apps, domains, events_per_domain }: Backlog): Deliverer {
  let left = domains * events_per_domain;
  const body = JSON.stringify({ domain: '', n: 0, padding: 'x'.repeat(1_500) });
  const connection = async () => {
    while (left-- > 0) await post(body);
  };
  let all: Promise<unknown> = Promise.resolve();
  return {
    async start() {
      all = Promise.all(Array.from({ length: Math.min(100, apps * 20) }, connection));
    },
    async finish() {
      await all;
    },
  };
}

async function post(body: string): Promise<number> {
  const { origin, pathname } = new URL(work.receiver_url);
  const { statusCode, body: answer } = await agent.request({
    origin,
    path: pathname,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  });
  await answer.dump();
  return statusCode;
}
