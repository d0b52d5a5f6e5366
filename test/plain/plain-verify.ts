/**
 * Verification, written from the rules alone: tick by tick, one resource, everything added up anew.
 *
 * A tick is a millisecond; cases last a few dozen of them. Windows slide. Sums are amounts·ms times
 * WHOLE_SHARE, so that they can be compared exactly.
 */
import {
  type Evidence,
  entitlements,
  levelsOf,
  pathsTo,
  type ShareNode,
  shareTree,
  type UseRecord,
  type VerifyQuestion,
  WHOLE_SHARE,
} from "../../src/policy/index.ts";

/** What was measured of a level. */
export interface PlainMeasure {
  readonly consumer: string;
  used: bigint;
  aboveBurst: bigint;
  aboveEpoch: bigint;
  contended: bigint;
  contendedLent: bigint;
  notGiven: bigint;
  notGivenLent: bigint;
}

interface Past {
  /** By tick: what the limit gave, what was counted up to it, what counted for being below it. */
  readonly given: Map<number, bigint>;
  readonly upTo: Map<number, bigint>;
  readonly counted: Map<number, bigint>;
  /** By bucket. */
  readonly buckets: Map<string, { used: bigint; given: bigint }>;
  node: ShareNode;
  /** Since when it was followed with this window. */
  sinceMs: number;
}

const WHOLE = BigInt(WHOLE_SHARE);

/** The measures of processors by consumer. */
export function plainVerify(evidence: Evidence, question: VerifyQuestion): readonly PlainMeasure[] {
  const book: Book = { evidence, question, measures: new Map(), pasts: new Map(), lent: new Set() };
  const begins = evidence.records.flatMap(({ waits, runs }) =>
    [...waits, ...runs].map(({ fromMs }) => fromMs),
  );
  for (let t = Math.min(question.fromMs, ...begins); t < question.toMs; t++) {
    const moment = momentAt(book, t);
    for (const run of moment.runs) if (isLentNow(moment, run)) book.lent.add(run.run);
    for (const node of moment.nodes) measureLevel(book, moment, node);
  }
  for (const [consumer, { buckets }] of book.pasts) {
    for (const { used, given } of buckets.values()) {
      if (used > given) measureOf(book, consumer).aboveBurst += used - given;
    }
  }
  return [...book.measures.values()];
}

interface Book {
  readonly evidence: Evidence;
  readonly question: VerifyQuestion;
  readonly measures: Map<string, PlainMeasure>;
  readonly pasts: Map<string, Past>;
  readonly lent: Set<UseRecord["runs"][number]>;
}

interface Running {
  readonly job: UseRecord;
  readonly run: UseRecord["runs"][number];
}

/** A tick with all that is so in it. */
interface Moment {
  readonly t: number;
  readonly capacity: number;
  readonly nodes: readonly ShareNode[];
  readonly runs: readonly Running[];
  readonly claims: readonly UseRecord[];
  readonly entitledOf: (path: string) => number;
}

function momentAt({ evidence, question }: Book, t: number): Moment {
  const tree = treeAt(evidence, t);
  const capacity = capacityAt(evidence, t);
  const nodes = namedAt(evidence, t);
  const counts = ({ isLost }: { readonly isLost?: boolean }) =>
    isLost !== true || question.definitions.nodeFailure === "consumer";
  const runs = evidence.records.flatMap((job) =>
    job.runs.filter((run) => holds(run, t) && counts(run)).map((run) => ({ job, run })),
  );
  const lineOf = (job: UseRecord) =>
    needOf(job) === 0 ? [] : levelsOf(tree, "cpu", job.consumer).filter(({ policy }) => policy !== null);
  const demand = evidence.records.filter((job) => {
    const line = lineOf(job);
    const isWithin = ({ burstShare }: ShareNode) =>
      BigInt(needOf(job)) * WHOLE <= BigInt(burstShare) * BigInt(capacity);
    const isPossible = line.length > 0 && needOf(job) <= capacity && line.every(isWithin);
    return isPossible && job.waits.some((wait) => holds(wait, t));
  });
  const wants = (path: string) =>
    nodes.some((node) => node.path === path && node.mode === "dedicated") ||
    [...runs.map(({ job }) => job), ...demand].some((job) => needOf(job) > 0 && isOf(job, path));
  const shares = entitlements(tree, "cpu", wants);
  const entitledOf = (path: string) => Number((BigInt(shares.get(path) ?? 0) * BigInt(capacity)) / WHOLE);
  const claims = demand.filter((job) =>
    lineOf(job).every(({ path }) => useOf(runs, path) + needOf(job) <= entitledOf(path)),
  );
  return { t, capacity, nodes, runs, claims, entitledOf };
}

