/**
 * Queues on nodes beside reservations as rules QU-27, QU-28, QU-32 and QU-37 to QU-40 say them, ms by ms:
 * one pool, in small whole numbers.
 *
 * What is used is asked of a grid of nodes × ms, so that nothing has to be thought about intervals.
 */

import type {
  PlainChange,
  PlainNodeJob,
  PlainNodes,
  PlainOutage,
  PlainReservation,
  PlainSeries,
  PlainSiteEvents,
} from "./plain-node-scene.ts";

interface Place {
  readonly startMs: number;
  readonly endMs: number;
  /** Tasks by node. */
  readonly tasks: readonly number[];
}

/** Tasks of a reservation on one node. */
interface Laid {
  readonly of: number;
  readonly node: number;
  readonly tasks: number;
  readonly startMs: number;
  readonly endMs: number;
}

/**
 * Plays the jobs, in order of submission; a job that a node takes with it comes again.
 *
 * @returns undefined where a reservation cannot be made
 */
export function playPlainly(
  jobs: readonly PlainNodeJob[],
  { outages, reservations = [] }: PlainSiteEvents,
  site: PlainNodes,
): PlainSeries | undefined {
  const play = new PlainPlay(jobs, site, reservations);
  if (!reservations.every((_, of) => play.reserve(of))) return undefined;
  const lastMs = Math.max(0, ...outages.map(({ atMs }) => atMs));
  for (let nowMs = 0; !play.isOver() || nowMs <= lastMs; nowMs++) {
    play.endAndCancel(nowMs);
    play.loseNodes(outages, nowMs);
    play.useWhatCameFree(nowMs);
    play.letArrive(nowMs);
    play.start(nowMs);
  }
  return play.course();
}

/** Everything by the number of the job, which is its place in the order of submission. */
class PlainPlay {
  readonly #jobs: readonly PlainNodeJob[];
  readonly #site: PlainNodes;
  readonly #reservations: readonly PlainReservation[];
  readonly #promised: number[];
  readonly #ended: number[];
  readonly #gone = new Set<number>();
  /** With their places, where the discipline promises any. */
  readonly #waiting = new Map<number, Place | undefined>();
  readonly #running = new Map<number, Place>();
  readonly #down: Place[] = [];
  /** In the order in which they were laid down. */
  #laid: Laid[] = [];
  readonly #changes: PlainChange[] = [];
  #isFreed = false;
  /** Whether something happens at this ms (QU-39). */
  #isEventful = false;

  constructor(jobs: readonly PlainNodeJob[], site: PlainNodes, reservations: readonly PlainReservation[]) {
    this.#jobs = jobs;
    this.#site = site;
    this.#reservations = reservations;
    this.#promised = jobs.map(() => -1);
    this.#ended = jobs.map(() => -1);
  }

  isOver(): boolean {
    return this.#ended.every((at, id) => at >= 0 || this.#gone.has(id));
  }

