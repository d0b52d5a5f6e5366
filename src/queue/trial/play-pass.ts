/**
 * One pass of FCFS or EASY over a queue in play (rules QU-1, QU-2): see `queue-play` for what it equals.
 *
 * Behind the head only those are looked at who are narrow and short enough to start (`place-sets`), in queue
 * order. Whatever has to be left free is a limit: the head's promise, or something fixed that begins later,
 * is passed by who is narrow enough beside it and by who is over before it. What has room only shrinks in a
 * pass, so the queue is gone through once.
 */
import { type FreeProcs, findStart, fitsNow } from "./free-procs.ts";
import { firstFrom, lowestOf, rowAtMost } from "./place-sets.ts";
import { type HeadPromise, type QueuePlay, startNow } from "./queue-play.ts";

/** Starts what can start now. */
export function passNow(play: QueuePlay): void {
  const { played, free, waiting } = play;
  const { count, procs, durationMs } = played.queue;
  play.startedCount = 0;
  let { head } = play;
  while (head < count && fitsNow(free, procs[head], free.nowMs + durationMs[head])) {
    startNow(play, head);
    const next = firstFrom(waiting, head + 1);
    head = next < 0 ? count : next;
  }
  play.head = head;
  if (!played.isEasy || play.left < 2 || free.procs === 0) return;
  if (play.promise.of !== head) promiseHead(play);
  backfill(play);
}

function promiseHead({ played, free, promise, head }: QueuePlay): void {
  const width = played.queue.procs[head];
  const durationMs = played.queue.durationMs[head];
  findStart(free, width, durationMs, promise);
  promise.of = head;
  promise.width = width;
  promise.endMs = promise.startMs + durationMs;
  promise.extra = promise.procs - width;
}

/** Lets past the head, in queue order, who disturbs neither what is fixed nor its promise. */
function backfill(play: QueuePlay): void {
  const { played, free, promise, waiting, head, limitNarrow, limitShort } = play;
  const { procs, durationMs } = played.queue;
  const narrow = played.narrow.rows;
  const short = played.short.rows;
  const isExact = played.narrow.isExact && played.short.isExact;
  let narrowRow = setLimits(play);
  let ahead = -1 << ((head + 1) & 31);
  for (let word = (head + 1) >> 5; word < waiting.length; word++) {
    let bits = waiting[word] & narrow[narrowRow + word] & ahead;
    ahead = -1;
    if (bits === 0) continue;
    bits &= narrow[limitNarrow[0] + word] | short[limitShort[0] + word];
    if (play.limits > 1) bits = withinLimits(play, word, bits);
    while (bits !== 0) {
      const place = lowestOf(word, bits);
      bits &= bits - 1;
      if (!isExact && !hasRoomBeside(free, promise, procs[place], durationMs[place])) continue;
      startNow(play, place);
      if (free.nowMs + durationMs[place] > promise.startMs) promise.extra -= procs[place];
      if (free.procs === 0) return;
      narrowRow = setLimits(play);
      bits &= narrow[narrowRow + word];
      if (bits !== 0) bits = withinLimits(play, word, bits);
    }
  }
}

/**
 * Says by which limits: the head's promise, and of what is fixed whatever leaves less than is free now.
 *
 * @returns where the row begins of who is narrow enough now
 */
function setLimits(play: QueuePlay): number {
  const { played, free, promise, limitNarrow, limitShort } = play;
  const { narrow, short } = played;
  const { lossMs, leftAtLoss, lossTo, nowMs, procs } = free;
  const { extra, startMs } = promise;
  limitNarrow[0] = rowAtMost(narrow, extra);
  limitShort[0] = rowAtMost(short, startMs - nowMs);
  let limits = 1;
  for (let at = free.lossFrom; at < lossTo; at++) {
    const left = leftAtLoss[at] - (lossMs[at] >= startMs && lossMs[at] < promise.endMs ? promise.width : 0);
    if (left >= procs) continue;
    limitNarrow[limits] = rowAtMost(narrow, left);
    limitShort[limits++] = rowAtMost(short, lossMs[at] - nowMs);
  }
  play.limits = limits;
  return rowAtMost(narrow, procs);
}

/** Who of some of a word is narrow and short enough. */
function withinLimits(play: QueuePlay, word: number, some: number): number {
  const { limitNarrow, limitShort, limits } = play;
  const narrow = play.played.narrow.rows;
  const short = play.played.short.rows;
  let bits = some;
  for (let l = 0; l < limits; l++) bits &= narrow[limitNarrow[l] + word] | short[limitShort[l] + word];
  return bits;
}

/** Whether a job that starts now leaves the promise and what is fixed alone. */
function hasRoomBeside(free: FreeProcs, promise: HeadPromise, procs: number, durationMs: number): boolean {
  const { lossMs, leftAtLoss, lossTo, nowMs } = free;
  const endMs = nowMs + durationMs;
  if (procs > free.procs || (procs > promise.extra && endMs > promise.startMs)) return false;
  for (let at = free.lossFrom; at < lossTo && lossMs[at] < endMs; at++) {
    const isPromised = lossMs[at] >= promise.startMs && lossMs[at] < promise.endMs;
    if (leftAtLoss[at] - (isPromised ? promise.width : 0) < procs) return false;
  }
  return true;
}
