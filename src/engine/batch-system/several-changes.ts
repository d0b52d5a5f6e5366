/**
 * Several changes of a job that only help together.
 *
 * All directions are taken to their least first. If that helps, each is given back in turn: as much of it as
 * still helps beside the others. What could be given back whole is no change. So none of those that are left
 * can be done without, and none could be smaller by itself.
 */
import type { ClusterJob } from "../../model/index.ts";
import {
  type ClusterChange,
  MIB,
  MINUTE_MS,
  MOST_TRIALS,
  type Search,
  type SingleChange,
  scaled,
  shapeIn,
  startSooner,
} from "./change-search.ts";

/** One thing that may be less, in whole steps. */
interface Direction {
  readonly least: number;
  readonly whole: number;
  /** The job with so much of it. */
  readonly apply: (job: ClusterJob, value: number) => ClusterJob;
  readonly tell: (value: number) => SingleChange;
}

/** At most one such set of changes, with the start that it leads to. */
export function severalChanges(search: Search): readonly ClusterChange[] {
  const directions = directionsOf(search).filter(({ least, whole }) => least < whole);
  const values = directions.map(({ least }) => least);
  let startAtMs = startWith(search, directions, values);
  if (startAtMs === undefined) return [];
  for (const [at, { whole }] of directions.entries()) {
    // Whole first: a direction that need not change is told of least of all.
    for (let [low, high, next] = [values[at], whole, whole]; low < high; next = Math.ceil((low + high) / 2)) {
      if (search.trials >= MOST_TRIALS) return [];
      const found = startWith(search, directions, values.with(at, next));
      if (found === undefined) high = next - 1;
      else {
        [values[at], startAtMs] = [next, found];
        low = next;
      }
    }
  }
  const changes = directions.flatMap((it, at) => (values[at] < it.whole ? [it.tell(values[at])] : []));
  return changes.length < 2 ? [] : [{ kind: "together", changes, startAtMs }];
}

function startWith(search: Search, directions: readonly Direction[], values: readonly number[]) {
  return startSooner(
    search,
    directions.reduce((job, { apply }, at) => apply(job, values[at]), search.job),
  );
}

/** In the order in which they are given back. */
function directionsOf(search: Search): readonly Direction[] {
  const { job, cluster } = search;
  const shape = shapeIn(search);
  const { tasks, procsPerTask, nodes, gpusPerNode, bytesPerTask, bytesPerNode } = shape;
  const limitMs = job.limitMs ?? cluster.view.partitions.get(job.partitions[0] ?? "")?.maxTimeMs ?? null;
  const isPerNode = bytesPerNode > 0;
  const mib = Math.ceil((isPerNode ? bytesPerNode : bytesPerTask) / MIB);
  const fewerGpus: Direction = {
    ...{ least: 0, whole: gpusPerNode },
    apply: (it, count) => ({ ...it, gpus: count * nodes }),
    tell: (count) => ({ kind: "fewerGpus", gpus: count * nodes }),
  };
  const lessMemory: Direction = {
    ...{ least: 1, whole: shape.isWholeNodes ? 1 : mib },
    apply: (it, each) => ({
      ...it,
      memoryPerNodeBytes: isPerNode ? each * MIB : null,
      memoryPerProcBytes: isPerNode ? null : Math.floor((each * MIB) / procsPerTask),
    }),
    tell: (each) => ({ kind: "lessMemory", memoryBytes: each * MIB * (isPerNode ? nodes : tasks) }),
  };
  const shorterLimit: Direction = {
    ...{ least: 1, whole: limitMs === null ? 1 : Math.ceil(limitMs / MINUTE_MS) },
    apply: (it, minutes) => ({ ...it, limitMs: Math.min(minutes * MINUTE_MS, limitMs ?? Infinity) }),
    tell: (minutes) => ({ kind: "shorterLimit", limitMs: minutes * MINUTE_MS }),
  };
  const fewerTasks: Direction = {
    ...{ least: shape.isWholeNodes ? tasks : nodes, whole: tasks },
    apply: (it, count) => scaled(it, count, tasks),
    tell: (count) => ({ kind: "fewerProcs", procs: count * procsPerTask }),
  };
  return [fewerGpus, lessMemory, shorterLimit, fewerTasks];
}
