import type { H3Event } from 'h3';
import { type Leaving, NoTurnError, Turns } from '../adapters/turns.ts';
import { fractionOfFree } from '../core/apps/fair-slots.ts';
import { TimeShare, type TimeShareRules } from '../core/apps/time-share.ts';
import { networkOf } from '../core/edge/visitor-networks.ts';
import type { AppId } from '../core/ids.ts';
import type { Context } from '../operations/context.ts';
import type { Store } from '../store/store.ts';
import { withinTime } from '../store/within-time.ts';
import { clientAddressOf } from './client-address.ts';
import { createResponsePace, type PaceRules } from './response-pace.ts';

/** Keeps each app, and visitors without a key, from taking another's share of a node (`decisions/0022`). */
export interface Admission {
  /**
   * Runs the work of an app's request when its turn comes.
   * @param work receives the context over the app's share of the database.
   * @throws NoTurnError if the turn does not come.
   */
  serveApp<T>(appId: AppId, request: AppRequest, work: (own: Context) => Promise<T>): Promise<T>;
  /** Runs the work for a page that needs no key. The visitors of one network are one party. @throws NoTurnError if its turn does not come. */
  servePage<T>(client: ConnectedClient, work: () => Promise<T>): Promise<T>;
  /** Delays a refusal. The delay grows with the number of refusals of the party. */
  paceRefusal(party: string, client: ConnectedClient): Promise<void>;
}

export interface AppRequest {
  client: ConnectedClient;
  isList: boolean;
}

/** The client at the other end of a connection. */
export interface ConnectedClient {
  network: string;
  leaving: Leaving;
}

/** Kind of a delayed response: a refusal, a page that needs no key, or a list. */
export type Delayed = 'refusal' | 'page' | 'list';

export interface AdmissionOptions {
  /** Requests that the node works on at once. */
  requestsMax: number;
  /** Time after which the database gives up a query of a list. */
  listTimeoutMs: number;
  storeOf(appId: AppId): Store;
  onDelayed?: (what: Delayed) => void;
}

/** Each party may take a fifth of the slots that all others leave free. */
const PARTS = 5;
/** Shorter than clients wait for a response. */
const WAIT_MS = 5_000;
/** Waiting requests of one party: more than the burst of an app. */
const QUEUED_PER_PARTY_MAX = 500;
/** Waiting requests in all: no more than there are connections. */
const QUEUED_MAX = 5_000;
const REFUSALS: PaceRules = { burst: 100, perSecond: 100, delayMsMax: 5_000 };
/** Generous, because all visitors behind a load balancer share one network and its pace. */
const PAGES: PaceRules = { burst: 1_000, perSecond: 500, delayMsMax: 2_000 };
/** A list page takes the processor as long as several other requests, and the database longer. */
const LISTS: TimeShareRules = { share: 0.25, burstMs: 500, waitMsMax: WAIT_MS, presentMs: 10_000 };

export function createAdmission(context: Context, options: AdmissionOptions): Admission {
  const turns = new Turns(
    {
      slotsMax: options.requestsMax,
      mayTake: fractionOfFree(PARTS),
      queuedMax: QUEUED_MAX,
      queuedPerPartyMax: QUEUED_PER_PARTY_MAX,
    },
    WAIT_MS,
  );
  const refusalDelay = createResponsePace(REFUSALS);
  const pageDelay = createResponsePace(PAGES);
  const lists = new TimeShare(LISTS);

  /** Waits for the delay. @returns false early if the client leaves. */
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

  /** Holds a slot until the work ends, even if the client leaves. */
  async function during<T>(party: string, { leaving }: ConnectedClient, work: () => Promise<T>): Promise<T> {
    const slot = await turns.take(party, leaving);
    try {
      return await work();
    } finally {
      turns.give(slot);
    }
  }

  async function serveList<T>(
    appId: AppId,
    client: ConnectedClient,
    work: (own: Context) => Promise<T>,
  ): Promise<T> {
    const delayMs = lists.reserve(appId, performance.now());
    if (delayMs === null) throw new NoTurnError(true);
    // A client that leaves must not get its list sooner.
    if (!(await wait('list', delayMs, client))) throw new NoTurnError(true);
    return during(appId, client, async () => {
      const startedAt = performance.now();
      try {
        return await withinTime(options.storeOf(appId), options.listTimeoutMs, (store) =>
          work({ ...context, store }),
        );
      } finally {
        const now = performance.now();
        lists.recordDuration(appId, now - startedAt, now);
      }
    });
  }

  return {
    serveApp(appId, { client, isList }, work) {
      lists.note(appId, performance.now());
      if (isList) return serveList(appId, client, work);
      return during(appId, client, () => work({ ...context, store: options.storeOf(appId) }));
    },
    async servePage(client, work) {
      const stays = await wait('page', pageDelay(client.network, performance.now()), client);
      try {
        if (!stays) throw new NoTurnError(false);
        return await during(client.network, client, work);
      } catch (error) {
        // Behind a load balancer, one network is many visitors, so the network itself is never at fault.
        throw error instanceof NoTurnError ? new NoTurnError(false) : error;
      }
    },
    async paceRefusal(party, client) {
      await wait('refusal', refusalDelay(party, performance.now()), client);
    },
  };
}

/** Reads the client of a request from its connection. */
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
