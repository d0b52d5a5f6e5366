/**
 * The broker's state at instants of its past, computed from the log.
 *
 * The log is read from its first event and applied as for a rebuild of the views, in short pieces between
 * which other requests are answered; one reader at a time. The state is kept for the next question, which
 * goes on from there if its instant is no earlier, and is dropped when nobody asks. What was never recorded,
 * such as the last survey of a foreign site, is not in it.
 * Cost: each event is applied once for instants in ascending order, and again for an instant that is earlier.
 */
import { setImmediate } from "node:timers/promises";
import { Fault } from "../base/index.ts";
import { apply, beginAgainBehind, createProjection, type Projection } from "../engine/index.ts";
import { eventOf, type Logbook } from "../runtime/index.ts";
import { oneAtATime } from "./turns.ts";

/** Number of events that are read for one question. */
const MOST_EVENTS = 1_000_000;
/** Longest time between pauses, and the time after which an unused state is dropped. */
const SLICE_MS = 5;
const KEPT_MS = 300_000;

interface PastState {
  readonly projection: Projection;
  /** Number of the last event applied, and the instant up to which all are. */
  seq: number;
  atMs: number;
}

/** States of the past, for reading. */
export interface PastStates {
  /**
   * The state after the last event of an instant or before it. It may be read until the next pause.
   *
   * @throws Fault logTooLong, where more events would have to be read than one question may
   */
  read<T>(atMs: number, use: (projection: Projection) => T): Promise<T>;
}

/** States from a log; `most` events are read for a question. */
export function createPastStates(logbook: Pick<Logbook, "events">, most: number = MOST_EVENTS): PastStates {
  const inTurn = oneAtATime();
  let kept: PastState | undefined;
  let timer: NodeJS.Timeout | undefined;
  const dropLater = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      kept = undefined;
    }, KEPT_MS).unref();
  };
  return {
    read: (atMs, use) =>
      inTurn("log", async () => {
        const state = kept !== undefined && kept.atMs <= atMs ? kept : firstState();
        // A state that is left half-way is no state of any instant.
        kept = undefined;
        await goOn(logbook, state, { atMs, most });
        kept = state;
        dropLater();
        return use(state.projection);
      }),
  };
}

function firstState(): PastState {
  return { projection: createProjection({ isRecorded: true }), seq: 0, atMs: Number.NEGATIVE_INFINITY };
}

async function goOn(
  logbook: Pick<Logbook, "events">,
  state: PastState,
  { atMs, most }: { readonly atMs: number; readonly most: number },
): Promise<void> {
  let sinceMs = performance.now();
  for await (const logged of logbook.events(state.seq + 1)) {
    if (logged.atMs > atMs) break;
    if (logged.seq > most) throw tooLong(most);
    const event = eventOf(logged);
    beginAgainBehind(state.projection, event);
    apply(state.projection, event);
    state.seq = logged.seq;
    if (performance.now() - sinceMs < SLICE_MS) continue;
    await setImmediate();
    sinceMs = performance.now();
  }
  state.atMs = atMs;
}

function tooLong(most: number): Fault {
  return new Fault({
    kind: "refused",
    code: "logTooLong",
    what: "the state of that instant is not computed",
    why: `the log has more than ${most} events before it, and all of them would have to be read`,
    remedy: "choose an earlier instant, or read the log with `stint events`",
  });
}
