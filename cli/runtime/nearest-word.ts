import { editDistance } from '../../shared/core/text/edit-distance.ts';

const DISTANCE_MAX = 3;

/** Returns the known word that is most similar to the typed one, or null if none is similar enough. */
export function nearestWord(typed: string, known: readonly string[]): string | null {
  if (typed.length < 3) return null;
  const [best] = known
    .map((word) => ({ word, distance: distanceOf(typed, word) }))
    .sort((one, other) => one.distance - other.distance);
  return best !== undefined && best.distance <= DISTANCE_MAX && best.distance < typed.length - 1
    ? best.word
    : null;
}

/** Returns the edit distance, or 1 if one word is the beginning of the other. */
function distanceOf(typed: string, word: string): number {
  const isPart = word.startsWith(typed) || (word.length > DISTANCE_MAX && typed.startsWith(word));
  return isPart ? 1 : editDistance(typed, word);
}