  course(): PlainSeries {
    const outcomes = this.#jobs.map((_, id) => ({
      startMs: this.#ended[id],
      promisedMs: this.#promised[id],
    }));
    return { outcomes, changes: this.#changes };
  }

  /** Whether it could be made. */
  reserve(of: number): boolean {
    const { tasks, startMs, endMs } = this.#reservations[of];
    const counts = this.#mostOnFreest(of, tasks, { startMs, endMs });
    if (sum(counts) < tasks) return false;
    this.#lay(of, counts, { startMs, endMs });
    return true;
  }

  endAndCancel(nowMs: number): void {
    this.#isFreed = false;
    this.#isEventful =
      this.#jobs.some(({ submitMs, cancelMs = Number.POSITIVE_INFINITY }) => {
        return cancelMs > submitMs && (submitMs === nowMs || cancelMs === nowMs);
      }) || [...this.#laid, ...this.#down].some(({ endMs }) => endMs === nowMs);
    for (const [id, place] of [...this.#running]) {
      if (place.startMs + this.#jobs[id].runtimeMs !== nowMs) continue;
      this.#running.delete(id);
      this.#ended[id] = place.startMs;
      this.#isEventful = true;
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
      this.#isEventful = true;
      for (const [id, place] of [...this.#running]) {
        if (place.tasks[node] === 0) continue;
        this.#running.delete(id);
        again.push(id);
        this.#isFreed = true;
      }
      this.#displace(node, nowMs, untilMs);
    }
    for (const id of again.sort((one, other) => one - other)) this.#letWait(id, nowMs);
  }

  /** A job comes into the queue, with a promise where there are any. */
  #letWait(id: number, nowMs: number): void {
    this.#waiting.set(id, this.#isPlanned() ? this.#earliest(id, nowMs) : undefined);
  }

  #isPlanned(): boolean {
    return this.#site.discipline === "conservative" || this.#site.discipline === "repack";
  }

  #displace(node: number, nowMs: number, untilMs: number): void {
    const before = new Map(this.#waiting);
    const order = this.#inOrder();
    this.#waiting.clear();
    const tasks = Array.from({ length: this.#site.nodes }, (_, at) => (at === node ? 1 : 0));
    this.#down.push({ startMs: nowMs, endMs: untilMs, tasks });
    this.#moveReservations(node, nowMs, untilMs);
    for (const id of order) {
      const place = before.get(id);
      if (place === undefined) {
        this.#waiting.set(id, undefined);
        continue;
      }
      const isStillFree = place.tasks.every((count, at) => count <= this.#room(id, at, place.startMs));
      this.#waiting.set(id, isStillFree ? place : this.#earliest(id, nowMs));
    }
  }

  /** QU-40. */
  #moveReservations(node: number, nowMs: number, untilMs: number): void {
    const hit = this.#laid.filter((one) => one.node === node && one.startMs < untilMs && one.endMs > nowMs);
    this.#laid = this.#laid.filter((one) => !hit.includes(one));
    for (const one of hit.toSorted((left, right) => left.startMs - right.startMs)) {
      const { of, tasks, endMs } = one;
      const startMs = Math.max(nowMs, one.startMs);
      const moved = this.#mostOnFreest(of, tasks, { startMs, endMs });
      this.#lay(of, moved, { startMs, endMs });
      const missing = tasks - sum(moved);
      if (missing > 0 && endMs > untilMs) {
        this.#laid.push({ of, node, tasks: missing, startMs: untilMs, endMs });
      }
      if (missing < tasks && endMs > untilMs) this.#isFreed = true;
      const times = { missingFromMs: startMs, missingUntilMs: Math.min(endMs, untilMs) };
      this.#changes.push({ reservation: of, node, atMs: nowMs, moved, missing, ...times });
    }
  }

  /** In which order nodes are taken is no matter of what lies where; in what order they are noted, of it. */
  #lay(of: number, counts: readonly number[], time: { startMs: number; endMs: number }): void {
    const order = this.#freestFirst(of, time);
    for (const node of order)
      if (counts[node] > 0) this.#laid.push({ of, node, tasks: counts[node], ...time });
  }

  /** QU-37: how many of so many tasks go to which node. */
  #mostOnFreest(of: number, wanted: number, time: { startMs: number; endMs: number }): number[] {
    const { mostPerNode } = this.#reservations[of];
    const counts = Array.from({ length: this.#site.nodes }, () => 0);
    for (const node of this.#freestFirst(of, time)) {
      const there = sum(
        this.#laid.filter((one) => one.of === of && one.node === node).map(({ tasks }) => tasks),
      );
      let room = wanted - sum(counts);
      for (let atMs = time.startMs; atMs < time.endMs; atMs++) {
        room = Math.min(room, this.#roomFor(of, node, atMs), mostPerNode - there);
      }
      counts[node] = Math.max(0, room);
    }
    return counts;
  }

  /** The nodes by how long they have room for a task, from the start on. */
  #freestFirst(of: number, { startMs }: { startMs: number }): number[] {
    const everything = [...this.#laid, ...this.#running.values(), ...this.#down];
    const horizonMs = Math.max(startMs, ...everything.map(({ endMs }) => endMs));
    const fullAt = (node: number) => {
      let atMs = startMs;
      while (atMs <= horizonMs && this.#roomFor(of, node, atMs) > 0) atMs++;
      return atMs;
    };
    const nodes = Array.from({ length: this.#site.nodes }, (_, node) => ({ node, atMs: fullAt(node) }));
    return nodes.sort((one, other) => other.atMs - one.atMs || one.node - other.node).map(({ node }) => node);
  }

  /** How many tasks of a reservation a node has room for at an instant. */
  #roomFor(of: number, node: number, atMs: number): number {
    const { perTask } = this.#reservations[of];
    let room = Number.POSITIVE_INFINITY;
    for (const [column, amount] of perTask.entries()) {
      const free = this.#site.perNode[column] - this.#used(atMs, node, column);
      if (amount > 0) room = Math.min(room, Math.floor(free / amount));
    }
    return Math.max(0, room);
  }

  useWhatCameFree(nowMs: number): void {
    if (!this.#isFreed || !this.#isPlanned()) return;
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
      this.#letWait(id, nowMs);
      this.#promised[id] = this.#waiting.get(id)?.startMs ?? -1;
    }
  }

  start(nowMs: number): void {
    if (this.#isPlanned()) {
      for (const [id, place] of [...this.#waiting]) if (place?.startMs === nowMs) this.#run(id, place);
    } else if (this.#isEventful) this.#pass(nowMs);
  }

  /** QU-27 and QU-28. */
  #pass(nowMs: number): void {
    let head: { readonly id: number; readonly startMs: number } | undefined;
    for (const id of this.#inOrder()) {
      const place = this.#placeAt(id, nowMs);
      if (place !== undefined) {
        this.#run(id, place);
        if (head === undefined || this.#placeAt(head.id, head.startMs) !== undefined) continue;
        this.#running.delete(id);
        this.#waiting.set(id, undefined);
      } else if (this.#site.discipline === "fcfs") return;
      else head ??= { id, startMs: this.#earliest(id, nowMs).startMs };
    }
  }

  #run(id: number, place: Place): void {
    this.#waiting.delete(id);
    this.#running.set(id, place);
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
    let used = 0;
    for (const [id, place] of [...this.#waiting, ...this.#running]) {
      if (place !== undefined) used += of(place, this.#jobs[id].perTask[column]);
    }
    for (const place of this.#down) used += of(place, this.#site.perNode[column]);
    for (const one of this.#laid) {
      if (one.node !== node || one.startMs > atMs || atMs >= one.endMs) continue;
      used += one.tasks * this.#reservations[one.of].perTask[column];
    }
    return used;
  }
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((all, amount) => all + amount, 0);
}
