import { FairSlots } from '../../core/fairness/fair-slots.ts';

/**
 * Shares the connections to one origin among visitor networks. While connections are scarce, limits how many of them one network may use.
 * Always limits how many requests of one network may wait.
 */
export class OriginConnectionLimiter extends FairSlots {
  constructor(limits: OriginConnectionLimits) {
    const { slotsMax, sharedFrom, perNetworkMax } = limits;
    super({
      slotsMax,
      mayTake: (taken, free) => slotsMax - free < sharedFrom || taken < perNetworkMax,
      queuedMax: limits.queuedMax,
      queuedPerPartyMax: limits.queuedPerNetworkMax,
    });
  }
}

export interface OriginConnectionLimits {
  slotsMax: number;
  /** Maximum number of slots of one network once `sharedFrom` slots are taken. */
  perNetworkMax: number;
  sharedFrom: number;
  /** Maximum number of waiting requests, in total and of one network. */
  queuedMax: number;
  queuedPerNetworkMax: number;
}
