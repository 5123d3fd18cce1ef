import type { Client } from '../../shared/client/client.ts';
import { ApiError } from '../../shared/client/client-error.ts';
import type { CreateDomain } from '../../shared/schema/domain.ts';
import type { ImportEntry } from './journal.ts';

/** Number of requests at a time. There are few, so that the app's other calls are not slowed down. */
const CONCURRENCY = 4;
/** The longest `Retry-After` that an import waits for, in seconds. */
const RETRY_AFTER_S_MAX = 120;
/** Statuses that refuse only one hostname. Any other error would also affect the next hostname. */
const REFUSALS = new Set([400, 404, 409, 413, 422]);

interface ImportOptions {
  create: Client['domains']['create'];
  sleep(waitMs: number): Promise<void>;
  done(entry: ImportEntry): void;
}

/**
 * Creates the domains, a few at a time. Waits when the API asks for it. Calls `done` once for each hostname.
 * @throws the first error that would affect all hostnames, after the requests under way have ended.
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
