/**
 * What a watchdog does: waits until the broker is silent for too long, then resumes what the broker's
 * enforcer has suspended.
 *
 * Silence is measured by a clock that nobody can set, from the last change of the heartbeat that it has seen.
 * It ends by itself when nothing is suspended any more, when it is another one's turn, and when the site's
 * folder has gone. Until then it goes on trying: a cluster that does not answer may answer later.
 */
import { openEnforcedBook } from "./enforced-book.ts";
import { lastBeat, readLetGo, readWatchOrder, suspendedIn, type WatchOrder } from "./watchdog-files.ts";

/** What it needs of the world. */
export interface WatchWorld {
  /** Of a clock that only goes forward. */
  nowMs(): number;
  wait(ms: number): Promise<void>;
  /** Resumes what the book says, and writes down what it has let go. @throws where that cannot be done */
  letGo(order: WatchOrder): Promise<void>;
}

/** It looks so many times within the promised time, and within these bounds. */
const LOOKS = 10;
const LEAST_MS = 100;
const MOST_MS = 10_000;
/** A cluster that does not do it is asked again more and more seldom, but at least this often. */
const SELDOM_MS = 60_000;

/** Watches over the site in `directory` as the watchdog `id`; resolves when it is over. */
export async function watchOver(directory: string, id: string, world: WatchWorld): Promise<void> {
  let seen = "";
  let sinceMs = world.nowMs();
  let failures = 0;
  for (;;) {
    const order = await readWatchOrder(directory);
    if (order?.id !== id || (await areAllUp(directory))) return;
    const beat = await lastBeat(directory);
    if (beat !== seen) {
      seen = beat;
      sinceMs = world.nowMs();
    }
    const isSilent = world.nowMs() - sinceMs >= order.silentMs;
    const isDone = !isSilent || (await world.letGo(order).then(isTrue, isFalse));
    failures = isDone ? 0 : failures + 1;
    const everyMs = Math.min(MOST_MS, Math.max(LEAST_MS, order.silentMs / LOOKS));
    await world.wait(Math.min(Math.max(SELDOM_MS, everyMs), everyMs * 2 ** failures));
  }
}

async function areAllUp(directory: string): Promise<boolean> {
  const book = await openEnforcedBook(directory);
  return suspendedIn(book.all().values(), await readLetGo(directory)).length === 0;
}

const isTrue = (): boolean => true;
const isFalse = (): boolean => false;
