/** Rectangles of processors, memory and GPUs × time that a plan reserves, with their price. */
import { PROC_MS_PER_SU } from "../../base/index.ts";

/** Source of a reservation: a slot for sale, or a site as a whole. */
export interface Rectangle {
  readonly site: number;
  /** Number of the slot at the site; absent where the site sells no slots. */
  readonly slot?: number;
  readonly procs: number;
  /** Memory and GPUs that are reserved with the processors; absent: none. */
  readonly memoryBytes?: number;
  readonly gpus?: number;
  readonly startMs: number;
  readonly endMs: number;
  readonly price: number;
  readonly fixedSu: number;
  /** True for a slot that is sold as a whole. */
  readonly isWhole: boolean;
  /** Numbers of the tasks inside, where each task lies in one rectangle. */
  readonly tasks?: readonly number[];
}

/** Amounts that a rectangle holds at each instant. */
export interface Amounts {
  readonly procs: number;
  readonly memoryBytes: number;
  readonly gpus: number;
}

/** The amounts of a rectangle. */
export function amountsOf({ procs, memoryBytes = 0, gpus = 0 }: Rectangle): Amounts {
  return { procs, memoryBytes, gpus };
}

/** n·d·c + f in SU. */
export function costSu({ procs, startMs, endMs, price, fixedSu }: Rectangle): number {
  return (procs * (endMs - startMs) * price) / PROC_MS_PER_SU + fixedSu;
}

/** By start, then as they were. */
export function byStart(one: Rectangle, other: Rectangle): number {
  return one.startMs - other.startMs;
}

/** Joins rectangles of one slot or site with equal amounts that touch in time: each join saves one f. */
export function mergedInTime(rectangles: readonly Rectangle[]): readonly Rectangle[] {
  const open = new Map<string, Rectangle>();
  const closed: Rectangle[] = [];
  for (const next of [...rectangles].sort(byStart)) {
    const key = joinKey(next, next.startMs);
    const before = next.isWhole ? undefined : open.get(key);
    if (before !== undefined) open.delete(key);
    const joined =
      before === undefined ? next : { ...next, startMs: before.startMs, ...tasksOf(before, next) };
    const ends = joinKey(joined, joined.endMs);
    const crowded = open.get(ends);
    if (crowded !== undefined) closed.push(crowded);
    if (joined.isWhole) closed.push(joined);
    else open.set(ends, joined);
  }
  return [...closed, ...open.values()].sort(byStart);
}

/** The tasks of two rectangles that are joined. */
export function tasksOf(one: Rectangle, other: Rectangle): Pick<Rectangle, "tasks"> {
  return one.tasks === undefined || other.tasks === undefined
    ? {}
    : { tasks: [...one.tasks, ...other.tasks] };
}

function joinKey({ site, slot, procs, memoryBytes, gpus }: Rectangle, atMs: number): string {
  return `${site} ${slot ?? ""} ${procs} ${memoryBytes ?? 0} ${gpus ?? 0} ${atMs}`;
}
