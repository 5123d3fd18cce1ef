import { FairSlots, type Slot, type SlotRules } from '../core/fairness/fair-slots.ts';

/** Registers a callback that is called once when the caller has left. */
export type Leaving = (onLeft: () => void) => void;

/** Fair slots. Callers wait for them, up to a timeout in real time. */
export class Turns {
  readonly #slots: FairSlots;
  readonly #waitMsMax: number;

  constructor(rules: SlotRules, waitMsMax: number) {
    this.#slots = new FairSlots(rules);
    this.#waitMsMax = waitMsMax;
  }

  /**
   * Takes a slot, at once if one is free. A caller that leaves gives up its turn.
   * @throws NoTurnError if the queue is full, the timeout passes or the caller leaves.
   */
  take(partyName: string, leaving?: Leaving): Slot | Promise<Slot> {
    let begin = (): void => undefined;
    const slot = this.#slots.ask(partyName, () => begin());
    if (slot === null) throw this.#refusal(partyName);
    if (!slot.waits) return slot;
    return new Promise((resolve, reject) => {
      const giveUp = (): void => {
        clearTimeout(timer);
        if (!slot.waits || hasGivenUp) return;
        hasGivenUp = true;
        reject(this.#refusal(partyName));
        this.#slots.leave(slot);
      };
      let hasGivenUp = false;
      const timer = setTimeout(giveUp, this.#waitMsMax);
      leaving?.(giveUp);
      begin = () => {
        clearTimeout(timer);
        resolve(slot);
      };
    });
  }

  /** Takes a slot if one is free. @returns null if none is. */
  takeIfFree(partyName: string): Slot | null {
    const slot = this.#slots.ask(partyName, () => undefined);
    if (!slot?.waits) return slot;
    this.#slots.leave(slot);
    return null;
  }

  give(slot: Slot): void {
    this.#slots.leave(slot);
  }

  #refusal(partyName: string): NoTurnError {
    return new NoTurnError(this.#slots.isBlockedByItself(partyName));
  }
}

/** Thrown if no slot was free in time. */
export class NoTurnError extends Error {
  override name = 'NoTurnError';
  /** The SQLSTATE for too many connections, so that callers treat the work as retryable (`store/unavailable.ts`). */
  readonly code = '53300';
  /** True if the party waits because of its own requests. */
  readonly isOwn: boolean;

  constructor(isOwn: boolean) {
    super(isOwn ? 'this party has used up its share of slots' : 'all slots are in use');
    this.isOwn = isOwn;
  }
}
