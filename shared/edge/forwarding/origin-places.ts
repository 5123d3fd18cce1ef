import { FairSlots, type Slot } from '../../core/apps/fair-slots.ts';

/** A request's slot at the origin, or its place in the queue. */
export type Place = Slot;

/**
 * The connections to one origin, shared out: once they are scarce, those who come from one network have a part of them, and always a part of
 * the queue for them; networks that wait take turns.
 */
export class OriginPlaces extends FairSlots {
  constructor(limits: PlaceLimits) {
    const { places_max, shared_from, per_network_max } = limits;
    super({
      slotsMax: places_max,
      mayTake: (taken, free) => places_max - free < shared_from || taken < per_network_max,
      queuedMax: limits.queued_max,
      queuedPerPartyMax: limits.queued_per_network_max,
    });
  }
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
