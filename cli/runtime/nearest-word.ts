import { editDistance } from '../../shared/core/text/edit-distance.ts';

const FAR = 3;

/** The word that was meant, of those there are; null when none is near. */
export function nearestWord(typed: string, known: readonly string[]): string | null {
  if (typed.length < 3) return null;
  const [best] = known
    .map((word) => ({ word, distance: distanceOf(typed, word) }))
    .sort((one, other) => one.distance - other.distance);
  return best !== undefined && best.distance <= FAR && best.distance < typed.length - 1 ? best.word : null;
}

/** A word that was begun, or gone on with, is near however long the rest is. */
function distanceOf(typed: string, word: string): number {
  const is_part = word.startsWith(typed) || (word.length > FAR && typed.startsWith(word));
  return is_part ? 1 : editDistance(typed, word);
}
