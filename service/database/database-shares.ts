import { createTurns, type Turns } from '../../shared/adapters/turns.ts';
import { BUDGETS } from '../../shared/core/budgets.ts';
import { fractionOfFree, type SlotRules } from '../../shared/core/fairness/fair-slots.ts';

/** One account may hold at most this part of the connections that no other party holds. */
const { parts: PARTS } = BUDGETS.connections;
/** Longest wait for a connection. It is shorter than clients wait for a response, and equal to the pool's timeout for connecting. */
const WAIT_MS = 5000;
/** Limits for queued queries. They matter only for requests with many queries, because the API already limits waiting requests. */
const QUEUED = { queuedMax: 20_000, queuedPerPartyMax: 5_000 };

/** Party for the node's own work: jobs, deliveries and the clock. */
export const NODE_WORK = 'the node';
/** Party for the connect pages. */
export const CONNECT_PAGES = 'connect pages';

/**
 * Shares the main pool between the API, the worker and the connect pages.
 * @param hasApi false if the node has no API. Its own work may then take all connections.
 */
export function poolTurns(connectionsMax: number, hasApi: boolean): Turns {
  const ofAccounts = fractionOfFree(PARTS);
  const nodeMax = hasApi ? connectionsMax - Math.ceil(connectionsMax / PARTS) : connectionsMax;
  return turnsOf(connectionsMax, (taken, free, partyName) =>
    partyName === NODE_WORK ? taken < nodeMax : ofAccounts(taken, free, partyName),
  );
}

/** Lets all parties share one connection, one at a time. */
export function singleTurns(): Turns {
  return turnsOf(1, () => true);
}

function turnsOf(slotsMax: number, mayTake: SlotRules['mayTake']): Turns {
  return createTurns({ ...QUEUED, slotsMax, mayTake }, WAIT_MS);
}
