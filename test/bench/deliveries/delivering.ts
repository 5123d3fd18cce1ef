import { once } from 'node:events';
import path from 'node:path';
import { Agent, type Dispatcher } from 'undici';
import { composeEmulator } from '../../../emulator/compose.ts';
import type { TriggerName } from '../../../shared/core/domains/transitions.ts';
import { createDomain } from '../../../shared/operations/domains/create-domain.ts';
import { triggerDomain } from '../../../shared/operations/domains/trigger-domain.ts';

/**
 * The sending process of `ordered-deliveries.bench.ts`. When it gets a message, it delivers a backlog with the emulator's runner, or posts
 * the same number of plain bodies. It responds with the time that the work took.
 */
export interface Work {
  how: 'memory' | 'file' | 'bare';
  receiver_url: string;
  domains: number;
  events_per_domain: number;
  /** The folder for the SQLite store. */
  folder: string;
}

export interface Cost {
  wallMs: number;
  cpu_ms: number;
}

const CONCURRENCY = 20;
const LOG = { info: () => undefined, warn: console.error, error: console.error };

const [work] = (await once(process, 'message')) as [Work];
process.send?.(work.how === 'bare' ? await post(work) : await deliver(work, work.how));
process.disconnect();

async function deliver(work: Work, how: 'memory' | 'file'): Promise<Cost> {
  const emulator = await composeEmulator({
    file: how === 'file' ? path.join(work.folder, `${process.hrtime.bigint()}.db`) : null,
    origin: null,
    webhook: work.receiver_url,
    clockMode: 'frozen',
    idSeed: null,
    baseUrl: 'http://127.0.0.1:1',
    log: LOG,
  });
  try {
    // `exclusively` stops the runner while the backlog is created.
    await emulator.runner.exclusively(async () => {
      await fill(emulator, work);
      // With a frozen clock, each event is one millisecond later than the previous one. This move of the clock makes all events due.
      emulator.clock.moveTo(emulator.clock.now() + work.events_per_domain);
    });
    return await measure(async () => {
      await once(process, 'message'); // The receiver now has all of them.
      await emulator.runner.exclusively(async () => undefined); // All of them are now recorded too.
    });
  } finally {
    await emulator.close();
  }
}

/** Creates domains with this many unsent events each. */
async function fill(
  { context, defaultApp }: Awaited<ReturnType<typeof composeEmulator>>,
  { domains, events_per_domain }: Work,
): Promise<void> {
  const caller = { app_id: defaultApp().id, account_id: '' as never, key_id: '' as never };
  for (let n = 0; n < domains; n++) {
    const { body } = await createDomain(
      context,
      { ...caller, mode: 'test', idempotency: null },
      {
        body: { hostname: `careers.example-${n}.com` },
      },
    );
    for (const name of triggers(events_per_domain - 1)) await triggerDomain(context, body.id, name);
  }
}

function triggers(count: number): TriggerName[] {
  const first: TriggerName[] = ['dns_confirmed', 'certificate_issued'];
  const then: TriggerName[] = ['dns_gone', 'dns_confirmed'];
  return Array.from({ length: count }, (_, i) => (first[i] ?? then[i % 2]) as TriggerName);
}

async function post({ receiver_url, domains, events_per_domain }: Work): Promise<Cost> {
  const agent = new Agent({ connections: CONCURRENCY, pipelining: 1 });
  const { origin, pathname } = new URL(receiver_url);
  const request: Dispatcher.RequestOptions = {
    origin,
    path: pathname,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ padding: 'x'.repeat(1_500) }),
  };
  let left = domains * events_per_domain;
  const connection = async () => {
    while (left-- > 0) await (await agent.request(request)).body.dump();
  };
  try {
    return await measure(() => Promise.all(Array.from({ length: CONCURRENCY }, connection)));
  } finally {
    await agent.close();
  }
}

async function measure(work: () => Promise<unknown>): Promise<Cost> {
  const cpuBefore = process.cpuUsage();
  const startedAt = performance.now();
  await work();
  const wallMs = performance.now() - startedAt;
  const { user, system } = process.cpuUsage(cpuBefore);
  return { wallMs, cpu_ms: (user + system) / 1000 };
}