function isLentNow({ t, claims }: Moment, { job, run }: Running): boolean {
  return run.fromMs === t && !claims.some((claim) => !inLine(claim.consumer, job.consumer));
}

function measureLevel(book: Book, moment: Moment, node: ShareNode): void {
  const { t, runs, claims, capacity, nodes, entitledOf } = moment;
  const { path } = node;
  const past = pastOf(book, node, t);
  const inUse = useOf(runs, path);
  const amount = BigInt(inUse) * WHOLE;
  const others = inUse === 0 ? [] : claims.filter((claim) => !inLine(claim.consumer, path));
  const own = claims.filter((claim) => isOf(claim, path)).map(needOf);
  const wanted = inUse + own.reduce((sum, need) => sum + need, 0);
  const short = Math.min(entitledOf(path), wanted) - inUse;
  past.given.set(t, BigInt(node.epochShare) * BigInt(capacity));
  const upTo = clamp(givenOver(book, past, t) - sumOver(past.upTo, t - 1, windowOf(node) - 1), amount);
  past.upTo.set(t, upTo);
  const left = givenOver(book, past, t - 1) - sumOver(past.counted, t - 1, windowOf(node));
  const isForgiven = node.carry === "forgive" && node.rule !== "cap" && others.length === 0;
  past.counted.set(t, isForgiven ? BigInt(Math.min(inUse, entitledOf(path))) * WHOLE : amount);
  const measure = measureOf(book, path);
  if (!isMeasured(book, t)) return;
  measure.used += amount;
  fillBucket(past, { t, amount, limit: BigInt(node.burstShare) * BigInt(capacity) });
  const above = amount - upTo;
  measure.aboveEpoch += above;
  if (others.length > 0) {
    measure.contended += above;
    const lent = BigInt(useOf(lentOf(book, runs), path)) * WHOLE;
    const isPatient = others.every((claim) => modeBelow(claim.consumer, path, nodes) === "shared");
    if (isPatient) measure.contendedLent += above < lent ? above : lent;
  }
  if (left <= 0n || short <= 0) return;
  measure.notGiven += BigInt(short) * WHOLE;
  measure.notGivenLent += BigInt(Math.min(short, excused(book, moment, node, { short, own }))) * WHOLE;
}

function excused(
  book: Book,
  { runs, capacity, nodes, entitledOf }: Moment,
  node: ShareNode,
  { short, own }: { readonly short: number; readonly own: readonly number[] },
): number {
  if (node.mode !== "shared") return 0;
  const free = Math.max(0, capacity - runs.reduce((sum, { job }) => sum + needOf(job), 0));
  const beside = nodes.filter(({ path }) => !inLine(path, node.path));
  const uppermost = beside.filter(({ path }) => !beside.some((other) => path.startsWith(`${other.path}/`)));
  const over = uppermost.reduce((sum, { path }) => {
    const lent = useOf(lentOf(book, runs), path);
    return sum + Math.max(0, Math.min(lent, useOf(runs, path) - entitledOf(path)));
  }, 0);
  const least = Math.min(...own);
  if (least > free && least <= free + over) return short;
  return Math.max(0, Math.min(short - free, over));
}

function fillBucket(
  { buckets, node }: Past,
  { t, amount, limit }: { readonly t: number; readonly amount: bigint; readonly limit: bigint },
): void {
  const bucketMs = node.policy?.burst.bucketMs ?? 1;
  const name = `${bucketMs} ${Math.floor(t / bucketMs)}`;
  const bucket = buckets.get(name) ?? { used: 0n, given: 0n };
  buckets.set(name, bucket);
  bucket.used += amount;
  bucket.given += limit;
}

