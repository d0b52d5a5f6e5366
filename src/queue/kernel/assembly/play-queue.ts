/**
 * A queue on one pool of processors as it is played forward by estimates: its jobs by place in queue order,
 * and who of them is how narrow and how short. All plays of the queue share this.
 *
 * Sets of places are rows of bits, 128 to a vector. Which jobs are narrow enough and which short enough never
 * changes, so there is a row for each class of widths and of lengths, made once. With more values than
 * classes a row holds some who are too wide or too long, too: then whoever is found is asked again
 * (`isExact`). Nobody passes the head under FCFS, so there are no rows.
 */

/** A job: how long, when it starts as things are, what a ms of delay costs (f64), how wide, a hash (i32). */
const JOB_BYTES: usize = 32;
const PRESENT: usize = 8;
const WEIGHT: usize = 16;
const PROCS: usize = 24;
const HASH: usize = 28;

/** Most classes of widths; `impact/backfill-procs` has the same number. */
const MOST_WIDTHS: i32 = 1024;
const MOST_LENGTHS: i32 = 64;
/** Values by the first bits of their number: 16 buckets between one power of two and the next. */
const BUCKETS: i32 = 1024;
const BUCKET_SHIFT: i64 = 48;

/** Number of processors below which the row of a width is looked up in a table. */
const NARROW_DIRECT: i32 = 1024;

/** Of a quantity's classes: the first bucket and how many classes (i32), and where what follows begins. */
const CLASSES_BYTES: usize = 32;
const COUNT: usize = 4;
const LEAST: usize = 8;
const BEFORE: usize = 16;
const ROWS: usize = 24;

export let jobs: i32 = 0;
export let isEasy: bool = false;
/** True where each class is a single value; the second, where each class of width is. */
export let isExact: bool = true;
export let isExactInWidth: bool = true;
/** Length of a row, in bytes. */
export let rowBytes: usize = 0;
/** Classes of width and of length, with their rows; see `rowAtMost`. */
let narrow: usize = 0;
let short: usize = 0;
/** Fields of these classes for faster access, by `rowNarrow` and `rowShort`. */
let narrowRows: usize = 0;
let narrowDirect: usize = 0;
let shortRows: usize = 0;
let shortLeast: usize = 0;
let shortBefore: usize = 0;
let leastMs: f64 = 0;
let leastBucket: i64 = 0;
let table: usize = 0;

/** Lays this out for so many jobs from a place on; gives where it ends. */
export function layOutQueue(from: usize, jobCount: i32, letsPast: bool): usize {
  jobs = jobCount;
  isEasy = letsPast;
  rowBytes = ((<usize>jobs + 127) >> 7) << 4;
  table = from;
  narrow = table + <usize>(jobs + 1) * JOB_BYTES;
  if (!isEasy) return narrow;
  short = narrow + bytesOfClasses(min(MOST_WIDTHS, jobs));
  narrowDirect = short + bytesOfClasses(min(MOST_LENGTHS, jobs));
  return narrowDirect + (NARROW_DIRECT << 2);
}

function bytesOfClasses(most: i32): usize {
  const classes = <usize>most + 1;
  return CLASSES_BYTES + (((classes << 3) + 15) & ~15) + ((<usize>BUCKETS) << 1) + classes * rowBytes;
}

/** Where the jobs begin; the caller writes them by four numbers each, the last of which is the width. */
export function jobTable(): usize {
  return table;
}

/** Where the least values of the classes begin, ascending: of the widths, or of the lengths. */
export function leastOfClasses(ofLengths: bool): usize {
  return (ofLengths ? short : narrow) + CLASSES_BYTES;
}

/** Takes the jobs as they were written, and as many classes; says whether each is a single value. */
export function arrangeQueue(widths: i32, lengths: i32, isWidth: bool, isLength: bool): void {
  for (let place = 0; place < jobs; place++) {
    const job = jobAt(place);
    store<i32>(job, <i32>load<f64>(job, PROCS), PROCS);
    store<i32>(job, mixed(place, 0x632be59b), HASH);
  }
  isExact = isWidth && isLength;
  isExactInWidth = isWidth;
  if (!isEasy) return;
  openClasses(narrow, widths);
  openClasses(short, lengths);
  for (let place = 0; place < jobs; place++) {
    addPlace(rowAtMost(narrow, <f64>procsOf(jobAt(place))), place);
    addPlace(rowAtMost(short, lastsOf(jobAt(place))), place);
  }
  closeClasses(narrow);
  closeClasses(short);
  narrowRows = load<usize>(narrow, ROWS);
  for (let most = 0; most < NARROW_DIRECT; most++) {
    store<i32>(narrowDirect + ((<usize>most) << 2), <i32>(rowAtMost(narrow, <f64>most) - narrowRows));
  }
  shortRows = load<usize>(short, ROWS);
  shortLeast = load<usize>(short, LEAST);
  shortBefore = load<usize>(short, BEFORE);
  leastMs = load<f64>(shortLeast);
  leastBucket = reinterpret<i64>(leastMs) >> BUCKET_SHIFT;
}

