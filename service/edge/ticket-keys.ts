import { hkdfSync } from 'node:crypto';
import { DAY_MS, type Instant, MINUTE_MS } from '../../shared/core/instant.ts';
import type { Clock } from '../../shared/ports/system.ts';
import type { EncryptionKeys } from '../settings/setting-kinds.ts';
import type { EdgeEngine } from './engine.ts';

/**
 * Derives the session ticket keys of a day (UTC). All nodes with the same key ring derive the same keys without exchanging them
 * (`decisions/0016`).
 */
export function ticketKeysOf({ keys, current }: EncryptionKeys, now: Instant, bytes: number): Buffer {
  const key = keys.get(current);
  if (key === undefined) throw new Error(`There is no edge key "${current}"`);
  return Buffer.from(hkdfSync('sha256', key, '', `tls-session-tickets:${Math.floor(now / DAY_MS)}`, bytes));
}

/** Gives an edge the new keys when a day begins. @returns a function that stops the rotation. */
export function rotateTicketKeys(
  edge: Pick<EdgeEngine, 'setTicketKeys' | 'ticketKeyBytes'>,
  ring: EncryptionKeys,
  clock: Clock,
): () => void {
  let day = -1;
  const rotate = () => {
    const now = clock.now();
    if (Math.floor(now / DAY_MS) === day) return;
    day = Math.floor(now / DAY_MS);
    edge.setTicketKeys(ticketKeysOf(ring, now, edge.ticketKeyBytes));
  };
  rotate();
  const timer = setInterval(rotate, MINUTE_MS).unref();
  return () => clearInterval(timer);
}
