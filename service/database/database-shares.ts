import { Turns } from '../../shared/adapters/turns.ts';
import { fractionOfFree, type SlotRules } from '../../shared/core/apps/fair-slots.ts';

/** An app holds at most one part in five of the connections that all others leave. */
const PARTS = 5;
/** Shorter than clients wait for a response, and equal to the pool's wait for a new connection. */
const WAIT_MS = 5000;
/** Bounds only the queries of a single request, because a request first waits for its turn in the API. */
const QUEUED = { queuedMax: 20_000, queuedPerPartyMax: 5_000 };

/** The party of the node's own work: jobs, deliveries, its clock. */
export const NODE_WORK = 'the node';
/** The party of the customers' pages. */
export const CONNECT_PAGES = 'connect pages';

/**
 * Shares out the connections of the API and the worker.
 * @param hasApi if false, the node's own work may take all connections.
 */
export function poolTurns(connectionsMax: number, hasApi: boolean): Turns {
  const ofApps = fractionOfFree(PARTS);
  const nodeMax = hasApi ? connectionsMax - Math.ceil(connectionsMax / PARTS) : connectionsMax;
  return turnsOf(connectionsMax, (taken, free, partyName) =>
    partyName === NODE_WORK ? taken < nodeMax : ofApps(taken, free, partyName),
  );
}

/** Creates a store over one connection that parties take in turn. */
export function singleTurns(): Turns {
  return turnsOf(1, () => true);
}

function turnsOf(slotsMax: number, mayTake: SlotRules['mayTake']): Turns {
  return new Turns({ ...QUEUED, slotsMax, mayTake }, WAIT_MS);
}
