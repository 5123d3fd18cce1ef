import { createTurns, type Turns } from '../../shared/adapters/turns.ts';
import { BUDGETS } from '../../shared/core/budgets.ts';
import { fractionOfFree, type SlotRules } from '../../shared/core/fairness/fair-slots.ts';

/** An account may use at most 1/`PARTS` of the connections that other accounts, connect pages and the node's own work leave free. */
const { parts: PARTS } = BUDGETS.connections;
/** The maximum wait for a connection. It is shorter than the time that clients wait for a response, and equal to the pool's timeout. */
const WAIT_MS = 5000;
/**
 * The limits for queries that wait for a connection. Only requests with many queries reach them, because the API already limits waiting
 * requests.
 */
const QUEUED = { queuedMax: 20_000, queuedPerPartyMax: 5_000 };

/** The party name of the node's own work: jobs, deliveries and the clock. */
export const NODE_WORK = 'the node';
/** The party name of the connect pages. */
export const CONNECT_PAGES = 'connect pages';

/**
 * Returns the turns of the main pool, by which the API, the worker and the connect pages share the connections.
 * @param hasApi false if the node has no API. The node's own work may then take all connections.
 */
export function poolTurns(connectionsMax: number, hasApi: boolean): Turns {
  const ofAccounts = fractionOfFree(PARTS);
  const nodeMax = hasApi ? connectionsMax - Math.ceil(connectionsMax / PARTS) : connectionsMax;
  return turnsOf(connectionsMax, (taken, free, partyName) =>
    partyName === NODE_WORK ? taken < nodeMax : ofAccounts(taken, free, partyName),
  );
}

/** Returns turns for a single connection, which all parties use one after the other. */
export function singleTurns(): Turns {
  return turnsOf(1, () => true);
}

function turnsOf(slotsMax: number, mayTake: SlotRules['mayTake']): Turns {
  return createTurns({ ...QUEUED, slotsMax, mayTake }, WAIT_MS);
}
