import { randomUUID } from 'node:crypto';
import { SECOND_MS } from '../../core/instant.ts';
import type { HourOfTraffic, TrafficCounter } from '../../core/traffic/traffic-counter.ts';
import type { Log } from '../../ports/system.ts';
import type { TrafficBatch } from '../../store/traffic/write-traffic.ts';

/** Writes the traffic that a process counts to the database. */
export interface TrafficWriter {
  /** Writes all counts so far. @throws if the database does not respond. The next write then continues. */
  write(): Promise<void>;
  /** Stops the timer and writes all counts. Logs an error if the write fails. */
  close(): Promise<void>;
}

export interface TrafficWriterOptions {
  counter: TrafficCounter;
  log: Log;
  /** Adds a batch to the stored counts. After an error, the same batch is saved again. */
  save(batch: TrafficBatch): Promise<unknown>;
  everyMs?: number;
}

/** The interval of writes. A killed process loses at most the counts since its last write, and the counts of a running write. */
export const TRAFFIC_WRITE_EVERY_MS = 10 * SECOND_MS;
/** Maximum number of domains, and of apps, in one transaction, so that no transaction takes long. */
const BATCH_SUMS = 500;

/**
 * Starts to write the sums of a counter at intervals. If a write fails, its batches are written again later. Until then, the counter
 * continues to count in bounded memory.
 */
export function startTrafficWriter({
  counter,
  log,
  save,
  everyMs = TRAFFIC_WRITE_EVERY_MS,
}: TrafficWriterOptions): TrafficWriter {
  const writer = randomUUID();
  let number = 0;
  let unwritten: TrafficBatch[] = [];
  let writing: Promise<void> | null = null;
  let reportedLost = 0;

  async function writeAll(): Promise<void> {
    // Writes the batches of a failed write first, with the same numbers, because the database may have stored them although the write
    // failed.
    await writeBatches();
    unwritten = counter
      .take()
      .flatMap(split)
      .map((part) => ({ writer, number: ++number, ...part }));
    await writeBatches();
  }

  async function writeBatches(): Promise<void> {
    for (let batch = unwritten[0]; batch !== undefined; batch = unwritten[0]) {
      await save(batch);
      unwritten.shift();
    }
  }

  /** Writes all counts. A call during a write waits for that write, and then for another with the newest counts. */
  async function write(): Promise<void> {
    await writing?.catch(() => undefined);
    writing ??= writeAll().finally(() => {
      writing = null;
    });
    await writing;
  }

  async function writeOrLog(): Promise<void> {
    try {
      await write();
    } catch (error) {
      log.warn({ error }, 'traffic could not be written; its counts are kept in memory');
    }
    if (counter.lost > reportedLost) log.warn({ lost: counter.lost }, 'traffic of too many apps to count');
    reportedLost = counter.lost;
  }

  const timer = setInterval(() => {
    if (writing === null) void writeOrLog();
  }, everyMs).unref();

  return {
    write,
    async close() {
      clearInterval(timer);
      await writeOrLog();
    },
  };
}

/** Splits the sums of an hour into parts that one transaction can write. */
function split({ hour, domains, apps }: HourOfTraffic): Pick<TrafficBatch, 'hour' | 'domains' | 'apps'>[] {
  const parts = Math.ceil(Math.max(domains.size, apps.size) / BATCH_SUMS);
  return Array.from({ length: parts }, (_, index) => ({
    hour,
    domains: new Map(part(domains, index)),
    apps: new Map(part(apps, index)),
  }));
}

function part<K, V>(sums: Map<K, V>, index: number): [K, V][] {
  return [...sums].slice(index * BATCH_SUMS, (index + 1) * BATCH_SUMS);
}
