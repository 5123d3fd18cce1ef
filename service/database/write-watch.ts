import { randomBytes, randomUUID } from 'node:crypto';
import type { AuditId } from '../../shared/core/ids.ts';
import type { Log } from '../../shared/ports/system.ts';
import type { Store } from '../../shared/store/store.ts';

/** Detects from the errors of this node's own writes whether the database accepts writes. */
export interface WriteWatch {
  /** Call with the error of each failed query. */
  failed(error: unknown): void;
  /** Returns the reason why the database refuses writes, or null if no refusal is known. */
  problem(): string | null;
  close(): void;
}

export interface WriteWatchOptions {
  /** Tries to write a row that needs new disk space. */
  probe: () => Promise<void>;
  log: Log;
  everyMs?: number;
}

/**
 * Creates the watch. After a write has failed because the disk is full or broken, the watch probes the database until a probe succeeds.
 * @param everyMs interval of the probes, 10 s by default.
 */
export function createWriteWatch({ probe, log, everyMs = 10_000 }: WriteWatchOptions): WriteWatch {
  let problem: string | null = null;
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  function probeLater(): void {
    if (closed) return;
    timer = setTimeout(() => {
      probe().then(passed, (error: unknown) => {
        // Keep the known problem if the probe fails for another reason, because the disk may still be full.
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

/** The size of the probe's value. Postgres stores a value of this size outside the row, on pages of its own. */
const PROBE_BYTES = 12_000;

/**
 * Makes Postgres allocate new pages on the disk of its tables, then rolls back. Inserts into the audit log: the service never deletes from
 * this table, so it has no free space to reuse. A temporary table needs a privilege and may be on another disk.
 * @throws the database's error, such as 53100 while its disk is full.
 */
export async function probeWrites({ db }: Store): Promise<void> {
  const id = `write_probe_${randomUUID()}` as AuditId;
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

/** The SQLSTATE codes disk_full and io_error. */
const REFUSALS = new Set(['53100', '58030']);

function refusalOf(error: unknown): string | null {
  const isRefusal = error instanceof Error && 'code' in error && REFUSALS.has(String(error.code));
  return isRefusal ? error.message : null;
}
