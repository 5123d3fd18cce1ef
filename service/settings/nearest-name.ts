import { editDistance } from '../../shared/core/text/edit-distance.ts';

/** Returns the name that was probably meant, or null if none is similar. */
export function nearestName(typed: string, names: readonly string[]): string | null {
  const near = names
    .map((name) => ({ name, distance: editDistance(typed, name) }))
    .filter((each) => each.distance <= DISTANCE_MAX)
    .sort((one, other) => one.distance - other.distance);
  return near[0]?.name ?? null;
}

const DISTANCE_MAX = 4;
