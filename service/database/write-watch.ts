import { randomBytes, randomUUID } from 'node:crypto';
import type { Log } from '../../shared/ports/system.ts';
import type { Store } from '../../shared/store/store.ts';

/** Tracks whether the database accepts writes, by the results of this node's own writes. */
export interface WriteWatch {
  /** Takes the error of a failed query. */
  failed(error: unknown): void;
  /** Returns why the database refuses writes, or null if no refusal is known. */
  problem(): string | null;
  close(): void;
}

export interface WriteWatchOptions {
  /** Writes a row that takes new space. */
  probe: () => Promise<void>;
  log: Log;
  everyMs?: number;
}

/**
 * Watches failed queries. After a write fails for lack of disk space, it probes the database until a probe succeeds. @param everyMs
 * interval of the probes, 10 s by default.
 */
export function createWriteWatch({ probe, log, everyMs = 10_000 }: WriteWatchOptions): WriteWatch {
  let problem: string | null = null;
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  function probeLater(): void {
    if (closed) return;
    timer = setTimeout(() => {
      probe().then(passed, (error: unknown) => {
        // The probe may fail for another reason while the disk is still full.
        problem = refusalOf(error) ?? problem;
        probeLater();
      });
    }, everyMs).unref();
  }

  function passed(): void {
    problem = null;
    log.warn({}, 'the database accepts writes again');
  }

  return {
    failed(error) {
      const refusal = refusalOf(error);
      if (refusal === null || problem !== null) return;
      problem = refusal;
      log.error(
        { error },
        'the database refuses writes because its disk is full or failing: free some space or repair it',
      );
      probeLater();
    },
    problem: () => problem,
    close() {
      closed = true;
      clearTimeout(timer);
    },
  };
}

/** Postgres stores this many random bytes outside the row, on pages of their own. */
const PROBE_BYTES = 12_000;

/**
 * Makes Postgres allocate pages on the disk of its tables, then rolls back. An update could reuse room in an existing page. A temporary
 * table needs a privilege and may be on another disk. The audit log works, because the service never deletes from it and it has no room to
 * reuse.
 * @throws the database's error, such as 53100 while its disk is full.
 */
export async function probeWrites({ db }: Store): Promise<void> {
  const id = `write_probe_${randomUUID()}`;
  const detail = randomBytes(PROBE_BYTES).toString('base64');
  const tx = await db.startTransaction().execute();
  try {
    await tx
      .insertInto('audit_log')
      .values({ id, at: 0, actor: 'nameplate', action: 'probe', subject: '', detail })
      .execute();
  } finally {
    await tx.rollback().execute();
  }
}

/** SQLSTATE codes disk_full and io_error. */
const REFUSALS = new Set(['53100', '58030']);

function refusalOf(error: unknown): string | null {
  const isRefusal = error instanceof Error && 'code' in error && REFUSALS.has(String(error.code));
  return isRefusal ? error.message : null;
}
