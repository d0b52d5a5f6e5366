/**
 * Slurm's short way to write many names: `n[01-03,7],gpu1`, also with several brackets in one name.
 *
 * The number of names is bounded, so that a text of a few characters cannot fill the memory.
 */

/** More than the largest clusters have nodes. */
const MOST_NAMES = 200_000;

/** Names have one or two brackets; each further one is taken as it is written. */
const MOST_BRACKETS = 4;

/** The names, in order; a text that is no such list is one name. */
export function hostList(text: string): readonly string[] {
  const names: string[] = [];
  for (const name of splitOutside(text)) {
    for (const each of expand(name, MOST_BRACKETS)) {
      if (names.length === MOST_NAMES) return names;
      names.push(each);
    }
  }
  return names;
}

/** At commas that are not within brackets. */
function splitOutside(text: string): string[] {
  const parts: string[] = [];
  let begin = 0;
  let isInside = false;
  for (let at = 0; at <= text.length; at++) {
    const mark = text[at];
    if (mark === "[") isInside = true;
    else if (mark === "]") isInside = false;
    if (mark !== undefined && (mark !== "," || isInside)) continue;
    if (at > begin) parts.push(text.slice(begin, at));
    begin = at + 1;
  }
  return parts;
}

function expand(name: string, bracketsLeft: number): readonly string[] {
  const open = name.indexOf("[");
  const close = name.indexOf("]", open);
  if (open < 0 || close < 0 || bracketsLeft === 0) return [name];
  const head = name.slice(0, open);
  const tails = expand(name.slice(close + 1), bracketsLeft - 1);
  const middles = middlesOf(name.slice(open + 1, close));
  if (middles === undefined || middles.length * tails.length > MOST_NAMES) return [name];
  return middles.flatMap((middle) => tails.map((end) => `${head}${middle}${end}`));
}

/** `1,08-10` → 1, 08, 09, 10; undefined where they are too many. */
function middlesOf(ranges: string): readonly string[] | undefined {
  const middles: string[] = [];
  for (const range of ranges.split(",")) {
    const found = rangeOf(range);
    if (middles.length + found.length > MOST_NAMES) return undefined;
    for (const middle of found) middles.push(middle);
  }
  return middles;
}

/** `08-10` → 08, 09, 10: as wide as it begins. */
function rangeOf(range: string): readonly string[] {
  const match = /^(\d{1,15})-(\d{1,15})$/.exec(range);
  if (match === null) return [range];
  const from = Number(match[1]);
  const count = Number(match[2]) - from + 1;
  if (count < 1 || count > MOST_NAMES) return [range];
  return Array.from({ length: count }, (_, at) => String(from + at).padStart(match[1].length, "0"));
}
