import { monotonicClock } from '../../../shared/adapters/system.ts';
import type { EdgeState } from '../../../shared/core/edge/edge-health.ts';
import type { Clock } from '../../../shared/ports/system.ts';
import type { EdgeEngineState } from '../engine.ts';
import { type ServiceEdgeOptions, type StartedEdge, startEdge } from '../start-edge.ts';
import { BEAT_MS, type EdgeBeats } from './edge-beats.ts';

/** The edge of a node, which an operator can take out of service. */
export interface DrainableEdge extends Pick<StartedEdge, 'ready' | 'routes' | 'close'> {
  /** The addresses of its listeners. Empty while it is drained. */
  readonly addresses: Partial<StartedEdge['addresses']>;
  /** Null while it is drained. */
  readonly engine: EdgeEngineState | null;
  /** Lines for operators about a drain. */
  notes(): string[];
  /** Follows the drain in the replica. A timer calls this every 250 ms. */
  refresh(): Promise<void>;
}

export interface DrainableEdgeOptions extends ServiceEdgeOptions {
  beats: EdgeBeats;
  /** The time that running requests have to finish when a drained edge closes its listeners. */
  graceMs: number;
  start?: typeof startEdge;
  clock?: Clock;
}

const REFRESH_MS = 250;
/** A name server learns of a drain within this time, and resolvers may keep its earlier answer for the whole TTL. */
const LEARNED_MS = 2_000;
/** The wait after an undrained edge could not open its listeners. */
const RETRY_MS = 5_000;

/**
 * Starts the edge unless its machine is drained, and sends its beats (`decisions/0102`). A drained edge serves until resolvers have
 * forgotten its addresses, and then closes its listeners. It opens them again once the drain ends.
 * @throws if an address is taken.
 */
export async function startDrainableEdge(options: DrainableEdgeOptions): Promise<DrainableEdge> {
  const { config, replica, isReady, beats, graceMs, start = startEdge, clock = monotonicClock } = options;
  const { log } = options.context;
  const { name: node, addresses, regions, dnsTtlMs } = config.edgeNode;
  const [region = ''] = regions;
  let running: StartedEdge | null = null;
  /** When a drained edge closes its listeners. Null without a drain. */
  let closesAt: number | null = null;
  let retryAt = -Infinity;
  let wasDrained = false;
  let isLost = false;
  let isClosed = false;
  let settling: Promise<void> | null = null;

  function isDrained(): boolean {
    try {
      wasDrained = replica.find('drain', node) !== null;
    } catch {
      // The edge goes on as it was. The replica logs its own errors every second.
    }
    return wasDrained;
  }

  async function settle(): Promise<void> {
    if (!isDrained()) {
      closesAt = null;
      if (running !== null || clock.now() < retryAt) return;
      retryAt = clock.now() + RETRY_MS;
      running = await start(options);
      log.info({ node, addresses: running.addresses }, 'this edge is no longer drained, and serves again');
    } else if (running !== null) {
      if (closesAt === null) {
        closesAt = clock.now() + dnsTtlMs + LEARNED_MS;
        log.info(
          { node, for_ms: closesAt - clock.now() },
          'this edge drains: it serves until resolvers forget it',
        );
      }
      if (clock.now() < closesAt) return;
      await running.close(graceMs);
      running = null;
      log.info({ node }, 'this edge is drained, and has closed its listeners');
    }
  }

  function refresh(): Promise<void> {
    settling ??= (isClosed ? Promise.resolve() : settle())
      .catch((error: unknown) =>
        log.error({ error, node }, 'this edge cannot follow its drain; trying again'),
      )
      .finally(() => {
        settling = null;
      });
    return settling;
  }

  function stateOf(): EdgeState {
    if (isDrained()) return running === null ? 'drained' : 'draining';
    return isReady() ? 'serving' : 'not_ready';
  }

  async function beat(): Promise<void> {
    try {
      await beats.send({ node, region, addresses, state: stateOf() });
      if (isLost) log.info({ node }, 'the heartbeats of this edge arrive again');
      isLost = false;
    } catch (error) {
      if (!isLost)
        log.warn(
          { error, node },
          'the heartbeats of this edge do not arrive, so name servers may leave it out',
        );
      isLost = true;
    }
  }

  await replica.complete;
  // An nginx of an earlier process may still serve, and only an engine can end it.
  if (!isDrained() || config.edgeEngine === 'nginx') running = await start(options);
  else
    log.warn({ node }, 'this edge is drained: it opens no listeners until nameplate service edges undrain');
  if (wasDrained) closesAt = clock.now();
  const timers = [setInterval(() => void refresh(), REFRESH_MS).unref()];
  if (addresses.length > 0) timers.push(setInterval(() => void beat(), BEAT_MS).unref());

  return {
    get addresses() {
      return running?.addresses ?? {};
    },
    get engine() {
      return running?.engine ?? null;
    },
    ready: () => running !== null && !isDrained() && running.ready(),
    routes: () => running?.routes() ?? { ...replica.counts(), ageMs: replica.ageMs() },
    notes() {
      return isDrained()
        ? [`${node} is ${stateOf()}. To end this, run: nameplate service edges undrain ${node}`]
        : [];
    },
    refresh,
    async close(...given) {
      isClosed = true;
      for (const timer of timers) clearInterval(timer);
      await settling;
      await running?.close(...given);
    },
  };
}
