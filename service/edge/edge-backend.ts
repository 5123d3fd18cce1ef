import { createHostPages } from '../../shared/connect/serve-host.ts';
import type { EdgeBeat, HeardEdge } from '../../shared/core/edge/edge-health.ts';
import type { ServeHost } from '../../shared/edge/own-pages.ts';
import type { Context } from '../../shared/operations/context.ts';
import { findDomainValues, type SandboxValues } from '../../shared/operations/edge/find-edge-route.ts';
import type { Store } from '../../shared/store/store.ts';
import { type TrafficBatch, writeTraffic } from '../../shared/store/traffic/write-traffic.ts';
import { createBeatStore } from './health/beat-store.ts';

/** Nodes with full access to the database do these tasks for an edge. A request to a live domain waits for none of them. */
export interface EdgeBackend {
  /** Returns the values of a test domain; null if there is none with this id. */
  findTestDomain(id: string): Promise<SandboxValues | null>;
  /** Adds a batch of traffic counts. Adds it only once, even if the caller sends the batch again. */
  writeTraffic(batch: TrafficBatch): Promise<void>;
  /** Stores a beat of an edge process. Resolves once it is stored, together with beats of other edges. */
  saveBeat(beat: EdgeBeat): Promise<void>;
  /** Returns the last beat of every edge machine. */
  listBeats(): Promise<HeardEdge[]>;
  /** Responds at the white-label hosts of apps. */
  serveHost: ServeHost;
  close(): Promise<void>;
}

/**
 * Creates the backend of a process that has a database.
 * @param context its store is the share of edges.
 * @param storeOf returns an account's share of the database, for its white-label pages.
 */
export function createDatabaseBackend(context: Context, storeOf: (accountId: string) => Store): EdgeBackend {
  return {
    async findTestDomain(id) {
      const found = await findDomainValues(context, id);
      return found?.host.mode === 'test' ? found : null;
    },
    async writeTraffic(batch) {
      await writeTraffic(context.store, batch, context.clock.now());
    },
    ...createBeatStore(context.store),
    serveHost: createHostPages(context, storeOf),
    close: async () => undefined,
  };
}
