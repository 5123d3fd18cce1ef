import { FairSlots, type Slot, type SlotRules } from '../core/fairness/fair-slots.ts';

/** Registers a callback that is called once when the caller has left. */
export type Leaving = (onLeft: () => void) => void;

export type Turns = ReturnType<typeof createTurns>;

/** Creates a concurrency limiter that shares its slots fairly among parties. Callers wait for a slot, up to a timeout in real time. */
export function createTurns(rules: SlotRules, waitMsMax: number) {
  const slots = new FairSlots(rules);

  function refusal(partyName: string): NoTurnError {
    return new NoTurnError(slots.isBlockedByItself(partyName));
  }

  return {
    /**
     * Takes a slot, at once or after a wait. A caller that leaves loses its place in the queue.
     * @throws NoTurnError if the queue is full, the timeout passes or the caller leaves.
     */
    take(partyName: string, leaving?: Leaving): Slot | Promise<Slot> {
      let begin = (): void => undefined;
      const slot = slots.ask(partyName, () => begin());
      if (slot === null) throw refusal(partyName);
      if (!slot.waits) return slot;
      return new Promise((resolve, reject) => {
        const giveUp = (): void => {
          clearTimeout(timer);
          if (!slot.waits || hasGivenUp) return;
          hasGivenUp = true;
          reject(refusal(partyName));
          slots.leave(slot);
        };
        let hasGivenUp = false;
        const timer = setTimeout(giveUp, waitMsMax);
        leaving?.(giveUp);
        begin = () => {
          clearTimeout(timer);
          resolve(slot);
        };
      });
    },

    /** Takes a slot without waiting. @returns null if no slot is free. */
    takeIfFree(partyName: string): Slot | null {
      const slot = slots.ask(partyName, () => undefined);
      if (!slot?.waits) return slot;
      slots.leave(slot);
      return null;
    },

    give: (slot: Slot): void => slots.leave(slot),
  };
}

/** The error for a caller that got no slot in time. */
export class NoTurnError extends Error {
  override name = 'NoTurnError';
  /** The SQLSTATE for too many connections, so that callers treat the work as retryable (`store/unavailable.ts`). */
  readonly code = '53300';
  /** True if the party has to wait only because of its own requests. */
  readonly isOwn: boolean;

  constructor(isOwn: boolean) {
    super(isOwn ? 'this party has used up its share of slots' : 'all slots are in use');
    this.isOwn = isOwn;
  }
}
