import type { IncomingMessage, Server } from 'node:http';
import type { H3Event } from 'h3';
import type { ClientAddresses } from '../adapters/client-addresses.ts';
import { REQUEST_EVENTS } from '../adapters/owned-server.ts';
import { createTurns, type Leaving, NoTurnError } from '../adapters/turns.ts';
import { BUDGETS } from '../core/budgets.ts';
import { networkOf, visitorAddress } from '../core/edge/visitor-networks.ts';
import { fractionOfFree } from '../core/fairness/fair-slots.ts';
import { createTimeShare, type TimeShareRules } from '../core/fairness/time-share.ts';
import type { AccountId } from '../core/ids.ts';
import type { Instant } from '../core/instant.ts';
import { type AddressSet, unmapped } from '../core/net/address-set.ts';
import type { Context } from '../operations/context.ts';
import { type Store, withinTime } from '../store/store.ts';

/**
 * Shares a node's capacity, so that neither an account nor a visitor without a key can use up the capacity of others (`decisions/0022`,
 * `decisions/0072`).
 */
export interface Admission {
  /**
   * Runs the work of an account's request when its turn comes. All apps of an account are limited together.
   * @param work the work, called with a context that uses the account's share of the database.
   * @throws NoTurnError if the turn does not come in time.
   */
  serveAccount<T>(
    accountId: AccountId,
    request: AccountRequest,
    work: (own: Context) => Promise<T>,
  ): Promise<T>;
  /**
   * Runs the work for a page that needs no key, when its turn comes. All visitors of one network are limited together. @throws NoTurnError
   * if the turn does not come in time.
   */
  servePage<T>(client: ConnectedClient, work: () => Promise<T>): Promise<T>;
  /** Delays a refusal. The more refusals the party gets, the longer the delay. */
  paceRefusal(party: string, client: ConnectedClient): Promise<void>;
}

export interface AccountRequest {
  client: ConnectedClient;
  isList: boolean;
}

/** The client of a connection: its network, and a function to learn when the client leaves. */
export interface ConnectedClient {
  network: string;
  leaving: Leaving;
}

/** Kinds of responses that are delayed: a refusal, a page that needs no key, or a list. */
export type Delayed = 'refusal' | 'page' | 'list';

export interface AdmissionOptions {
  /** Number of requests that the node handles concurrently. */
  requestsMax: number;
  /** Time after which the database cancels a list query. */
  listTimeoutMs: number;
  storeOf(accountId: AccountId): Store;
  onDelayed?: (what: Delayed) => void;
}

/** Longest wait for a slot, which is shorter than the time that clients wait for a response. */
const WAIT_MS = 5_000;
/** Maximum number of waiting requests in total. It equals the maximum number of connections. */
const QUEUED_MAX = 5_000;
const REFUSALS: PaceRules = { ...BUDGETS.refusals, delayMsMax: 5_000 };
/** The pace of pages that need no key. It is generous, because all visitors behind a load balancer share one network. */
const PAGES: PaceRules = { ...BUDGETS.pages, delayMsMax: 2_000 };
/** The share of time for list pages. A list page takes as much processor time as several other requests, and more database time. */
const LISTS: TimeShareRules = {
  share: 1 / BUDGETS.lists.parts,
  burstMs: 500,
  waitMsMax: WAIT_MS,
  presentMs: 10_000,
};

