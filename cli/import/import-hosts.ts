import type { Client } from '../../shared/client/client.ts';
import { ApiError } from '../../shared/client/client-error.ts';
import type { CreateDomain } from '../../shared/schema/domain.ts';
import type { Output } from '../output/output.ts';
import { createProgress } from '../output/progress.ts';
import type { World } from '../settings/world.ts';
import type { ImportEntry } from './journal.ts';

/** The number of requests at a time. It is low, so that the import leaves enough of the rate limit for the app's other requests. */
const CONCURRENCY = 4;
/** The longest `Retry-After` that an import waits for, in seconds. */
const RETRY_AFTER_S_MAX = 120;
/** HTTP statuses of errors that affect only one hostname. Any other error would also affect the next hostname. */
const REFUSALS = new Set([400, 404, 409, 413, 422]);

interface ImportOptions {
  create: Client['domains']['create'];
  sleep(waitMs: number): Promise<void>;
  done(entry: ImportEntry): void;
}

/**
 * Creates the domains, a few at a time. Waits if the API responds with `Retry-After`. Calls `done` once for each hostname.
 * @throws the first error that would affect all hostnames. Throws it after the requests under way have ended.
 */
export async function importHosts(
  rows: readonly CreateDomain[],
  { create, sleep, done }: ImportOptions,
): Promise<void> {
  const queue = rows.values();
  const failures: unknown[] = [];
  const worker = async () => {
    for (const row of queue) {
      try {
        done(await createOne(row, { create, sleep }));
      } catch (error) {
        failures.push(error);
      }
      if (failures.length > 0) return;
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
  if (failures.length > 0) throw failures[0];
}

async function createOne(
  row: CreateDomain,
  { create, sleep }: Pick<ImportOptions, 'create' | 'sleep'>,
): Promise<ImportEntry> {
  const { hostname } = row;
  for (;;) {
    try {
      const { id, status, dns, warnings } = await create(row);
      return { hostname, id, status, dns, warnings: warnings ?? [] };
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const { code, message, fix } = error;
      if (REFUSALS.has(error.status)) return { hostname, error: { code, message, fix } };
      const waitS = error.status === 429 ? error.retry_after_s : undefined;
      if (waitS === undefined || waitS > RETRY_AFTER_S_MAX) throw error;
      await sleep(waitS * 1000);
    }
  }
}

const TERMINAL_INTERVAL_MS = 100;
const PLAIN_INTERVAL_MS = 10_000;

/** Shows how many hostnames were processed. */
export interface ImportProgress {
  show(done: number): void;
  close(): Promise<void>;
}

/** Shows how many of `total` items are done: a bar on a terminal, else a line every 10 seconds. */
export function importProgress(world: World, output: Output, total: number): ImportProgress {
  const { stderr, elapsedMs } = world;
  const progress = createProgress(world, output);
  const intervalMs = progress === null ? PLAIN_INTERVAL_MS : TERMINAL_INTERVAL_MS;
  const startMs = elapsedMs();
  let shownMs = startMs;
  return {
    show(done) {
      const nowMs = elapsedMs();
      if (nowMs - shownMs < intervalMs && done !== total) return;
      if (progress === null && nowMs - shownMs < intervalMs) return;
      shownMs = nowMs;
      const pace = paceText(done, total, nowMs - startMs);
      if (progress === null) stderr.write(`${done} of ${total}, ${pace}\n`);
      else progress.show({ bar: { done, total }, hint: pace });
    },
    close: async () => progress?.close(),
  };
}

function paceText(done: number, total: number, elapsedMs: number): string {
  const rate = done / Math.max(0.001, elapsedMs / 1000);
  const leftS = Math.ceil((total - done) / Math.max(rate, 0.001));
  const left = leftS < 90 ? `${leftS} s` : `${Math.ceil(leftS / 60)} min`;
  return `${rate.toFixed(rate < 10 ? 1 : 0)} a second, ${left} left`;
}

/** The pause between two reads of the app's domains that still wait for a certificate. */
const PASS_MS = 15_000;

interface WaitOptions {
  list: Client['domains']['all'];
  world: World;
  timeoutMs: number;
  /** Called after each read of the domains, with the number of domains that no longer wait for a certificate. */
  show(done: number): void;
}

/**
 * Waits until each domain has its certificate or is past `pending_dns`. Reads only the domains in `pending_dns`, 100 a request. Returns the
 * hostnames that still have no certificate after `timeoutMs`.
 */
export async function waitPrepared(
  ids: ReadonlySet<string>,
  { list, world, timeoutMs, show }: WaitOptions,
): Promise<string[]> {
  const startedMs = world.elapsedMs();
  for (;;) {
    const waiting: string[] = [];
    for await (const { id, hostname, ready_to_switch } of list({ status: 'pending_dns', limit: 100 })) {
      if (ids.has(id) && !ready_to_switch) waiting.push(hostname);
    }
    show(ids.size - waiting.length);
    const leftMs = timeoutMs - (world.elapsedMs() - startedMs);
    if (waiting.length === 0 || leftMs <= 0) return waiting;
    await world.sleep(Math.min(PASS_MS, leftMs));
  }
}
