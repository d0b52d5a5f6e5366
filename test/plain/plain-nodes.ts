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
  site: PlainNodes,
): readonly PlainOutcome[] {
  const play = new PlainPlay(jobs, site);
  for (let nowMs = 0; !play.isOver(); nowMs++) {
    play.endAndCancel(nowMs);
    play.loseNodes(outages, nowMs);
    play.useWhatCameFree(nowMs);
    play.letArrive(nowMs);
    play.startDue(nowMs);
  }
  return play.outcomes();
}

/** Everything by the number of the job, which is its place in the order of submission. */
class PlainPlay {
  readonly #jobs: readonly PlainNodeJob[];
  readonly #site: PlainNodes;
  readonly #promised: number[];
  readonly #ended: number[];
  readonly #gone = new Set<number>();
  readonly #waiting = new Map<number, Place>();
  readonly #running = new Map<number, Place>();
  readonly #down: Place[] = [];
  #isFreed = false;

  constructor(jobs: readonly PlainNodeJob[], site: PlainNodes) {
    this.#jobs = jobs;
    this.#site = site;
    this.#promised = jobs.map(() => -1);
    this.#ended = jobs.map(() => -1);
  }

  isOver(): boolean {
    return this.#ended.every((at, id) => at >= 0 || this.#gone.has(id));
  }

  outcomes(): readonly PlainOutcome[] {
    return this.#jobs.map((_, id) => ({ startMs: this.#ended[id], promisedMs: this.#promised[id] }));
  }

  endAndCancel(nowMs: number): void {
    this.#isFreed = false;
    for (const [id, place] of [...this.#running]) {
      if (place.startMs + this.#jobs[id].runtimeMs !== nowMs) continue;
      this.#running.delete(id);
      this.#ended[id] = place.startMs;
      if (place.endMs > nowMs) this.#isFreed = true;
    }
    for (const [id, { submitMs, cancelMs }] of this.#jobs.entries()) {
      if (cancelMs !== nowMs || submitMs >= nowMs || this.#ended[id] >= 0) continue;
      this.#gone.add(id);
      this.#isFreed = true;
      this.#waiting.delete(id);
      this.#running.delete(id);
    }
  }

  loseNodes(outages: readonly PlainOutage[], nowMs: number): void {
    const again: number[] = [];
    for (const { atMs, untilMs, node } of outages) {
      if (atMs !== nowMs) continue;
      for (const [id, place] of [...this.#running]) {
        if (place.tasks[node] === 0) continue;
        this.#running.delete(id);
        again.push(id);
        this.#isFreed = true;
      }
      this.#displace(node, nowMs, untilMs);
    }
    for (const id of again.sort((one, other) => one - other))
      this.#waiting.set(id, this.#earliest(id, nowMs));
  }

  #displace(node: number, nowMs: number, untilMs: number): void {
    const before = new Map(this.#waiting);
    const order = this.#inOrder();
    this.#waiting.clear();
    const tasks = Array.from({ length: this.#site.nodes }, (_, at) => (at === node ? 1 : 0));
    this.#down.push({ startMs: nowMs, endMs: untilMs, tasks });
    for (const id of order) {
      const place = before.get(id);
      if (place === undefined) continue;
      const isStillFree = place.tasks.every((count, at) => count <= this.#room(id, at, place.startMs));
      this.#waiting.set(id, isStillFree ? place : this.#earliest(id, nowMs));
    }
  }

  useWhatCameFree(nowMs: number): void {
    if (!this.#isFreed) return;
    const order = this.#inOrder();
    if (this.#site.discipline === "repack") {
      this.#waiting.clear();
      for (const id of order) this.#waiting.set(id, this.#earliest(id, nowMs));
      return;
    }
    for (const id of order) {
      const place = this.#waiting.get(id);
      this.#waiting.delete(id);
      const better = this.#earliest(id, nowMs);
      this.#waiting.set(id, place !== undefined && better.startMs >= place.startMs ? place : better);
    }
  }

  letArrive(nowMs: number): void {
    for (const [id, { submitMs, cancelMs }] of this.#jobs.entries()) {
      if (submitMs !== nowMs) continue;
      if (cancelMs !== undefined && cancelMs <= nowMs) {
        this.#gone.add(id);
        continue;
      }
      const place = this.#earliest(id, nowMs);
      this.#waiting.set(id, place);
      this.#promised[id] = place.startMs;
    }
  }

  startDue(nowMs: number): void {
    for (const [id, place] of [...this.#waiting]) {
      if (place.startMs !== nowMs) continue;
      this.#waiting.delete(id);
      this.#running.set(id, place);
    }
  }

  #inOrder(): number[] {
    return [...this.#waiting.keys()].sort((one, other) => one - other);
  }

  #earliest(id: number, nowMs: number): Place {
    for (let startMs = nowMs; ; startMs++) {
      const place = this.#placeAt(id, startMs);
      if (place !== undefined) return place;
    }
  }

  #placeAt(id: number, startMs: number): Place | undefined {
    const tasks: number[] = [];
    let left = this.#jobs[id].tasks;
    for (let node = 0; node < this.#site.nodes; node++) {
      const here = Math.min(left, left === 0 ? 0 : this.#room(id, node, startMs));
      tasks.push(here);
      left -= here;
    }
    return left === 0 ? { startMs, endMs: startMs + this.#jobs[id].estimateMs, tasks } : undefined;
  }

  /** How many tasks of a job a node has room for the whole time. */
  #room(id: number, node: number, startMs: number): number {
    const { perTask, mostPerNode, estimateMs } = this.#jobs[id];
    let most = mostPerNode;
    for (let atMs = startMs; atMs < startMs + estimateMs; atMs++) {
      for (const [column, amount] of perTask.entries()) {
        const free = this.#site.perNode[column] - this.#used(atMs, node, column);
        while (most > 0 && most * amount > free) most--;
      }
    }
    return most;
  }

  #used(atMs: number, node: number, column: number): number {
    const of = (place: Place, amount: number) =>
      place.startMs <= atMs && atMs < place.endMs ? place.tasks[node] * amount : 0;
    let sum = 0;
    for (const [id, place] of [...this.#waiting, ...this.#running]) {
      sum += of(place, this.#jobs[id].perTask[column]);
    }
    for (const place of this.#down) sum += of(place, this.#site.perNode[column]);
    return sum;
  }
}