/** What the limit gives over the window whose last tick this is. */
function givenOver(book: Book, past: Past, last: number): bigint {
  let sum = 0n;
  for (let tau = last; tau > last - windowOf(past.node); tau--) {
    sum += past.given.get(tau) ?? givenBefore(book, past, tau);
  }
  return sum;
}

/** Over so many ticks, of which this is the last. */
function sumOver(amounts: ReadonlyMap<number, bigint>, last: number, count: number): bigint {
  let sum = 0n;
  for (let tau = last; tau > last - count; tau--) sum += amounts.get(tau) ?? 0n;
  return sum;
}

/** Before a level was followed its limit is what it was when that began. */
function givenBefore({ evidence }: Book, { node: { path, window }, sinceMs }: Past, tau: number): bigint {
  let share = 0;
  for (let t = sinceMs; t >= tau; t--) {
    const node = namedAt(evidence, t).find((one) => one.path === path);
    if (node === undefined || JSON.stringify(node.window) !== JSON.stringify(window)) break;
    share = node.epochShare;
  }
  return BigInt(share) * BigInt(capacityAt(evidence, tau));
}

function pastOf({ evidence, pasts }: Book, node: ShareNode, t: number): Past {
  const known = pasts.get(node.path);
  const wasNamed = namedAt(evidence, t - 1).some(({ path }) => path === node.path);
  if (known !== undefined && wasNamed && windowOf(known.node) === windowOf(node)) {
    known.node = node;
    return known;
  }
  const buckets = known?.buckets ?? new Map();
  const fresh = { given: new Map(), upTo: new Map(), counted: new Map(), buckets, node, sinceMs: t };
  pasts.set(node.path, fresh);
  return fresh;
}

function measureOf({ measures }: Book, consumer: string): PlainMeasure {
  const none = { used: 0n, aboveBurst: 0n, aboveEpoch: 0n, contended: 0n, contendedLent: 0n };
  const known = measures.get(consumer) ?? { consumer, ...none, notGiven: 0n, notGivenLent: 0n };
  measures.set(consumer, known);
  return known;
}

function isMeasured({ evidence, question }: Book, t: number): boolean {
  if (t < question.fromMs || !evidence.recorded.some((one) => holds(one, t))) return false;
  return !evidence.stopped.some((one) => question.definitions[one.why] === "excluded" && holds(one, t));
}

function treeAt({ terms, place }: Evidence, t: number) {
  const term = terms.findLast(({ fromMs }) => fromMs === null || fromMs <= t);
  return shareTree(term?.policies ?? [], place);
}

function namedAt(evidence: Evidence, t: number): readonly ShareNode[] {
  const nodes = treeAt(evidence, t).nodes.get("cpu")?.values() ?? [];
  return [...nodes].filter(({ policy }) => policy !== null);
}

function capacityAt({ capacity }: Evidence, t: number): number {
  const step = capacity.findLast(({ fromMs }) => fromMs <= t) ?? capacity[0];
  return step.amounts.cpu ?? 0;
}

function windowOf({ window }: ShareNode): number {
  return window.kind === "sliding" ? window.lengthMs : 0;
}

function useOf(runs: readonly Running[], path: string): number {
  return runs.filter(({ job }) => isOf(job, path)).reduce((sum, { job }) => sum + needOf(job), 0);
}

function lentOf({ lent }: Book, runs: readonly Running[]): readonly Running[] {
  return runs.filter(({ run }) => lent.has(run));
}

function isOf({ consumer }: UseRecord, path: string): boolean {
  return pathsTo(consumer).includes(path);
}

function modeBelow(consumer: string, path: string, nodes: readonly ShareNode[]): string {
  const own = pathsTo(consumer).find((one) => !inLine(one, path)) ?? consumer;
  return nodes.find((node) => node.path === own)?.mode ?? "shared";
}

function inLine(one: string, other: string): boolean {
  return pathsTo(one).includes(other) || pathsTo(other).includes(one);
}

interface Span {
  readonly fromMs: number;
  readonly toMs: number | null;
}

function holds({ fromMs, toMs }: Span, t: number): boolean {
  return fromMs <= t && (toMs === null || t < toMs);
}

function needOf({ need }: UseRecord): number {
  return need.cpu ?? 0;
}

function clamp(value: bigint, most: bigint): bigint {
  if (value < 0n) return 0n;
  return value < most ? value : most;
}
