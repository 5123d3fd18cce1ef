import { loadOnce } from '../../shared/core/load-once.ts';
import type { Composition } from '../compose.ts';
import { createEdgePort } from './edge-port.ts';
import type { EdgesOptions } from './edges.ts';

/** The emulator's listening edge. */
export interface StartedEdge {
  port: number;
  close(): Promise<void>;
}

export interface StartEdgeOptions extends EdgesOptions {
  host: string;
  /** Port to listen on; 0 takes a free one. */
  port: number;
}

/**
 * Starts the edge. The code that serves visitors is imported with the first connection, so that the emulator starts fast.
 * @throws Error with `code` EADDRINUSE if the port is taken.
 */
export async function startEdge(
  emulator: Composition,
  { host, port, ...options }: StartEdgeOptions,
): Promise<StartedEdge> {
  const edges = loadOnce(async () => (await import('./edges.ts')).createEdges(emulator, options));
  const edgePort = createEdgePort({
    async acceptorFor(speaks) {
      const { plain, secure } = await edges.get();
      return speaks === 'tls' ? secure : plain;
    },
    onFailure: (error) => emulator.context.log.error({ error }, 'the edge could not accept a connection'),
  });
  return {
    port: await edgePort.listen(port, host),
    async close() {
      edgePort.close();
      await (await edges.loaded())?.close();
    },
  };
}
