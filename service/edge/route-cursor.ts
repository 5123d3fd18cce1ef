import { sql } from 'kysely';
import { MINUTE_MS } from '../../shared/core/instant.ts';
import type { Clock } from '../../shared/ports/clock.ts';
import {
  lastRouteChange,
  listRouteChanges,
  type RouteChange,
} from '../../shared/store/domains/route-changes.ts';
import type { Store } from '../../shared/store/store.ts';

/** Longer than any transaction takes. A number missing for this long belongs to a transaction that was rolled back. */
const MISSING_MS = MINUTE_MS;
/** A limit that is higher than the number of concurrent transactions. */
const OVERLAP = 500;
const PAGE = 1000;

/**
 * A position in the list of route changes that skips no change. Writes take numbers in order, but transactions commit in another order. So
 * the cursor keeps looking for missing numbers until no transaction can still commit them.
 */
export class RouteCursor {
  readonly #store: Store;
  readonly #machine: Clock;
  /** Identifies the server and the table that issued the numbers. */
  #source = '';
  #after = 0;
  /** Missing numbers, each with the time at which it was found missing. */
  #missing = new Map<number, number>();

  constructor(store: Store, machine: Clock) {
    this.#store = store;
    this.#machine = machine;
  }

  /**
   * Moves to the end of the list. Rows read from the database after this call include every change up to here, and `read` returns all
   * others.
   */
  async begin(): Promise<void> {
    this.#source = await sourceOf(this.#store);
    this.#after = Math.max(0, (await lastRouteChange(this.#store)) - OVERLAP);
    this.#missing.clear();
  }

  /** Returns true if the numbers of changes now come from another server or table. New changes could then have numbers that the cursor has already passed. */
  async isLost(): Promise<boolean> {
    return (await sourceOf(this.#store)) !== this.#source;
  }

  /** Returns the new changes. They are returned again by the next call, unless `pass` is called with them. */
  async read(): Promise<{ changes: RouteChange[]; more: boolean }> {
    const place = { after: this.#after, missing: [...this.#missing.keys()], limit: PAGE };
    const changes = await listRouteChanges(this.#store, place);
    return { changes, more: changes.length === PAGE };
  }

  pass(changes: readonly RouteChange[]): void {
    const now = this.#machine.now();
    for (const { seq } of changes) {
      for (let leftOut = this.#after + 1; leftOut < seq; leftOut++) this.#missing.set(leftOut, now);
      this.#missing.delete(seq);
      this.#after = Math.max(this.#after, seq);
    }
    for (const [seq, since] of this.#missing) if (now - since > MISSING_MS) this.#missing.delete(seq);
  }
}

/**
 * Identifies the source of the numbers: the start of the server, which changes with a restart or failover, and the id of the table, which
 * changes with a restore.
 */
async function sourceOf({ db }: Store): Promise<string> {
  const { rows } = await sql<{ source: string }>`
    select extract(epoch from pg_postmaster_start_time()) || ' ' || 'route_changes'::regclass::oid as source`.execute(
    db,
  );
  return rows[0]?.source ?? '';
}
