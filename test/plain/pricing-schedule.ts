/**
 * When queued jobs start, with and without a slot among them, written from the rules alone: a schedule is
 * a list of rectangles, and whether one fits is found by adding up all the others wherever use may grow.
 *
 * Takes for granted that running jobs and reservations, and promises where there are any, fit beside one
 * another. Rectangles are half open: what ends at an instant is gone for what starts there.
 */

/** Amounts by column: processors first, then whatever else the site has. */
export type PlainVector = readonly number[];

/** A job that runs, by its estimated end. */
export interface PlainRunningJob {
  readonly id: string | number;
  readonly need: PlainVector;
  readonly endMs: number;
}

/** A job that waits. */
export interface PlainQueuedJob {
  readonly id: string | number;
  readonly need: PlainVector;
  readonly estimateMs: number;
  /** The promise it holds; conservative only. Without one it is placed after all who have one. */
  readonly plannedStartMs?: number;
  /** What an hour of its delay costs, as it has declared; else its processors. */
  readonly delayCost?: number;
}

/** What is promised to somebody already. */
export interface PlainReservation {
  readonly id: string | number;
  readonly need: PlainVector;
  readonly startMs: number;
  readonly durationMs: number;
}

/** One pool at one instant; the queue in order of arrival. */
export interface PlainState {
  readonly nowMs: number;
  readonly capacity: PlainVector;
  readonly discipline: "fcfs" | "easy" | "conservative";
  readonly running: readonly PlainRunningJob[];
  readonly queued: readonly PlainQueuedJob[];
  readonly reservations: readonly PlainReservation[];
}

/** The slot somebody asks for. */
export interface PlainAskedSlot {
  readonly need: PlainVector;
  readonly startMs: number;
  readonly durationMs: number;
}

interface Rectangle {
  readonly need: PlainVector;
  readonly startMs: number;
  readonly endMs: number;
}

/** The present planned start of each queued job, in the order of the queue. */
export function plainSchedule(state: PlainState): readonly number[] {
  return state.discipline === "conservative" ? promised(state) : forward(state, fixedIn(state));
}

/** The same once the slot is there. */
export function plainScheduleWith(state: PlainState, slot: PlainAskedSlot): readonly number[] {
  const fixed = [...fixedIn(state), slotRectangle(slot)];
  return state.discipline === "conservative" ? putBack(state, fixed) : forward(state, fixed);
}

/** Whether the slot conflicts neither with running jobs nor with reservations, nor lies in the past. */
export function plainIsPossible(state: PlainState, slot: PlainAskedSlot): boolean {
  return slot.startMs >= state.nowMs && fits(state.capacity, fixedIn(state), slotRectangle(slot));
}

/** Every instant from now on at which something starts or ends, and now. */
export function plainInstants(state: PlainState): readonly number[] {
  const starts = plainSchedule(state);
  const queued = state.queued.map((job, i) => placed(job, starts[i]));
  const instants = [...fixedIn(state), ...queued].flatMap(({ startMs, endMs }) => [startMs, endMs]);
  return [state.nowMs, ...instants].filter((instant) => instant >= state.nowMs);
}

/** Promises stay; who has none is placed beside them, in order of arrival, as early as possible. */
function promised(state: PlainState): readonly number[] {
  const taken = [...fixedIn(state)];
  for (const job of state.queued) {
    if (job.plannedStartMs !== undefined) taken.push(placed(job, job.plannedStartMs));
  }
  return state.queued.map((job) => {
    if (job.plannedStartMs !== undefined) return job.plannedStartMs;
    const rectangle = earliest(state, taken, job, state.nowMs);
    taken.push(rectangle);
    return rectangle.startMs;
  });
}

/** In order of arrival each keeps its start where it still fits beside those before it, else its earliest. */
function putBack(state: PlainState, fixed: readonly Rectangle[]): readonly number[] {
  const before = plainSchedule(state);
  const taken = [...fixed];
  return state.queued.map((job, i) => {
    const kept = placed(job, before[i]);
    const rectangle = fits(state.capacity, taken, kept) ? kept : earliest(state, taken, job, state.nowMs);
    taken.push(rectangle);
    return rectangle.startMs;
  });
}

/** Plays the discipline, each job as long as its estimate: a pass now and when something starts or ends. */
function forward(state: PlainState, fixed: readonly Rectangle[]): readonly number[] {
  const taken = [...fixed];
  const starts = new Map<PlainQueuedJob, number>();
  let atMs = state.nowMs;
  for (;;) {
    const waiting = state.queued.filter((job) => !starts.has(job));
    for (const job of startingAt(atMs, waiting, taken, state)) {
      starts.set(job, atMs);
      taken.push(placed(job, atMs));
    }
    if (starts.size === state.queued.length) break;
    const later = taken.flatMap(({ startMs, endMs }) => [startMs, endMs]).filter((it) => it > atMs);
    if (later.length === 0) throw new Error("a queued job needs more than the pool has");
    atMs = Math.min(...later);
  }
  return state.queued.map((job) => starts.get(job) ?? Number.NaN);
}

/**
 * One pass. The first job that cannot start is the head: under FCFS nobody passes it; under EASY its
 * rectangle is put at its earliest, and a later job starts if its own fits now beside everything.
 */
function startingAt(
  atMs: number,
  waiting: readonly PlainQueuedJob[],
  taken: readonly Rectangle[],
  state: PlainState,
): readonly PlainQueuedJob[] {
  const beside = [...taken];
  const starting: PlainQueuedJob[] = [];
  let headWaits = false;
  for (const job of waiting) {
    const here = placed(job, atMs);
    if (fits(state.capacity, beside, here)) {
      beside.push(here);
      starting.push(job);
    } else if (state.discipline === "fcfs") {
      break;
    } else if (!headWaits) {
      beside.push(earliest(state, beside, job, atMs));
      headWaits = true;
    }
  }
  return starting;
}

function fixedIn(state: PlainState): readonly Rectangle[] {
  return [
    ...state.running.map(({ need, endMs }) => ({ need, startMs: state.nowMs, endMs })),
    ...state.reservations.map(slotRectangle),
  ];
}

function slotRectangle({ need, startMs, durationMs }: PlainAskedSlot): Rectangle {
  return { need, startMs, endMs: startMs + durationMs };
}

function placed({ need, estimateMs }: PlainQueuedJob, startMs: number): Rectangle {
  return { need, startMs, endMs: startMs + estimateMs };
}

/** What fits nowhere before fits first where something ends, or at `fromMs`. */
function earliest(
  state: PlainState,
  taken: readonly Rectangle[],
  job: PlainQueuedJob,
  fromMs: number,
): Rectangle {
  const ends = taken.map(({ endMs }) => endMs).filter((endMs) => endMs > fromMs);
  for (const startMs of [fromMs, ...ends].sort((a, b) => a - b)) {
    if (fits(state.capacity, taken, placed(job, startMs))) return placed(job, startMs);
  }
  throw new Error("a queued job needs more than the pool has");
}

/** Use only grows where something starts, so looking there and at the rectangle's own start is enough. */
function fits(capacity: PlainVector, taken: readonly Rectangle[], wanted: Rectangle): boolean {
  const within = taken
    .map(({ startMs }) => startMs)
    .filter((startMs) => startMs > wanted.startMs && startMs < wanted.endMs);
  return [wanted.startMs, ...within].every((instant) => {
    const there = taken.filter(({ startMs, endMs }) => startMs <= instant && instant < endMs);
    return capacity.every(
      (amount, column) =>
        there.reduce((sum, { need }) => sum + need[column], 0) + wanted.need[column] <= amount,
    );
  });
}
