import * as z from 'zod';
import { monotonicClock } from '../../../shared/adapters/system.ts';
import {
  agedBeats,
  EDGE_STATES,
  type EdgeBeat,
  type HeardEdge,
} from '../../../shared/core/edge/edge-health.ts';
import { SECOND_MS } from '../../../shared/core/instant.ts';
import type { Clock, Log } from '../../../shared/ports/system.ts';
import { edgeName } from '../../settings/edge-node-settings.ts';
import type { EdgeBackend } from '../edge-backend.ts';

/** The path of beats from edges to name servers (`decisions/0102`): through the API nodes, or through NATS. */
export interface EdgeBeats {
  /** Sends a beat of this process. Rejects if the beat did not arrive. */
  send(beat: EdgeBeat): Promise<void>;
  /**
   * Calls the listener with beats of any nodes, as they arrive. A beat may come again, with a greater age.
   * @returns a function that ends this.
   */
  listen(listener: (beats: readonly HeardEdge[]) => void): () => void;
  /** Returns whether a beat that an edge sends now would arrive. While it would not, silence means nothing. */
  isConnected(): boolean;
}

export const BEAT_MS = SECOND_MS;
/** Without a response of the API nodes for this time, a name server treats them as away. */
const AWAY_MS = 3_000;

/** A beat as it arrives from another machine. */
export const beatSchema = z.object({
  node: edgeName,
  region: edgeName,
  addresses: z.array(z.union([z.ipv4(), z.ipv6()])).max(64),
  state: z.enum(EDGE_STATES),
});

/** Creates the path through the API nodes, which store the beats. Name servers ask for all beats every second. */
export function createStoredBeats(
  backend: Pick<EdgeBackend, 'saveBeat' | 'listBeats'>,
  log: Log,
  clock: Clock = monotonicClock,
): EdgeBeats {
  let answeredAt = -Infinity;
  let isAway = false;

  async function poll(listener: (beats: readonly HeardEdge[]) => void): Promise<void> {
    const asked = clock.now();
    try {
      const beats = await backend.listBeats();
      answeredAt = clock.now();
      // The API node may have measured the ages when the request began.
      listener(agedBeats(beats, answeredAt - asked));
      if (isAway) log.info({}, 'the name server learns again which edges serve');
      isAway = false;
    } catch (error) {
      if (!isAway)
        log.warn({ error }, 'the name server cannot learn which edges serve: it keeps its answers');
      isAway = true;
    }
  }

  return {
    send: backend.saveBeat,
    listen(listener) {
      let isPolling = false;
      const next = () => {
        if (isPolling) return;
        isPolling = true;
        void poll(listener).finally(() => {
          isPolling = false;
        });
      };
      next();
      const timer = setInterval(next, BEAT_MS).unref();
      return () => clearInterval(timer);
    },
    isConnected: () => clock.now() - answeredAt < AWAY_MS,
  };
}
