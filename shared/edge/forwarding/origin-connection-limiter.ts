import { FairSlots } from '../../core/apps/fair-slots.ts';

/**
 * The connections to one origin, shared out: once they are scarce, those who come from one network have a part of them, and always a part of
 * the queue for them; networks that wait take turns.
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
  /** Of them, what one network has once `shared_from` are taken, by whomever. */
  per_network_max: number;
  shared_from: number;
  /** Those that wait, and those of one network. */
  queued_max: number;
  queued_per_network_max: number;
}