export function createAdmission(context: Context, options: AdmissionOptions): Admission {
  const turns = createTurns(
    {
      slotsMax: options.requestsMax,
      mayTake: fractionOfFree(BUDGETS.requests.parts),
      queuedMax: QUEUED_MAX,
      queuedPerPartyMax: BUDGETS.waiting_requests.limit,
    },
    WAIT_MS,
  );
  const refusalDelay = createResponsePace(REFUSALS);
  const pageDelay = createResponsePace(PAGES);
  const lists = createTimeShare(LISTS);

  /** Waits. @returns true after the delay, or false as soon as the client leaves. */
  async function wait(what: Delayed, delayMs: number, { leaving }: ConnectedClient): Promise<boolean> {
    if (delayMs < 1) return true;
    options.onDelayed?.(what);
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, delayMs, true);
      leaving(() => {
        clearTimeout(timer);
        resolve(false);
      });
    });
  }

  /** Takes a slot and does the work. The slot stays taken until the work ends, even if the client leaves. */
  async function during<T>(party: string, { leaving }: ConnectedClient, work: () => Promise<T>): Promise<T> {
    const slot = await turns.take(party, leaving);
    try {
      return await work();
    } finally {
      turns.give(slot);
    }
  }

  async function serveList<T>(
    accountId: AccountId,
    client: ConnectedClient,
    work: (own: Context) => Promise<T>,
  ): Promise<T> {
    const delayMs = lists.reserve(accountId, performance.now());
    if (delayMs === null) throw new NoTurnError(true);
    // The delay stays booked if the client disconnects during the wait, so the account cannot get its next list sooner.
    if (!(await wait('list', delayMs, client))) throw new NoTurnError(true);
    return during(accountId, client, async () => {
      const startedAt = performance.now();
      try {
        return await withinTime(options.storeOf(accountId), options.listTimeoutMs, (store) =>
          work({ ...context, store }),
        );
      } finally {
        const now = performance.now();
        lists.recordDuration(accountId, now - startedAt, now);
      }
    });
  }

  return {
    serveAccount(accountId, { client, isList }, work) {
      lists.note(accountId, performance.now());
      if (isList) return serveList(accountId, client, work);
      return during(accountId, client, () => work({ ...context, store: options.storeOf(accountId) }));
    },
    async servePage(client, work) {
      const stays = await wait('page', pageDelay(client.network, performance.now()), client);
      try {
        if (!stays) throw new NoTurnError(false);
        return await during(client.network, client, work);
      } catch (error) {
        // Set `isOwn` to false, because one network may have many visitors, for example behind a load balancer.
        throw error instanceof NoTurnError ? new NoTurnError(false) : error;
      }
    },
    async paceRefusal(party, client) {
      await wait('refusal', refusalDelay(party, performance.now()), client);
    },
  };
}

/** Returns the client of a request, read from the connection. */
export function clientOf({ req }: H3Event): ConnectedClient {
  const node = req.runtime?.node;
  return {
    network: networkOf(node ? clientAddressOf(node.req) : ''),
    leaving(onLeft) {
      if (node?.req.socket.destroyed) onLeft();
      else node?.res?.once('close', onLeft);
    },
  };
}

export interface PaceRules {
  /** Number of responses that may be sent without a delay before the pace applies. */
  burst: number;
  perSecond: number;
  delayMsMax: number;
}

const PARTIES_MAX = 50_000;

/**
 * Spaces out responses that clients could request without pause, such as refusals (a leaky bucket, as in GCRA). A client waits for a
 * response before it sends the next request on a connection. A delayed refusal thus blocks the connection. After an immediate refusal, the
 * client could cause the next refusal immediately.
 * @returns a function that returns the delay of a party's response, in milliseconds.
 */
export function createResponsePace({ burst, perSecond, delayMsMax }: PaceRules) {
  const spacingMs = 1000 / perSecond;
  // The time at which each party's next response would be due without a burst, in the order of last use.
  const dueAt = new Map<string, number>();
  return function delayOf(party: string, now: Instant): number {
    const earliest = Math.max(now, dueAt.get(party) ?? now);
    const delayMs = Math.min(delayMsMax, Math.max(0, earliest - burst * spacingMs - now));
    dueAt.delete(party);
    // The time is never more than the burst and the longest delay ahead, so that a party that pauses is soon served without a delay.
    dueAt.set(party, Math.min(earliest + spacingMs, now + burst * spacingMs + delayMsMax));
    const [oldest] = dueAt.keys();
    if (dueAt.size > PARTIES_MAX && oldest !== undefined) dueAt.delete(oldest);
    return delayMs;
  };
}

const addresses = new WeakMap<object, string>();

/**
 * Records the client of each request, for a server with trusted proxies or load balancers in front of it.
 * @param proxies the proxies whose `X-Forwarded-For` is trusted.
 */
export function recordClients(server: Server, connected: ClientAddresses, proxies: AddressSet): void {
  const record = (req: IncomingMessage) => {
    const forwardedFor = req.headersDistinct['x-forwarded-for'] ?? [];
    addresses.set(req, visitorAddress(connected.of(req.socket), forwardedFor, proxies));
  };
  for (const event of REQUEST_EVENTS) server.prependListener(event, record);
}

/** Returns the address of a request's client: the address that `recordClients` recorded, or else the address that connected. */
export function clientAddressOf(req: Pick<IncomingMessage, 'socket'>): string {
  return addresses.get(req) ?? unmapped(req.socket.remoteAddress ?? '');
}
