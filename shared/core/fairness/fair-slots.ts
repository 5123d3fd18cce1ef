/**
 * Shares slots among parties, such as networks, apps or DNS surveys. A rule limits the slots of each party, and the next free slot goes to
 * the waiting party with the fewest slots (`decisions/0098`). Otherwise a single party with slow requests could take all slots.
 */
export class FairSlots<Name = string> {
  readonly #rules: SlotRules<Name>;
  readonly #parties = new Map<Name, Party<Name>>();
  /** Parties with waiting requests, in the order of their last turns, the oldest turn first. */
  readonly #turns = new Set<Party<Name>>();
  #taken = 0;
  #waiting = 0;
  #onFree: (() => void) | null = null;

  constructor(rules: SlotRules<Name>) {
    this.#rules = rules;
  }

  /** True while every slot is taken and at least one request waits. */
  get contested(): boolean {
    return this.#waiting > 0 && this.#free === 0;
  }

  /**
   * Takes a slot for a request of a party, or a place in the party's queue.
   * @param begin called when a waiting request gets a slot. Not called if a slot was free immediately (`waits` is false).
   * @returns null if the queue is full.
   */
  ask(partyName: Name, begin: () => void): Slot<Name> | null {
    const rules = this.#rules;
    const party = this.#parties.get(partyName) ?? { name: partyName, taken: 0, waiting: null };
    const waits = !this.#mayTake(party);
    const slot = { party, begin, waits };
    if (!waits) this.#take(party);
    else if (this.#waiting >= rules.queuedMax) return null;
    else if ((party.waiting?.size ?? 0) >= rules.queuedPerPartyMax) return null;
    else this.#wait(slot);
    this.#parties.set(partyName, party);
    return slot;
  }

  /** Gives a slot back, or leaves the queue. Call this once for each slot. */
  leave(slot: Slot<Name>): void {
    const { party } = slot;
    if (slot.waits) this.#stopWaiting(slot);
    else {
      this.#taken--;
      party.taken--;
    }
    if (party.taken === 0 && !party.waiting?.size) this.#parties.delete(party.name);
    // Releasing a slot can admit two requests: the next one from this party, and one from a party that was at its limit.
    while (this.#giveToNext());
    this.#tellFree();
  }

  /**
   * Returns true if a party waits only because of its own requests: other parties could get a slot, or this party asks for more than an
   * equal share.
   */
  isBlockedByItself(partyName: Name): boolean {
    if (this.#free > 0) return true;
    const party = this.#parties.get(partyName);
    const asked = (party?.taken ?? 0) + (party?.waiting?.size ?? 0);
    return asked > Math.max(1, this.#rules.slotsMax / this.#parties.size);
  }

  /** Registers a callback, which is called once when no slot is taken and no request waits. */
  onceFree(then: () => void): void {
    this.#onFree = then;
    this.#tellFree();
  }

  get #free(): number {
    return Math.max(0, this.#rules.slotsMax - this.#taken);
  }

  #tellFree(): void {
    if (this.#parties.size > 0) return;
    this.#onFree?.();
    this.#onFree = null;
  }

  #mayTake({ taken, name }: Party<Name>): boolean {
    const free = this.#free;
    return free > 0 && this.#rules.mayTake(taken, free, name);
  }

  #take(party: Party<Name>): void {
    this.#taken++;
    party.taken++;
  }

  #wait(slot: Slot<Name>): void {
    const { party } = slot;
    party.waiting ??= new Set();
    party.waiting.add(slot);
    this.#turns.add(party);
    this.#waiting++;
  }

  #stopWaiting(slot: Slot<Name>): void {
    const { party } = slot;
    party.waiting?.delete(slot);
    if (party.waiting?.size === 0) this.#turns.delete(party);
    this.#waiting--;
  }

  /** Gives a slot to the next party that may take one. @returns false if no waiting party may take a slot. */
  #giveToNext(): boolean {
    const slot = this.#next();
    if (!slot) return false;
    const { party } = slot;
    this.#stopWaiting(slot);
    slot.waits = false;
    this.#take(party);
    // Moves the party behind the other parties, so that they get their turns before its next request.
    if (this.#turns.delete(party)) this.#turns.add(party);
    slot.begin();
    return true;
  }

  /**
   * Returns the next request to get a slot: the oldest request of the waiting party with the fewest slots. Skips parties that may not take
   * a slot. Parties with equally few slots take turns.
   */
  #next(): Slot<Name> | undefined {
    let next: Party<Name> | null = null;
    for (const party of this.#turns) {
      if ((next === null || party.taken < next.taken) && this.#mayTake(party)) next = party;
      if (next?.taken === 0) break;
    }
    return next?.waiting?.values().next().value;
  }
}

/** A slot, or a place in the queue for one. */
export interface Slot<Name = string> {
  readonly party: Party<Name>;
  readonly begin: () => void;
  waits: boolean;
}

interface Party<Name> {
  readonly name: Name;
  taken: number;
  waiting: Set<Slot<Name>> | null;
}

export interface SlotRules<Name = string> {
  slotsMax: number;
  /** Returns whether a party may take one more slot. Called only while a slot is free. */
  mayTake(taken: number, free: number, partyName: Name): boolean;
  /** Maximum numbers of waiting requests: of all parties together, and of each party. */
  queuedMax: number;
  queuedPerPartyMax: number;
}

/**
 * Limits each party to a fraction of the slots that the other parties leave free. The more slots a party has, the fewer it can add, so that
 * a newcomer still finds a free slot.
 */
export function fractionOfFree(parts: number): SlotRules['mayTake'] {
  return (taken, free) => taken < Math.ceil((free + taken) / parts);
}
