import { DAY_MS } from '../instant.ts';

/**
 * The states of an edge machine. A `draining` edge still serves, and has left the answers of the name servers. A `drained` edge has closed
 * its listeners.
 */
export const EDGE_STATES = ['serving', 'not_ready', 'draining', 'drained'] as const;
export type EdgeState = (typeof EDGE_STATES)[number];

/** A heartbeat. Each edge process sends one every second. */
export interface EdgeBeat {
  /** The name of the machine. All its processes send the same name. */
  node: string;
  region: string;
  /** The public addresses at which visitors reach this machine. */
  addresses: readonly string[];
  state: EdgeState;
}

/** The last beat of a node, with the ages in milliseconds of that beat and of the last one in the state `serving`. */
export interface HeardEdge extends EdgeBeat {
  heard_ms: number;
  /** Null if no process of the node has served yet. */
  served_ms: number | null;
}

/** Returns beats that have become older by some milliseconds. */
export function agedBeats(beats: readonly HeardEdge[], byMs: number): HeardEdge[] {
  return beats.map((beat) => ({
    ...beat,
    heard_ms: beat.heard_ms + byMs,
    served_ms: beat.served_ms === null ? null : beat.served_ms + byMs,
  }));
}

/** A node without a beat in the state `serving` for this time leaves the answers. */
export const EDGE_SILENT_MS = 5_000;
/** A node without any beat for this time is forgotten, if another node serves at its addresses. */
export const EDGE_FORGOTTEN_MS = DAY_MS;
/** If a node falls silent, its peers without any beat for this time count as silent too. A beat takes less time through the API nodes. */
const SUSPECT_MS = 3_000;

/** The nodes and the last answers, which a name server remembers across a restart. */
export interface EdgeMemory {
  edges: readonly (EdgeBeat & { isUp: boolean })[];
  answers: readonly string[];
}

/** A node as the metrics count it. */
export interface CountedEdge {
  region: string;
  state: 'serving' | 'silent' | 'draining';
}

/** The nodes with a drain. Null for a name server without a replica, which knows drains only from beats. */
export type Drained = ReadonlySet<string> | null;

export interface EdgeHealthOptions {
  /** All addresses of the edge, in the order of the answers. */
  configured: readonly string[];
  /** The regions of this name server, nearest first. */
  regions: readonly string[];
  remembered: EdgeMemory | null;
}

interface KnownEdge extends EdgeBeat {
  /** The time of the last beat; negative infinity if this process has heard none. */
  heardAt: number;
  /** The time of the last beat in the state `serving`. */
  servedAt: number;
  /** Whether the node may be among the answers. Drains and regions are applied afterwards. */
  isUp: boolean;
}

/** Chooses the addresses of edges with which a name server answers (`decisions/0102`). */
export type EdgeHealth = ReturnType<typeof createEdgeHealth>;

