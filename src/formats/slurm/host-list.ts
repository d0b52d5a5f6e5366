/**
 * Slurm's short way to write many names: `n[01-03,7],gpu1`, also with several brackets in one name.
 *
 * The number of names is bounded, so that a text of a few characters cannot fill the memory.
 */

/** More than the largest clusters have nodes. */
const MOST_NAMES = 200_000;

/** The names, in order; a text that is no such list is one name. */
export function hostList(text: string): readonly string[] {
  return splitOutside(text).flatMap(expand).slice(0, MOST_NAMES);
}

/** At commas that are not within brackets. */
function splitOutside(text: string): string[] {
  return text.match(/(?:[^,[\]]|\[[^\]]*\])+/g) ?? [];
}

function expand(name: string): readonly string[] {
  const match = /^([^[]*)\[([^\]]*)\](.*)$/.exec(name);
  if (match === null) return [name];
  const [, head, ranges, tail] = match;
  const tails = expand(tail);
  const middles = ranges.split(",").flatMap(rangeOf);
  if (middles.length * tails.length > MOST_NAMES) return [name];
  return middles.flatMap((middle) => tails.map((end) => `${head}${middle}${end}`));
}

/** `08-10` → 08, 09, 10: as wide as it begins. */
function rangeOf(range: string): readonly string[] {
  const match = /^(\d+)-(\d+)$/.exec(range);
  if (match === null) return [range];
  const from = Number(match[1]);
  const count = Number(match[2]) - from + 1;
  if (count < 1 || count > MOST_NAMES) return [range];
  return Array.from({ length: count }, (_, at) => String(from + at).padStart(match[1].length, "0"));
}
