/**
 * The connections to one origin, shared out: once they are scarce, those who come from one network have a part of them, and always a part of
 * the queue for them; networks that wait take turns. Without it one visitor with slow requests is the only one that the origin has.
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
    return this.#waiting > 0 && this.#taken >= this.#limits.places_max;
  }

  /**
   * @param begin called later, and only where the place `waits`.
   * @returns null where no more may wait.
   */
  ask(network_name: string, begin: () => void): Place | null {
    const limits = this.#limits;
    const network = this.#networks.get(network_name) ?? { name: network_name, taken: 0, waiting: null };
    const waits = !this.#mayTake(network);
    const place = { network, begin, waits };
    if (!waits) this.#take(network);
    else if (this.#waiting >= limits.queued_max) return null;
    else if ((network.waiting?.size ?? 0) >= limits.queued_per_network_max) return null;
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
    // One that goes may make room for two: its own network's next, and one of a network that had its share.
    while (this.#giveToNext());
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

  #mayTake({ taken }: Network): boolean {
    const { places_max, shared_from, per_network_max } = this.#limits;
    return this.#taken < places_max && (this.#taken < shared_from || taken < per_network_max);
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

  /** @returns false where nobody waits that may have one. */
  #giveToNext(): boolean {
    const place = this.#next();
    if (!place) return false;
    const { network } = place;
    this.#stopWaiting(place);
    place.waits = false;
    this.#take(network);
    // Its next one waits behind the other networks'.
    if (this.#turns.delete(network)) this.#turns.add(network);
    place.begin();
    return true;
  }

  #next(): Place | undefined {
    for (const network of this.#turns) {
      if (this.#mayTake(network)) return network.waiting?.values().next().value;
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

export interface PlaceLimits {
  places_max: number;
  /** Of them, what one network has once `shared_from` are taken, by whomever. */
  per_network_max: number;
  shared_from: number;
  /** Those that wait, and those of one network. */
  queued_max: number;
  queued_per_network_max: number;
}