/** The job at a place. */
export function jobAt(place: i32): usize {
  return table + <usize>place * JOB_BYTES;
}

/** Duration of a job, in ms. */
export function lastsOf(job: usize): f64 {
  return load<f64>(job);
}

/** Start of a job in the present play, in ms. */
export function presentOf(job: usize): f64 {
  return load<f64>(job, PRESENT);
}

/** Cost of a ms of delay of a job. */
export function weightOf(job: usize): f64 {
  return load<f64>(job, WEIGHT);
}

/** Width of a job, in processors. */
export function procsOf(job: usize): i32 {
  return load<i32>(job, PROCS);
}

/** Summand of a job in the hash of a state, once the job no longer waits. */
export function hashOf(job: usize): i32 {
  return load<i32>(job, HASH);
}

/** Two numbers as one in which every bit depends on all of theirs. */
export function mixed(a: i32, b: i32): i32 {
  let hash = (a ^ (b * <i32>0x9e3779b1)) * <i32>0x85ebca6b;
  hash ^= hash >>> 15;
  hash *= <i32>0xc2b2ae35;
  return hash ^ (hash >>> 13);
}

/** The row of everybody who is at most so wide. */
export function rowNarrow(most: i32): usize {
  if (most < 0) return narrowRows;
  if (most >= NARROW_DIRECT) return rowAtMost(narrow, <f64>most);
  return narrowRows + <usize>load<i32>(narrowDirect + ((<usize>most) << 2));
}

/** The row of everybody who is at most so long. */
export function rowShort(mostMs: f64): usize {
  if (!(mostMs >= leastMs)) return shortRows;
  const bucket = <i32>min<i64>((reinterpret<i64>(mostMs) >> BUCKET_SHIFT) - leastBucket, BUCKETS - 1);
  let row = <usize>load<u16>(shortBefore + ((<usize>bucket) << 1));
  while (load<f64>(shortLeast + (row << 3)) <= mostMs) row++;
  return shortRows + row * rowBytes;
}

/** The row of everybody whose value is at most this. */
function rowAtMost(classes: usize, most: f64): usize {
  const rows = load<usize>(classes, ROWS);
  const least = load<usize>(classes, LEAST);
  // Where there is no class the least is no number.
  if (!(most >= load<f64>(least))) return rows;
  let row = <usize>load<u16>(load<usize>(classes, BEFORE) + ((<usize>bucketOf(classes, most)) << 1));
  while (load<f64>(least + (row << 3)) <= most) row++;
  return rows + row * rowBytes;
}

function bucketOf(classes: usize, value: f64): i32 {
  const bucket = (reinterpret<i64>(value) >> BUCKET_SHIFT) - <i64>load<i32>(classes);
  return <i32>min<i64>(bucket, BUCKETS - 1);
}

/** Begins with empty rows, and says how many classes begin before each bucket. */
function openClasses(classes: usize, count: i32): void {
  const least = classes + CLASSES_BYTES;
  const before = least + ((((<usize>(count + 1)) << 3) + 15) & ~15);
  const rows = before + ((<usize>BUCKETS) << 1);
  store<i32>(classes, <i32>(reinterpret<i64>(load<f64>(least)) >> BUCKET_SHIFT));
  store<i32>(classes, count, COUNT);
  store<usize>(classes, least, LEAST);
  store<usize>(classes, before, BEFORE);
  store<usize>(classes, rows, ROWS);
  store<f64>(least + ((<usize>count) << 3), NaN);
  let bucket = 0;
  for (let at = 0; at < count; at++) {
    const own = bucketOf(classes, load<f64>(least + ((<usize>at) << 3)));
    for (; bucket <= own; bucket++) store<u16>(before + ((<usize>bucket) << 1), <u16>at);
  }
  for (; bucket < BUCKETS; bucket++) store<u16>(before + ((<usize>bucket) << 1), <u16>count);
  memory.fill(rows, 0, <usize>(count + 1) * rowBytes);
}

/** Puts into each row who is in the one before. */
function closeClasses(classes: usize): void {
  const rows = load<usize>(classes, ROWS);
  const end = rows + <usize>(load<i32>(classes, COUNT) + 1) * rowBytes;
  for (let at = rows + rowBytes; at < end; at += 16) {
    v128.store(at, v128.or(v128.load(at), v128.load(at - rowBytes)));
  }
}

/** Puts a place into a set. */
export function addPlace(set: usize, place: i32): void {
  const at = set + ((<usize>place >> 6) << 3);
  store<i64>(at, load<i64>(at) | ((<i64>1) << (<i64>place & 63)));
}

/** Takes a place out of a set. */
export function removePlace(set: usize, place: i32): void {
  const at = set + ((<usize>place >> 6) << 3);
  store<i64>(at, load<i64>(at) & ~((<i64>1) << (<i64>place & 63)));
}
