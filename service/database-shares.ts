import { onePartInto, type SlotRules } from '../shared/core/fair-slots.ts';
import { Turns } from '../shared/ports/turns.ts';

/** Of the connections that all others leave, an app holds one part in so many. */
const PARTS = 5;
/** Shorter than clients wait for a response, and as long as the pool waits for a new connection. */
const WAIT_MS = 5000;
/** A request waits for its turn in the API first, so that this bounds only what a single request asks for at once. */
const QUEUED = { queuedMax: 20_000, queuedPerPartyMax: 5_000 };

/** The party of whatever a node does on its own account: jobs, deliveries, its clock. */
export const NODE_WORK = 'the node';
/** The party of the customers' pages. */
export const CONNECT_PAGES = 'connect pages';

/**
 * Shares out the connections of the API and the worker.
 * @param hasApi false: the node's own work may take them all.
 */
export function poolTurns(connectionsMax: number, hasApi: boolean): Turns {
  const ofApps = onePartInto(PARTS);
  const nodeMax = hasApi ? connectionsMax - Math.ceil(connectionsMax / PARTS) : connectionsMax;
  return turnsOf(connectionsMax, (taken, free, partyName) =>
    partyName === NODE_WORK ? taken < nodeMax : ofApps(taken, free, partyName),
  );
}

/** One connection that parties take in turn. */
export function singleTurns(): Turns {
  return turnsOf(1, () => true);
}

function turnsOf(slotsMax: number, mayTake: SlotRules['mayTake']): Turns {
  return new Turns({ ...QUEUED, slotsMax, mayTake }, WAIT_MS);
}
