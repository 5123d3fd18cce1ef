import type { EdgeLimits } from './edge-limits.ts';

/**
 * The connections to one origin, shared out: those who come from one network have a part of them and of the queue for them, and
 * networks that wait take turns. Without it one visitor with slow requests is the only one that the origin has.
 */
export class OriginPlaces {
  readonly #limits: PlaceLimits;
  readonly #networks = new Map<string, Network>();
  /** Those that wait, whoever is next first. */
  readonly #turns = new Set<Network>();
  #taken = 0;
  #waiting = 0;
  #on_free: (() => void) | null = null;

  constructor(limits: PlaceLimits) {
    this.#limits = limits;
  }

  /** All are taken, and somebody waits for one of them. */
  get contested(): boolean {
    return this.#waiting > 0 && this.#taken >= this.#limits.origin_connections_max;
  }

  /**
   * @param begin called later, and only where the place `waits`.
   * @returns null where no more may wait.
   */
  ask(network_name: string, begin: () => void): Place | null {
    const limits = this.#limits;
    const network = this.#networks.get(network_name) ?? { name: network_name, taken: 0, waiting: null };
    const waits =
      this.#taken >= limits.origin_connections_max ||
      network.taken >= limits.origin_connections_per_network_max;
    const place = { network, begin, waits };
    if (!waits) this.#take(network);
    else if (this.#waiting >= limits.origin_queued_max) return null;
    else if ((network.waiting?.size ?? 0) >= limits.origin_queued_per_network_max) return null;
    else this.#wait(place);
    this.#networks.set(network_name, network);
    return place;
  }

  /** Gives the place back, or waits for it no more. Once. */
  leave(place: Place): void {
    const { network } = place;
    if (place.waits) this.#stopWaiting(place);
    else {
      this.#taken--;
      network.taken--;
    }
    if (network.taken === 0 && !network.waiting?.size) this.#networks.delete(network.name);
    this.#giveToNext();
    this.#tellFree();
  }

  /** Called once nobody has a place or waits for one. */
  onceFree(then: () => void): void {
    this.#on_free = then;
    this.#tellFree();
  }

  #tellFree(): void {
    if (this.#networks.size > 0) return;
    this.#on_free?.();
    this.#on_free = null;
  }

  #take(network: Network): void {
    this.#taken++;
    network.taken++;
  }

  #wait(place: Place): void {
    const { network } = place;
    network.waiting ??= new Set();
    network.waiting.add(place);
    this.#turns.add(network);
    this.#waiting++;
  }

  #stopWaiting(place: Place): void {
    const { network } = place;
    network.waiting?.delete(place);
    if (network.waiting?.size === 0) this.#turns.delete(network);
    this.#waiting--;
  }

  #giveToNext(): void {
    const place = this.#next();
    if (!place) return;
    const { network } = place;
    this.#stopWaiting(place);
    place.waits = false;
    this.#take(network);
    // Its next one waits behind the other networks'.
    if (this.#turns.delete(network)) this.#turns.add(network);
    place.begin();
  }

  #next(): Place | undefined {
    const { origin_connections_max, origin_connections_per_network_max: share_max } = this.#limits;
    if (this.#taken >= origin_connections_max) return undefined;
    for (const { taken, waiting } of this.#turns) {
      if (taken < share_max) return waiting?.values().next().value;
    }
    return undefined;
  }
}

/** A request's connection to the origin, or its turn for one. */
export interface Place {
  readonly network: Network;
  readonly begin: () => void;
  waits: boolean;
}

interface Network {
  readonly name: string;
  taken: number;
  waiting: Set<Place> | null;
}

type PlaceLimits = Pick<
  EdgeLimits,
  | 'origin_connections_max'
  | 'origin_connections_per_network_max'
  | 'origin_queued_max'
  | 'origin_queued_per_network_max'
>;
