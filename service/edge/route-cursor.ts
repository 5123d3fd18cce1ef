import { sql } from 'kysely';
import { MINUTE_MS } from '../../shared/core/instant.ts';
import type { Clock } from '../../shared/ports/clock.ts';
import {
  lastRouteChange,
  listRouteChanges,
  type RouteChange,
} from '../../shared/store/domains/route-changes.ts';
import type { Store } from '../../shared/store/store.ts';

/** Longer than a transaction takes: a number that is missing for so long was undone. */
const MISSING_MS = MINUTE_MS;
/** More than there are transactions at a time. */
const OVERLAP = 500;
const PAGE = 1000;

/**
 * A place in the list of route changes that passes by none. Numbers are given in the order of the writes and seen in that of the commits,
 * so those that are left out are looked for until nobody can commit them any more.
 */
export class RouteCursor {
  readonly #store: Store;
  readonly #machine: Clock;
  /** Where the numbers come from. */
  #source = '';
  #after = 0;
  /** And when each was found missing. */
  #missing = new Map<number, number>();

  constructor(store: Store, machine: Clock) {
    this.#store = store;
    this.#machine = machine;
  }

  /** Takes its place at the end: all that is read from the database after this is covered, or comes with `read`. */
  async begin(): Promise<void> {
    this.#source = await sourceOf(this.#store);
    this.#after = Math.max(0, (await lastRouteChange(this.#store)) - OVERLAP);
    this.#missing.clear();
  }

  /** Whether numbers come from elsewhere now, so that what is new may have one that was passed, or what was passed may never have been. */
  async isLost(): Promise<boolean> {
    return (await sourceOf(this.#store)) !== this.#source;
  }

  /** What is new. It is new again at the next time, unless `pass` was told that it has been dealt with. */
  async read(): Promise<{ changes: RouteChange[]; more: boolean }> {
    const place = { after: this.#after, missing: [...this.#missing.keys()], limit: PAGE };
    const changes = await listRouteChanges(this.#store, place);
    return { changes, more: changes.length === PAGE };
  }

  pass(changes: readonly RouteChange[]): void {
    const now = this.#machine.now();
    for (const { seq } of changes) {
      for (let left_out = this.#after + 1; left_out < seq; left_out++) this.#missing.set(left_out, now);
      this.#missing.delete(seq);
      this.#after = Math.max(this.#after, seq);
    }
    for (const [seq, since] of this.#missing) if (now - since > MISSING_MS) this.#missing.delete(seq);
  }
}

/** The start of the server, another one after a failover or a restart, and the list itself, another one after a restore. */
async function sourceOf({ db }: Store): Promise<string> {
  const { rows } = await sql<{ source: string }>`
    select extract(epoch from pg_postmaster_start_time()) || ' ' || 'route_changes'::regclass::oid as source`.execute(
    db,
  );
  return rows[0]?.source ?? '';
}