/** Creates the known states of all edges. They have no clock of their own: `now` is monotonic, in milliseconds. */
export function createEdgeHealth({ configured, regions, remembered }: EdgeHealthOptions) {
  const edges = new Map<string, KnownEdge>();
  for (const edge of remembered?.edges ?? [])
    edges.set(edge.node, { ...edge, heardAt: -Infinity, servedAt: -Infinity });
  let last = remembered?.answers ?? [];
  /** The time at which the current connection to the source of beats began. Null while there is none. */
  let connectedAt: number | null = null;

  /** Marks nodes as up or down. A node that falls silent together with over half of its region stays up. */
  function judge(judged: readonly KnownEdge[], now: number, since: number): void {
    for (const edge of judged) edge.isUp ||= now - edge.servedAt < EDGE_SILENT_MS;
    // Beats were lost while the connection was down, so the silence of a node that is up begins with the connection.
    const all = judged.map((edge) => ({
      edge,
      at: edge.isUp ? Math.max(edge.servedAt, since) : edge.servedAt,
    }));
    for (const { edge, at } of all) {
      if (!edge.isUp || now - at < EDGE_SILENT_MS) continue;
      // A node with a recent beat reports itself that it does not serve.
      if (now - edge.heardAt < EDGE_SILENT_MS) {
        edge.isUp = false;
        continue;
      }
      const peers = all.filter((peer) => peer.edge.region === edge.region && peer.at >= at - EDGE_SILENT_MS);
      const fallen = peers.filter((peer) => now - Math.max(peer.edge.heardAt, since) >= SUSPECT_MS).length;
      edge.isUp = fallen > 1 && 2 * fallen > peers.length;
    }
  }

  function forget(now: number): void {
    const key = ({ addresses }: KnownEdge) => addresses.join();
    const kept = new Set([...edges.values()].filter((edge) => now - edge.servedAt < EDGE_SILENT_MS).map(key));
    for (const edge of edges.values())
      if (now - edge.heardAt > EDGE_FORGOTTEN_MS && kept.has(key(edge))) edges.delete(edge.node);
  }

  /** Returns the addresses of the first region with any; of all regions if the name server's regions have none. */
  function nearest(up: readonly KnownEdge[], isWanted: (address: string) => boolean): string[] {
    const within = [...regions.map((region) => up.filter((edge) => edge.region === region)), up];
    const found = within.map((some) => some.flatMap(({ addresses }) => addresses.filter(isWanted)));
    return found.find((addresses) => addresses.length > 0) ?? [];
  }

  return {
    /** Records beats, in any order. */
    hear(beats: readonly HeardEdge[], now: number): void {
      for (const { heard_ms, served_ms, ...beat } of beats) {
        const known = edges.get(beat.node);
        const [heardAt, servedAt] = [now - heard_ms, served_ms === null ? -Infinity : now - served_ms];
        edges.set(beat.node, {
          ...(known !== undefined && known.heardAt > heardAt ? known : beat),
          heardAt: Math.max(heardAt, known?.heardAt ?? heardAt),
          servedAt: Math.max(servedAt, known?.servedAt ?? servedAt),
          isUp: known?.isUp ?? now - servedAt < EDGE_SILENT_MS,
        });
      }
    },

    /**
     * Returns the addresses to answer with now, in the order of the settings. Neither the IPv4 nor the IPv6 addresses are ever empty if
     * the settings have any.
     * @param isConnected whether beats would arrive now.
     */
    answers(now: number, drained: Drained, isConnected: boolean): readonly string[] {
      connectedAt = isConnected ? (connectedAt ?? now) : null;
      forget(now);
      const all = [...edges.values()];
      const rest = all.filter((edge) => !isDraining(edge, drained));
      // After its drain, a node is up again with its next `serving` beat, because it may have closed its listeners.
      for (const edge of all) if (isDraining(edge, drained)) edge.isUp = false;
      if (connectedAt !== null) judge(rest, now, connectedAt);
      const up = rest.filter((edge) => edge.isUp);
      const named = new Set(all.flatMap(({ addresses }) => addresses));
      const chosen = [false, true].flatMap((isIpv6) => {
        const family = configured.filter((address) => address.includes(':') === isIpv6);
        const found = nearest(up, (address) => family.includes(address));
        const kept = family.filter((address) => !named.has(address) || found.includes(address));
        if (kept.length > 0) return kept;
        const before = family.filter((address) => last.includes(address));
        return before.length > 0 ? before : family;
      });
      last = configured.filter((address) => chosen.includes(address));
      return last;
    },

    /** Returns the region and the state of each known node. */
    states: (now: number, drained: Drained): CountedEdge[] =>
      [...edges.values()].map((edge) => {
        const heard = now - edge.servedAt < EDGE_SILENT_MS ? 'serving' : 'silent';
        return { region: edge.region, state: isDraining(edge, drained) ? 'draining' : heard };
      }),

    /** Returns the names of all known nodes. */
    nodes: () => [...edges.keys()],

    memory(): EdgeMemory {
      const kept = [...edges.values()].map(({ heardAt: _, servedAt: __, ...edge }) => edge);
      return { edges: kept.toSorted((one, other) => (one.node < other.node ? -1 : 1)), answers: last };
    },
  };
}

function isDraining({ node, state }: EdgeBeat, drained: Drained): boolean {
  return drained === null ? state === 'draining' || state === 'drained' : drained.has(node);
}
