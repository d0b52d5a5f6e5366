/**
 * One pass of FCFS or EASY over a queue in play (rules QU-1, QU-2): see `queue-play` for what it equals.
 *
 * Behind the head only those are looked at who are narrow and short enough to start (`width-classes`), in
 * queue order across classes. What has room only shrinks in a pass, so each class is gone through once.
 */
import { type FreeProcs, findStart, fitsNow } from "./free-procs.ts";
import { type HeadPromise, type QueuePlay, startNow } from "./queue-play.ts";
import { firstShort, leaveClass } from "./width-classes.ts";

/** Behind every instant, and before the infinity that stands where nobody waits. */
const FOR_EVER_MS = Number.MAX_SAFE_INTEGER;

/** Behind every place. */
const NOBODY = 2 ** 31 - 1;

/** Starts what can start now. */
export function passNow(play: QueuePlay): void {
  const { queue, free, hasStarted, isEasy } = play;
  const { count, procs, durationMs } = queue;
  let { head } = play;
  for (; head < count; head++) {
    if (hasStarted[head] === 1) continue;
    if (!fitsNow(free, procs[head], free.nowMs + durationMs[head])) break;
    startNow(play, head);
  }
  play.head = head;
  if (!isEasy || head === count || free.procs === 0) return;
  if (play.promise.of !== head) promiseHead(play);
  backfill(play);
}

function promiseHead({ queue, free, promise, head, classes }: QueuePlay): void {
  const width = queue.procs[head];
  const durationMs = queue.durationMs[head];
  findStart(free, width, durationMs, promise);
  promise.of = head;
  promise.width = width;
  promise.endMs = promise.startMs + durationMs;
  promise.extra = promise.procs - width;
  // From now on it starts as the head, and is none of those that are let past.
  leaveClass(classes, head);
}

/** Lets past the head, in queue order, who disturbs neither what is fixed nor its promise. */
function backfill(play: QueuePlay): void {
  const { free, queue, next, classes, promise } = play;
  const { leastProcs, rootOf, leastMs } = classes;
  // Whoever is wider than the extra processors has to end by this, whatever else there is.
  const mostMs = promise.startMs - free.nowMs;
  let open = 0;
  for (; open < leastProcs.length && leastProcs[open] <= free.procs; open++) {
    next[open] = NOBODY;
    const least = leastMs[rootOf[open] + 1];
    if (least <= mostMs || (leastProcs[open] <= promise.extra && least <= FOR_EVER_MS)) seek(play, open, 0);
  }
  while (free.procs > 0) {
    let c = 0;
    for (let other = 1; other < open; other++) if (next[other] < next[c]) c = other;
    const place = next[c];
    if (place === NOBODY) return;
    const procs = queue.procs[place];
    if (hasRoomBeside(play, place)) {
      startNow(play, place);
      if (free.nowMs + queue.durationMs[place] > promise.startMs) promise.extra -= procs;
    }
    seek(play, c, classes.leafOf[place] + 1);
  }
}

/** Finds the first of a class that has room, from a leaf on. */
function seek({ queue, classes, next, free, promise }: QueuePlay, c: number, fromLeaf: number): void {
  const { leastProcs, isOneWidth, rootOf, leaves, placeAt, leastMs } = classes;
  next[c] = NOBODY;
  if (leastProcs[c] > free.procs) return;
  const mostMs = longestBeside(free, promise, leastProcs[c]);
  const first = rootOf[c] + leaves[c];
  let leaf = firstShort(classes, c, fromLeaf, mostMs);
  if (isOneWidth[c] === 0) {
    while (leaf >= 0) {
      const procs = queue.procs[placeAt[first + leaf]];
      if (procs <= free.procs && leastMs[first + leaf] <= longestBeside(free, promise, procs)) break;
      leaf = firstShort(classes, c, leaf + 1, mostMs);
    }
  }
  if (leaf >= 0) next[c] = placeAt[first + leaf];
}

/** What has been found of a class may have lost its room to one of another class since. */
function hasRoomBeside({ queue, free, promise }: QueuePlay, place: number): boolean {
  const procs = queue.procs[place];
  return procs <= free.procs && queue.durationMs[place] <= longestBeside(free, promise, procs);
}

/** How long so many processors are free from now on beside the head's promise. */
function longestBeside(free: FreeProcs, promise: HeadPromise, procs: number): number {
  const { lossMs, leftAtLoss, lossTo, nowMs } = free;
  const untilMs = procs > promise.extra ? promise.startMs : FOR_EVER_MS;
  for (let at = free.lossFrom; at < lossTo && lossMs[at] < untilMs; at++) {
    const isPromised = lossMs[at] >= promise.startMs && lossMs[at] < promise.endMs;
    if (leftAtLoss[at] - (isPromised ? promise.width : 0) < procs) return lossMs[at] - nowMs;
  }
  return untilMs - nowMs;
}
