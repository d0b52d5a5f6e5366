/**
 * Main loop of a watchdog: waits until the broker has been silent for longer than its lease, then resumes
 * the jobs that its enforcer suspended.
 *
 * Silence is measured by a monotonic clock from the last change of the heartbeat. The watchdog ends when no
 * job is suspended, when another watchdog has replaced it, and when the site's folder is gone. Until then
 * it retries: an unreachable cluster may answer later.
 */
import { openEnforcedBook } from "./enforced-book.ts";
import { lastBeat, readResumed, readWatchOrder, suspendedIn, type WatchOrder } from "./watchdog-files.ts";

/** Functions that a watchdog needs. */
export interface WatchWorld {
  /** Monotonic clock, in ms. */
  nowMs(): number;
  wait(ms: number): Promise<void>;
  /** Resumes the jobs in the record and stores which. @throws if that fails */
  resume(order: WatchOrder): Promise<void>;
}

/** Number of checks within the lease, and bounds of their interval. */
const LOOKS = 10;
const LEAST_MS = 100;
const MOST_MS = 10_000;
/** Longest pause between retries, in ms. */
const SELDOM_MS = 60_000;

/** Watches over the site in `directory` as the watchdog `id`; resolves when it ends. */
export async function watchBroker(directory: string, id: string, world: WatchWorld): Promise<void> {
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
    const isDone = !isSilent || (await world.resume(order).then(isTrue, isFalse));
    failures = isDone ? 0 : failures + 1;
    const everyMs = Math.min(MOST_MS, Math.max(LEAST_MS, order.silentMs / LOOKS));
    await world.wait(Math.min(Math.max(SELDOM_MS, everyMs), everyMs * 2 ** failures));
  }
}

async function areAllUp(directory: string): Promise<boolean> {
  const book = await openEnforcedBook(directory);
  return suspendedIn(book.all().values(), await readResumed(directory)).length === 0;
}

const isTrue = (): boolean => true;
const isFalse = (): boolean => false;
