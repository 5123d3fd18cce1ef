import { sql } from 'kysely';
import type { Log } from '../shared/ports/log.ts';
import { inTransaction, type Store } from '../shared/store/store.ts';

/** Whether the database takes writes, by the outcome of those that this node makes. */
export interface WriteWatch {
  /** A query failed. */
  failed(error: unknown): void;
  /** Says why writes are refused; null while they are not, as far as this node knows. */
  problem(): string | null;
  close(): void;
}

export interface WriteWatchOptions {
  /** Writes something that takes new space. */
  probe: () => Promise<void>;
  log: Log;
  every_ms?: number;
}

/** Looks at each query that failed. Once the database had no room for a write it is probed every 10 s, until it has. */
export function createWriteWatch({ probe, log, every_ms = 10_000 }: WriteWatchOptions): WriteWatch {
  let problem: string | null = null;
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  function probeLater(): void {
    if (closed) return;
    timer = setTimeout(() => {
      probe().then(passed, (error: unknown) => {
        // Away, or refused for another reason: the disk is as full as it was.
        problem = refusalOf(error) ?? problem;
        probeLater();
      });
    }, every_ms).unref();
  }

  function passed(): void {
    problem = null;
    log.warn({}, 'the database takes writes again');
  }

  return {
    failed(error) {
      const refusal = refusalOf(error);
      if (refusal === null || problem !== null) return;
      problem = refusal;
      log.error({ error }, 'the database refuses writes: free space on its disk');
      probeLater();
    },
    problem: () => problem,
    close() {
      closed = true;
      clearTimeout(timer);
    },
  };
}

/** Makes Postgres take a page of its disk and give it back. An update would find room in a page that is there already. */
export async function probeWrites(store: Store): Promise<void> {
  await inTransaction(store, async ({ db }) => {
    await sql`create temporary table nameplate_write_probe (filler text) on commit drop`.execute(db);
    await sql`insert into nameplate_write_probe values ('x')`.execute(db);
  });
}

/** SQLSTATE: disk_full, and io_error. */
const REFUSALS = new Set(['53100', '58030']);

function refusalOf(error: unknown): string | null {
  const is_refusal = error instanceof Error && 'code' in error && REFUSALS.has(String(error.code));
  return is_refusal ? error.message : null;
}
