import type { Generated } from 'kysely';
import type { EdgeBeat } from '../../core/edge/edge-health.ts';

/** A value that edges serve from. */
export interface EdgeValueRow {
  key: string;
  epoch: number;
  number: number;
  /** Sealed. Null if the value was deleted. */
  value: Uint8Array | null;
  deleted_at: number | null;
  /** Identifies the transaction that last wrote the row (`commit-order.ts`). */
  xid: Generated<string>;
}

/** The only row names the installation, and the database that last wrote values. */
export interface EdgeSourceRow {
  id: number;
  installation: string;
  epoch: number;
  server: string;
  /** JSON: how far the reconciliation of values has come. Null before the first one. */
  reconciled: string | null;
}

/** The only row has the lease and the position of the relay (`edge-relay.ts`). */
export interface EdgeRelayRow {
  id: number;
  holder: string;
  until: number;
  /** JSON. */
  mark: string | null;
  sequence: number;
  /** JSON. */
  report: string;
}

/** The last beat of an edge machine. */
export interface EdgeBeatRow extends Omit<EdgeBeat, 'addresses'> {
  /** JSON. */
  addresses: string;
  /** The times of the database, in milliseconds, of the last beat and of the last one in the state `serving`. */
  heard_at: number;
  served_at: number | null;
}
