import { loadOnce } from '../../shared/core/load-once.ts';
import { createTrafficCounter, type TrafficCounter } from '../../shared/core/traffic/traffic-counter.ts';
import { startTrafficWriter, type TrafficWriter } from '../../shared/edge/traffic/traffic-writer.ts';
import type { Context } from '../../shared/operations/context.ts';
import type { Log } from '../../shared/ports/system.ts';
import { type TrafficBatch, writeTraffic } from '../../shared/store/traffic/write-traffic.ts';
import type { EmulatorComposition } from '../compose.ts';
import { createEdgePort } from './edge-port.ts';
import type { Edges, EdgesOptions } from './edges.ts';

/** The emulator's listening edge. */
export interface EmulatorEdge {
  port: number;
  close(): Promise<void>;
}

export interface EdgeParts extends EdgesOptions {
  emulator: EmulatorComposition;
}

export interface StartEdgeOptions {
  host: string;
  /** Port to listen on; 0 takes a free port. */
  port: number;
  log: Log;
}

/**
 * Starts the edge. Its servers are created when the first connection arrives.
 * @param parts the emulator. It is composed after its edge listens, because its addresses contain the edge's port.
 * @throws Error with `code` EADDRINUSE if the port is taken.
 */
export async function startEmulatorEdge(
  parts: Promise<EdgeParts>,
  { host, port, log }: StartEdgeOptions,
): Promise<EmulatorEdge> {
  let loaded: LoadedEdges | null = null;
  const edgePort = createEdgePort({
    async acceptorFor(speaks) {
      const given = await parts;
      // Lazy: the edge with its pages would delay the start by 35 ms, mostly for React.
      loaded ??= loadOnce(async () => (await import('./edges.ts')).createEdges(given.emulator, given));
      const { plain, secure } = await loaded.get();
      return speaks === 'tls' ? secure : plain;
    },
    onFailure: (error) => log.error({ error }, 'the edge could not accept a connection'),
  });
  return {
    port: await edgePort.listen(port, host),
    async close() {
      edgePort.close();
      await (await loaded?.loaded())?.close();
    },
  };
}

type LoadedEdges = ReturnType<typeof loadOnce<Edges>>;

/** Counts the requests that the emulator's edge serves. */
export interface CountedTraffic extends TrafficWriter {
  counter: TrafficCounter;
  /** Discards the counts that were not yet written to the database. */
  clear(): void;
}

/** The API writes pending counts before it reads traffic. The interval therefore only limits how many counts a killed emulator loses. */
const WRITE_EVERY_MS = 1000;

export function countTraffic({
  store,
  clock,
  log,
}: Pick<Context, 'store' | 'clock' | 'log'>): CountedTraffic {
  const counter = createTrafficCounter();
  const save = (batch: TrafficBatch) => writeTraffic(store, batch, clock.now());
  return {
    counter,
    ...startTrafficWriter({ counter, log, save, everyMs: WRITE_EVERY_MS }),
    clear: () => void counter.take(),
  };
}
