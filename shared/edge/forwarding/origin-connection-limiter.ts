import { FairSlots } from '../../core/apps/fair-slots.ts';

/**
 * Shares the connections to one origin fairly among visitor networks. While connections are scarce, it limits how many one network holds.
 * It always limits how many requests of one network wait. Waiting networks take turns.
 */
export class OriginConnectionLimiter extends FairSlots {
  constructor(limits: OriginConnectionLimits) {
    const { slots_max, shared_from, per_network_max } = limits;
    super({
      slotsMax: slots_max,
      mayTake: (taken, free) => slots_max - free < shared_from || taken < per_network_max,
      queuedMax: limits.queued_max,
      queuedPerPartyMax: limits.queued_per_network_max,
    });
  }
}

export interface OriginConnectionLimits {
  slots_max: number;
  /** Slots that one network may hold once `shared_from` slots are taken. */
  per_network_max: number;
  shared_from: number;
  /** Waiting requests, in total and of one network. */
  queued_max: number;
  queued_per_network_max: number;
}
