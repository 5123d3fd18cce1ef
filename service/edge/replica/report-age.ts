import { HOUR_MS } from '../../../shared/core/instant.ts';
import type { Log } from '../../../shared/ports/system.ts';
import type { EdgeReplica } from './edge-replica.ts';

/**
 * Logs an error each hour while a replica is older than `maxMs`. The edge goes on serving. @returns a function that stops the timer.
 */
export function reportAge(replica: Pick<EdgeReplica, 'ageMs'>, maxMs: number, log: Log): () => void {
  const timer = setInterval(() => {
    const ageMs = replica.ageMs();
    if (ageMs <= maxMs) return;
    const hours = Math.floor(ageMs / HOUR_MS);
    log.error({ hours }, 'the replica of this edge is out of date, so the edge serves old values');
  }, HOUR_MS).unref();
  return () => clearInterval(timer);
}
