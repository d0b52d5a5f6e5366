/**
 * Who waits behind the head of a queue, as sets of places by width and by duration, so that a pass of EASY
 * finds who could start without a look at everybody.
 *
 * A set is a row of words with a bit for each place in queue order. Which jobs are narrow enough and which
 * short enough never changes, so these rows are made once and all plays of the queue share them; a play
 * keeps one row, of who waits. Who could start is what the rows have in common, 32 places at a time.
 * Each row stands for a class of values. With more values than classes a row holds some who are too wide or
 * too long, too: then whoever is found is asked again (`isExact`).
 */

/** The waiting jobs by place in queue order. */
export interface QueuedRectangles {
  readonly count: number;
  readonly procs: Float64Array;
  readonly durationMs: Float64Array;
}

/** The rows of one quantity: row 0 is empty, row r holds who is in one of the first r classes. */
export interface ClassRows {
  /** The least value of each class, ascending. */
  readonly least: Float64Array;
  /** How many classes begin before each bucket of values, so that few are looked at; see `bucketOf`. */
  readonly before: Int32Array;
  readonly perRoot: number;
  readonly rows: Int32Array;
  readonly words: number;
  /** Whether each class is a single value. */
  readonly isExact: boolean;
}

/** More would be rows for their own sake: what a row lets through in vain is one comparison. */
const MOST_CLASSES = 1024;

const BUCKETS = 1024;

/** How many words a set of so many places has. */
export function wordsFor(count: number): number {
  return (count + 31) >> 5;
}

/** The set of all places. */
export function everyPlace(count: number): Int32Array {
  const set = new Int32Array(wordsFor(count)).fill(-1);
  if ((count & 31) !== 0) set[set.length - 1] = (1 << (count & 31)) - 1;
  return set;
}

/** The rows of these values, by place. */
export function rowsOf(values: Float64Array): ClassRows {
  const sorted = values.slice().sort();
  let distinct = 0;
  for (let i = 0; i < sorted.length; i++) {
    if (i === 0 || sorted[i] !== sorted[distinct - 1]) sorted[distinct++] = sorted[i];
  }
  const classes = Math.min(MOST_CLASSES, distinct);
  const least = Float64Array.from(
    { length: classes },
    (_, c) => sorted[Math.floor((c * distinct) / classes)],
  );
  const words = wordsFor(values.length);
  const perRoot = BUCKETS / Math.sqrt(Math.sqrt(Math.max(1, sorted[distinct - 1] ?? 1)));
  const before = new Int32Array(BUCKETS + 1);
  for (let c = 0, bucket = 0; c < classes; c++) {
    for (const own = bucketOf(perRoot, least[c]); bucket <= own; bucket++) before[bucket] = c;
  }
  const rows = new Int32Array((classes + 1) * words);
  const made = { least, before, perRoot, rows, words, isExact: classes === distinct };
  for (let i = 0; i < values.length; i++) rows[rowAtMost(made, values[i]) + (i >> 5)] |= 1 << (i & 31);
  for (let at = words; at < rows.length; at++) rows[at] |= rows[at - words];
  return made;
}

/** Where the row begins that holds everybody whose value is at most this. */
export function rowAtMost({ least, before, perRoot, words }: ClassRows, most: number): number {
  const classes = least.length;
  if (classes === 0 || most < least[0]) return 0;
  if (most >= least[classes - 1]) return classes * words;
  let row = before[bucketOf(perRoot, most)];
  while (least[row] <= most) row++;
  return row * words;
}

/** Narrow where values are small, of which there are most; a greater value never has a smaller bucket. */
function bucketOf(perRoot: number, value: number): number {
  return (Math.sqrt(Math.sqrt(value)) * perRoot) | 0;
}

/** The first place of a set from one on; −1 where there is none. */
export function firstFrom(set: Int32Array, from: number): number {
  let word = from >> 5;
  if (word >= set.length) return -1;
  let bits = set[word] & (-1 << (from & 31));
  while (bits === 0) {
    if (++word === set.length) return -1;
    bits = set[word];
  }
  return lowestOf(word, bits);
}

/** The place of the lowest bit in a word. */
export function lowestOf(word: number, bits: number): number {
  return (word << 5) + 31 - Math.clz32(bits & -bits);
}
