/**
 * A small batch system that an engine only sees now and then: it starts what may start, first come first
 * served, at once, and does what it was ordered a moment after it was ordered.
 */
import { leasesToRenew, type SurveyedJob } from "../src/engine/index.ts";
import type { EnforcementAction } from "../src/model/index.ts";
import { type Scene, shown } from "./engine-scene.ts";

const SECOND = 1000;

interface QueuedJob extends SurveyedJob {
  readonly restMs: number;
}

interface Parts {
  readonly play: Scene;
  readonly site: string;
  readonly procs: number;
  readonly lookEverySeconds: number;
  readonly leaseMs: number;
}

/** The cluster, and what came of it. */
export class PolledCluster {
  /** How many jobs of an account ran at most, seen each second. */
  readonly most = new Map<string, number>();
  /** How often each job was held, let go, stopped or resumed; what needed no order does not count. */
  readonly orders = new Map<string, number>();
  readonly play: Scene;
  readonly #parts: Parts;
  readonly #jobs = new Map<string, QueuedJob>();
  readonly #samples: Map<string, number>[] = [];
  #count = 0;
  #noted = 0;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.play = parts.play;
  }

  /** Somebody submits so many jobs of one processor. */
  submit(account: string, count: number, runMs: number): void {
    const { play } = this.#parts;
    for (let i = 0; i < count; i++) {
      this.#count++;
      const whose = { account, user: "u", submittedAtMs: play.now, eligibleAtMs: 0, limitMs: 60 * SECOND };
      const job = shown(String(this.#count), null, whose);
      this.#jobs.set(job.siteJob, { ...job, restMs: runMs });
    }
  }

  /** Time passes, with a look at the cluster each so many seconds. */
  pass(seconds: number): void {
    const { play, lookEverySeconds } = this.#parts;
    for (let i = 0; i < seconds; i++) {
      const second = this.#samples.length;
      this.#step();
      if (second % lookEverySeconds === 0) this.#look();
      play.now += SECOND;
    }
  }

  /** How many jobs of an account run. */
  running(account: string): number {
    return this.#samples.at(-1)?.get(account) ?? 0;
  }

  /** How many seconds an account was over a limit. */
  secondsOver(account: string, limit: number): number {
    return this.#samples.filter((now) => (now.get(account) ?? 0) > limit).length;
  }

  #look(): void {
    const { play, site } = this.#parts;
    play.look(site, { jobs: [...this.#jobs.values()] });
    play.settle();
    const there = play.projection.sites.get(site);
    if (there === undefined) return;
    for (const job of leasesToRenew(there, play.now)) this.#carryOut({ verb: "hold", job });
  }

  #step(): void {
    const { play } = this.#parts;
    for (const event of play.log.slice(this.#noted)) {
      if (event.kind === "enforced") for (const action of event.actions) this.#order(action);
    }
    this.#noted = play.log.length;
    for (const job of this.#jobs.values()) {
      if (job.state !== "running") continue;
      if (job.restMs <= SECOND) this.#jobs.delete(job.siteJob);
      else this.#put(job, { restMs: job.restMs - SECOND });
    }
    this.#start();
    this.#sample();
  }

  #start(): void {
    const { play, procs } = this.#parts;
    const all = [...this.#jobs.values()];
    let free = procs - all.filter(({ state }) => state === "running").length;
    for (const job of all) {
      const mayStart = job.state === "waiting" && (job.eligibleAtMs ?? 0) <= play.now;
      if (!mayStart || free === 0) continue;
      this.#put(job, { state: "running", startedAtMs: play.now });
      free--;
    }
  }

  #sample(): void {
    const now = new Map<string, number>();
    for (const { state, account } of this.#jobs.values()) {
      if (state === "running") now.set(account ?? "", (now.get(account ?? "") ?? 0) + 1);
    }
    this.#samples.push(now);
    for (const [account, running] of now) {
      this.most.set(account, Math.max(this.most.get(account) ?? 0, running));
    }
  }

  #order(action: EnforcementAction): void {
    const job = this.#jobs.get(action.job);
    if (job === undefined) return;
    const isAhead = (job.eligibleAtMs ?? 0) > this.#parts.play.now;
    if (action.verb !== "release" || isAhead) {
      this.orders.set(action.job, (this.orders.get(action.job) ?? 0) + 1);
    }
    this.#carryOut(action);
  }

  #carryOut({ verb, job: id }: Pick<EnforcementAction, "verb" | "job">): void {
    const { play, leaseMs } = this.#parts;
    const job = this.#jobs.get(id);
    if (job === undefined) return;
    if (verb === "hold" && job.state === "waiting") this.#put(job, { eligibleAtMs: play.now + leaseMs });
    if (verb === "release") this.#put(job, { eligibleAtMs: 0 });
    if (verb === "suspend" && job.state === "running") this.#put(job, { state: "suspended" });
    if (verb === "resume" && job.state === "suspended") this.#put(job, { state: "running" });
  }

  #put(job: QueuedJob, more: Partial<QueuedJob>): void {
    this.#jobs.set(job.siteJob, { ...job, ...more });
  }
}
