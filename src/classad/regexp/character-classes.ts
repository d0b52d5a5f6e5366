/** Classes of characters in regular expressions: by letter, by name, by property. */

/** Codes from the first to the last, both included. */
export type CodeRange = readonly [first: number, last: number];

type Ranges = readonly CodeRange[];

const DIGITS: Ranges = [[48, 57]];
const UPPER: Ranges = [[65, 90]];
const LOWER: Ranges = [[97, 122]];
const WORD: Ranges = [...DIGITS, ...UPPER, [95, 95], ...LOWER];
const SPACES: Ranges = [
  [9, 13],
  [32, 32],
];
const HORIZONTAL: Ranges = [
  [9, 9],
  [32, 32],
  [0xa0, 0xa0],
];
const VERTICAL: Ranges = [
  [10, 13],
  [0x85, 0x85],
];
const NEW_LINE: Ranges = [[10, 10]];

const BY_LETTER: ReadonlyMap<string, Ranges> = new Map([
  ["d", DIGITS],
  ["w", WORD],
  ["s", SPACES],
  ["h", HORIZONTAL],
  ["v", VERTICAL],
  ["D", complement(DIGITS)],
  ["W", complement(WORD)],
  ["S", complement(SPACES)],
  ["H", complement(HORIZONTAL)],
  ["V", complement(VERTICAL)],
  ["N", complement(NEW_LINE)],
]);

const BY_NAME: ReadonlyMap<string, Ranges> = new Map<string, Ranges>([
  ["alpha", [...UPPER, ...LOWER]],
  ["alnum", [...DIGITS, ...UPPER, ...LOWER]],
  ["ascii", [[0, 127]]],
  ["blank", [...HORIZONTAL.slice(0, 2)]],
  [
    "cntrl",
    [
      [0, 31],
      [127, 127],
    ],
  ],
  ["digit", DIGITS],
  ["graph", [[33, 126]]],
  ["lower", LOWER],
  ["print", [[32, 126]]],
  [
    "punct",
    [
      [33, 47],
      [58, 64],
      [91, 96],
      [123, 126],
    ],
  ],
  ["space", SPACES],
  ["upper", UPPER],
  ["word", WORD],
  ["xdigit", [...DIGITS, [65, 70], [97, 102]]],
]);

/** The class of a letter behind a backslash; undefined where it is none. */
export function classOf(letter: string): Ranges | undefined {
  return BY_LETTER.get(letter);
}

/** The class of `[:name:]`. */
export function namedClass(name: string): Ranges | undefined {
  return BY_NAME.get(name);
}

/** Ranges of properties that have been asked for. */
const properties = new Map<string, Ranges>();

/** The characters of a Unicode category or script, `L` or `Greek`; undefined where there is no such one. */
export function propertyClass(name: string): Ranges | undefined {
  const known = properties.get(name);
  if (known !== undefined) return known;
  const pattern = propertyPattern(name);
  if (pattern === undefined) return undefined;
  const ranges: (readonly [number, number])[] = [];
  let first = -1;
  for (let code = 0; code <= 0x1_0000; code++) {
    const isIn = code < 0x1_0000 && pattern.test(String.fromCharCode(code));
    if (isIn && first === -1) first = code;
    if (!isIn && first !== -1) {
      ranges.push([first, code - 1]);
      first = -1;
    }
  }
  properties.set(name, ranges);
  return ranges;
}

function propertyPattern(name: string): RegExp | undefined {
  for (const property of name === "L&" ? ["LC"] : [name, `Script=${name}`]) {
    try {
      return new RegExp(`^\\p{${property}}`, "u");
    } catch {
      // No property of this name.
    }
  }
  return undefined;
}

/** All codes outside of the ranges. */
export function complement(ranges: Ranges): Ranges {
  const gaps: CodeRange[] = [];
  let from = 0;
  for (const [first, last] of [...ranges].sort(([one], [other]) => one - other)) {
    if (first > from) gaps.push([from, first - 1]);
    from = Math.max(from, last + 1);
  }
  return from > 0xffff ? gaps : [...gaps, [from, 0xffff]];
}

/** The ranges with the letters A–Z in both cases. */
export function caseless(ranges: Ranges): Ranges {
  const others = ranges.flatMap(([first, last]) => [
    ...shifted(Math.max(first, 65), Math.min(last, 90), 32),
    ...shifted(Math.max(first, 97), Math.min(last, 122), -32),
  ]);
  return others.length === 0 ? ranges : [...ranges, ...others];
}

function shifted(first: number, last: number, by: number): Ranges {
  return first > last ? [] : [[first + by, last + by]];
}
