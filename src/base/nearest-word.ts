/**
 * Suggestions for mistyped words.
 *
 * Edit distance with transpositions (optimal string alignment), ignoring case. The distance must be less than
 * half the length of the word, or 1 in a word of two letters; a more distant candidate would be a guess.
 */

/** The candidate nearest to `word`; the first of equally near ones; undefined where none is near enough. */
export function nearestWord(word: string, candidates: readonly string[]): string | undefined {
  let best: string | undefined;
  let bestDistance = Math.max(word.length > 1 ? 2 : 1, Math.ceil(word.length / 2));
  const mistyped = word.slice(0, 64).toLowerCase();
  for (const candidate of candidates) {
    const distance = editDistance(mistyped, candidate.toLowerCase());
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

function editDistance(one: string, other: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, j) => j);
  for (let i = 1; i <= one.length; i++) {
    const row = [i];
    for (let j = 1; j <= other.length; j++) {
      const same = one[i - 1] === other[j - 1];
      row[j] = Math.min(row[j - 1] + 1, last[j] + 1, last[j - 1] + (same ? 0 : 1));
      const isSwap = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      if (isSwap) row[j] = Math.min(row[j], beforeLast[j - 2] + 1);
    }
    beforeLast = last;
    last = row;
  }
  return last[other.length];
}
