const DISTANCE_MAX = 3;
/** A typed word may have one error for each group of this many characters. */
const CHARACTERS_PER_ERROR = 3;

/**
 * Returns the known word that was probably meant, or null if none is similar enough. Returns null for a word of less than three characters,
 * which would be similar to too many words.
 */
export function nearestWord(typed: string, known: readonly string[]): string | null {
  if (typed.length < 3) return null;
  const [best] = known
    .map((word) => ({ word, distance: distanceOf(typed, word) }))
    .sort((one, other) => one.distance - other.distance);
  const distanceMax = Math.min(Math.ceil(typed.length / CHARACTERS_PER_ERROR), DISTANCE_MAX);
  return best !== undefined && best.distance <= distanceMax ? best.word : null;
}

/** Returns the edit distance of two words, or 1 if one word is the beginning of the other. */
function distanceOf(typed: string, word: string): number {
  const isPart = word.startsWith(typed) || (word.length > DISTANCE_MAX && typed.startsWith(word));
  return isPart ? 1 : editDistance(typed, word);
}

/** Returns the Levenshtein distance: the number of insertions, deletions and replacements of one character. */
function editDistance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [i, character] of [...one].entries()) {
    const next = [i + 1];
    for (const [j, wanted] of [...other].entries()) {
      const replaced = (row[j] ?? 0) + (character === wanted ? 0 : 1);
      next.push(Math.min(replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row[other.length] ?? one.length;
}
