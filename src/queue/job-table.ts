/**
 * The jobs at a site, in typed arrays indexed by a small handle.
 *
 * A handle is given out on arrival and used again after the job has left, so the table grows with the
 * jobs in the system and not with the trace. Plain data: it can be copied to a worker thread.
 */

/** Where a job is in its life at the site. `none`: the handle is free. */
export const jobState = { none: 0, waiting: 1, held: 2, suspended: 3, running: 4 } as const;

/** One column per attribute; row = handle. Times in ms; `Infinity`: no promise. */
export interface JobTable {
  /** Needed amounts: one array per resource of the site. */
  need: Float64Array[];
  /** Planned run time; after a suspension, the remainder. */
  estimateMs: Float64Array;
  arrivedAtMs: Float64Array;
  /** The order of arrival: 0, 1, 2 … over the life of the machine. */
  arrival: Float64Array;
  state: Uint8Array;
  /** Index into the machine's pool sets. */
  poolSet: Int32Array;
  /** The pool where it runs or is planned to. */
  pool: Int32Array;
  /** Planned start while waiting under a planning discipline; real start while running. */
  startMs: Float64Array;
  /** 1 when a job before it in queue order still waited at its last start. */
  backfilled: Uint8Array;
  freeHandles: Int32Array;
  freeCount: number;
  size: number;
  nextArrival: number;
}

/**
 * Initial number of rows; small, so that the arrays are replaced early. V8 compiles code that takes a field
 * for constant until the field first changes, and then discards that code: this should happen before much is
 * compiled.
 */
const FIRST_ROWS = 8;

/** An empty table for jobs that need `columns` resources. */
export function createJobTable(columns: number): JobTable {
  return {
    need: Array.from({ length: columns }, () => new Float64Array(FIRST_ROWS)),
    estimateMs: new Float64Array(FIRST_ROWS),
    arrivedAtMs: new Float64Array(FIRST_ROWS),
    arrival: new Float64Array(FIRST_ROWS),
    state: new Uint8Array(FIRST_ROWS),
    poolSet: new Int32Array(FIRST_ROWS),
    pool: new Int32Array(FIRST_ROWS),
    startMs: new Float64Array(FIRST_ROWS),
    backfilled: new Uint8Array(FIRST_ROWS),
    freeHandles: new Int32Array(FIRST_ROWS),
    freeCount: 0,
    size: 0,
    nextArrival: 0,
  };
}

/** Gives out a handle; its row is to be filled by the caller. */
export function takeHandle(table: JobTable): number {
  if (table.freeCount > 0) return table.freeHandles[--table.freeCount];
  if (table.size === table.state.length) growTable(table);
  return table.size++;
}

/** Takes a handle back. */
export function giveHandleBack(table: JobTable, handle: number): void {
  table.state[handle] = jobState.none;
  table.freeHandles[table.freeCount++] = handle;
}

/** The estimated end of a running job, or the planned end of a waiting one. */
export function endMsOf(table: JobTable, handle: number): number {
  return table.startMs[handle] + table.estimateMs[handle];
}

/** A copy that shares nothing. */
export function copyJobTable(table: JobTable): JobTable {
  return {
    need: table.need.map((column) => column.slice()),
    estimateMs: table.estimateMs.slice(),
    arrivedAtMs: table.arrivedAtMs.slice(),
    arrival: table.arrival.slice(),
    state: table.state.slice(),
    poolSet: table.poolSet.slice(),
    pool: table.pool.slice(),
    startMs: table.startMs.slice(),
    backfilled: table.backfilled.slice(),
    freeHandles: table.freeHandles.slice(),
    freeCount: table.freeCount,
    size: table.size,
    nextArrival: table.nextArrival,
  };
}

function growTable(table: JobTable): void {
  const rows = table.state.length * 2;
  table.need = table.need.map((column) => grownFloats(column, rows));
  table.estimateMs = grownFloats(table.estimateMs, rows);
  table.arrivedAtMs = grownFloats(table.arrivedAtMs, rows);
  table.arrival = grownFloats(table.arrival, rows);
  table.startMs = grownFloats(table.startMs, rows);
  table.poolSet = grownIntegers(table.poolSet, rows);
  table.pool = grownIntegers(table.pool, rows);
  table.freeHandles = grownIntegers(table.freeHandles, rows);
  table.state = grownBytes(table.state, rows);
  table.backfilled = grownBytes(table.backfilled, rows);
}

function grownFloats(column: Float64Array, rows: number): Float64Array {
  const grown = new Float64Array(rows);
  grown.set(column);
  return grown;
}

function grownIntegers(column: Int32Array, rows: number): Int32Array {
  const grown = new Int32Array(rows);
  grown.set(column);
  return grown;
}

function grownBytes(column: Uint8Array, rows: number): Uint8Array {
  const grown = new Uint8Array(rows);
  grown.set(column);
  return grown;
}
