import { monotonicClock } from '../../../shared/adapters/system.ts';
import { agedBeats, type EdgeBeat, type HeardEdge } from '../../../shared/core/edge/edge-health.ts';
import { pause } from '../../../shared/ports/system.ts';
import { listEdgeBeats, saveEdgeBeats } from '../../../shared/store/edge/edge-beats.ts';
import { autocommit, type Store } from '../../../shared/store/store.ts';
import type { EdgeBackend } from '../edge-backend.ts';

/** How long beats are collected for one statement. */
const SAVE_MS = 500;
/** How long the result of one read of all beats is reused. */
const LIST_MS = 250;

/**
 * Creates the store of beats of a node with a database. However many edges and name servers there are, it sends at most two statements a
 * second that write, and four that read.
 */
export function createBeatStore(store: Store): Pick<EdgeBackend, 'saveBeat' | 'listBeats'> {
  const now = () => Math.round(monotonicClock.now());
  let waiting = new Map<string, EdgeBeat & { heardAt: number; servedAt: number | null }>();
  let saving: Promise<void> | null = null;
  let listed: { at: number; beats: Promise<HeardEdge[]> } | null = null;

  async function save(): Promise<void> {
    await pause(SAVE_MS);
    const batch = [...waiting.values()];
    waiting = new Map();
    saving = null;
    const at = now();
    await saveEdgeBeats(
      autocommit(store),
      batch.map(({ heardAt, servedAt, ...beat }) => ({
        ...beat,
        heard_ms: at - heardAt,
        served_ms: servedAt === null ? null : at - servedAt,
      })),
    );
  }

  return {
    saveBeat(beat) {
      const heardAt = now();
      // Another process of the node may have served within the same batch.
      const servedAt = beat.state === 'serving' ? heardAt : (waiting.get(beat.node)?.servedAt ?? null);
      waiting.set(beat.node, { ...beat, heardAt, servedAt });
      saving ??= save();
      return saving;
    },
    async listBeats() {
      if (listed === null || now() - listed.at > LIST_MS) listed = { at: now(), beats: listEdgeBeats(store) };
      const { at, beats } = listed;
      return agedBeats(await beats, now() - at);
    },
  };
}
