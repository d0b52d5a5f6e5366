/**
 * Conservative backfilling on nodes as rule QU-32 says it, ms by ms: one pool, in small whole numbers.
 *
 * What is used is written into a grid of nodes × ms, so that nothing has to be thought about intervals.
 */

/** A job of so many equal tasks. */
export interface PlainNodeJob {
  readonly submitMs: number;
  readonly tasks: number;
  readonly perTask: readonly number[];
  readonly mostPerNode: number;
  readonly runtimeMs: number;
  readonly estimateMs: number;
  /** When it is taken away, wherever it is then. */
  readonly cancelMs?: number;
}

/** A node that is down for a time. */
export interface PlainOutage {
  readonly atMs: number;
  readonly untilMs: number;
  readonly node: number;
}

/** The site and its rule. */
export interface PlainNodes {
  readonly nodes: number;
  readonly perNode: readonly number[];
  readonly discipline: "conservative" | "repack";
}

interface Place {
  readonly startMs: number;
  readonly endMs: number;
  /** Tasks by node. */
  readonly tasks: readonly number[];
}

/** Of a job: its last start (−1 where it never ended), and what it was promised when it came. */
export interface PlainOutcome {
  readonly startMs: number;
  readonly promisedMs: number;
}

/** Plays the jobs, in order of submission; a job that a node takes with it comes again. */
export function playPlainly(
  jobs: readonly PlainNodeJob[],
  outages: readonly PlainOutage[],
  { nodes, perNode, discipline }: PlainNodes,
): readonly PlainOutcome[] {
  const promised = jobs.map(() => -1);
  const ended = jobs.map(() => -1);
  const gone = new Set<number>();
  const waiting = new Map<number, Place>();
  const running = new Map<number, Place>();
  const down: Place[] = [];

  const used = (atMs: number, node: number, column: number): number => {
    const of = (place: Place, amount: number) =>
      place.startMs <= atMs && atMs < place.endMs ? place.tasks[node] * amount : 0;
    let sum = 0;
    for (const [id, place] of [...waiting, ...running]) sum += of(place, jobs[id].perTask[column]);
    for (const place of down) sum += of(place, perNode[column]);
    return sum;
  };
  const room = (id: number, node: number, startMs: number): number => {
    const { perTask, mostPerNode, estimateMs } = jobs[id];
    let most = mostPerNode;
    for (let atMs = startMs; atMs < startMs + estimateMs; atMs++) {
      for (const [column, amount] of perTask.entries()) {
        const free = perNode[column] - used(atMs, node, column);
        while (most > 0 && most * amount > free) most--;
      }
    }
    return most;
  };
  const placeAt = (id: number, startMs: number): Place | undefined => {
    const tasks: number[] = [];
    let left = jobs[id].tasks;
    for (let node = 0; node < nodes; node++) {
      const here = Math.min(left, left === 0 ? 0 : room(id, node, startMs));
      tasks.push(here);
      left -= here;
    }
    return left === 0 ? { startMs, endMs: startMs + jobs[id].estimateMs, tasks } : undefined;
  };
  const earliest = (id: number, nowMs: number): Place => {
    for (let startMs = nowMs; ; startMs++) {
      const place = placeAt(id, startMs);
      if (place !== undefined) return place;
    }
  };
  const inOrder = (): number[] => [...waiting.keys()].sort((one, other) => one - other);

  for (let nowMs = 0; ended.some((at, id) => at < 0 && !gone.has(id)); nowMs++) {
    let isFreed = false;
    const again: number[] = [];
    for (const [id, place] of [...running]) {
      if (place.startMs + jobs[id].runtimeMs !== nowMs) continue;
      running.delete(id);
      ended[id] = place.startMs;
      if (place.endMs > nowMs) isFreed = true;
    }
    for (const [id, { submitMs, cancelMs }] of jobs.entries()) {
      if (cancelMs !== nowMs || submitMs >= nowMs || ended[id] >= 0) continue;
      gone.add(id);
      isFreed = true;
      waiting.delete(id);
      running.delete(id);
    }
    for (const { atMs, untilMs, node } of outages) {
      if (atMs !== nowMs) continue;
      for (const [id, place] of [...running]) {
        if (place.tasks[node] === 0) continue;
        running.delete(id);
        again.push(id);
        isFreed = true;
      }
      const before = new Map(waiting);
      const order = inOrder();
      waiting.clear();
      const tasks = Array.from({ length: nodes }, (_, at) => (at === node ? 1 : 0));
      down.push({ startMs: nowMs, endMs: untilMs, tasks });
      for (const id of order) {
        const place = before.get(id);
        if (place === undefined) continue;
        const isStillFree = place.tasks.every((count, at) => count <= room(id, at, place.startMs));
        waiting.set(id, isStillFree ? place : earliest(id, nowMs));
      }
    }
    for (const id of again.sort((one, other) => one - other)) waiting.set(id, earliest(id, nowMs));
    if (isFreed && discipline === "conservative") {
      for (const id of inOrder()) {
        const place = waiting.get(id);
        waiting.delete(id);
        const better = earliest(id, nowMs);
        waiting.set(id, place !== undefined && better.startMs >= place.startMs ? place : better);
      }
    }
    if (isFreed && discipline === "repack") {
      const order = inOrder();
      waiting.clear();
      for (const id of order) waiting.set(id, earliest(id, nowMs));
    }
    for (const [id, { submitMs, cancelMs }] of jobs.entries()) {
      if (submitMs !== nowMs) continue;
      if (cancelMs !== undefined && cancelMs <= nowMs) {
        gone.add(id);
        continue;
      }
      waiting.set(id, earliest(id, nowMs));
      promised[id] = waiting.get(id)?.startMs ?? -1;
    }
    for (const [id, place] of [...waiting]) {
      if (place.startMs !== nowMs) continue;
      waiting.delete(id);
      running.set(id, place);
    }
  }
  return jobs.map((_, id) => ({ startMs: ended[id], promisedMs: promised[id] }));
}
