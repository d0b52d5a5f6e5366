/**
 * The source's processing logic, line by line, from slide 12 of [UP]: for processors and
 * the uppermost level.
 */
import type { EnforcementAction } from "../../src/model/index.ts";
import {
  COUNTED_VERBS,
  type EnforcedJob,
  type EnforcedSite,
} from "../../src/policy/enforce/enforced-site.ts";
import { calendarWindow, type ShareNode, usedOver, WHOLE_SHARE } from "../../src/policy/index.ts";
import type { PlainDecision } from "./plain-enforcement.ts";

type Where = "in use" | "waiting" | "suspended";

/** One look at a site, by the letter of the source. */
export function plainEnforceLiterally(site: EnforcedSite, nowMs: number): PlainDecision {
  return new PlainLiteral(site, nowMs).work();
}

class PlainLiteral {
  readonly #site: EnforcedSite;
  readonly #nowMs: number;
  readonly #grants: ReadonlySet<string>;
  readonly #where = new Map<EnforcedJob, Where>();
  readonly #actions: EnforcementAction[] = [];
  readonly #leftOut: { action: EnforcementAction; budget: "actions" | "suspended" }[] = [];

  constructor(site: EnforcedSite, nowMs: number) {
    const { granted } = site.rules;
    this.#site = site;
    this.#nowMs = nowMs;
    const isWatchOnly = granted.every((step) => step === "watch");
    this.#grants = new Set(isWatchOnly ? ["hold", "priority", "requeue", "suspend"] : granted);
    for (const job of site.jobs) {
      const isIn = job.state === "running" || (job.state === "queued" && this.#counts(job));
      const out = job.state === "suspended" ? "suspended" : "waiting";
      this.#where.set(job, isIn ? "in use" : out);
    }
  }

  #counts(job: EnforcedJob): boolean {
    return this.#grants.has("hold") || job.begunAtMs !== null;
  }

  work(): PlainDecision {
    const consumers = this.#consumers();
    for (const consumer of consumers) this.#serve(consumer, consumers);
    for (const consumer of consumers) this.#stopOver(consumer, consumers);
    return { actions: this.#actions, leftOut: this.#leftOut };
  }

  /** The uppermost levels that a policy for processors names, in the order of the policies. */
  #consumers(): readonly ShareNode[] {
    const nodes = this.#site.shares.nodes.get("cpu");
    const top = nodes?.get("")?.children ?? [];
    return top.flatMap((path) => {
      const node = nodes?.get(path);
      return node === undefined || node.policy === null ? [] : [node];
    });
  }

  #serve(consumer: ShareNode, all: readonly ShareNode[]): void {
    const job = this.#nextOf(consumer);
    if (job === undefined || !this.#mayRelease(job)) return;
    const using = this.#usedBy(null);
    const own = this.#usedBy(consumer);
    if (using === 0 && own < this.#share(consumer.burstShare)) this.#release(job, "idleSite");
    else if (using < this.#site.available.cpu && own < this.#share(consumer.burstShare)) {
      this.#release(job, "freeCapacity");
    } else if (using >= this.#site.available.cpu && own < this.#share(consumer.epochShare)) {
      const over = all.filter((other) => this.#usedBy(other) > this.#share(other.epochShare));
      const victim = over.flatMap((other) => this.#runningOf(other).slice(0, 1))[0];
      if (victim !== undefined) {
        this.#suspend(victim, { kind: "roomFor", job: job.id, consumer: consumer.path });
      }
      this.#release(job, "contention");
    }
  }

  #stopOver(consumer: ShareNode, all: readonly ShareNode[]): void {
    const { window } = consumer;
    const use = this.#site.uses.get("cpu")?.get(consumer.path)?.all;
    if (use === undefined) return;
    const lengthMs = window.kind === "sliding" ? window.lengthMs : this.#lengthOf(window);
    const limit = BigInt(consumer.epochShare) * BigInt(this.#site.capacity.cpu) * BigInt(lengthMs);
    if (usedOver(use, window, this.#nowMs) * BigInt(WHOLE_SHARE) <= limit) return;
    const isWanted = all.some(
      (other) =>
        other !== consumer &&
        this.#nextOf(other) !== undefined &&
        this.#usedBy(other) < this.#share(other.epochShare),
    );
    if (consumer.rule === "entitlement" && !isWanted) return;
    for (const job of this.#runningOf(consumer)) {
      this.#suspend(job, { kind: "epochUsed", consumer: consumer.path, untilMs: null });
    }
  }

  #lengthOf(window: Extract<ShareNode["window"], { kind: "fixed" }>): number {
    const { startMs, endMs } = calendarWindow(window.unit, this.#nowMs, window.offsetMs);
    return endMs - startMs;
  }

  /** The next of its jobs: suspended ones before waiting ones, then in order. */
  #nextOf({ path }: ShareNode): EnforcedJob | undefined {
    const jobs = this.#jobsOf(path).sort((a, b) => a.order - b.order);
    const first = (where: Where) => jobs.find((job) => this.#where.get(job) === where);
    return first("suspended") ?? first("waiting");
  }

  /** Those that run, the last begun first. */
  #runningOf({ path }: ShareNode): EnforcedJob[] {
    const running = this.#jobsOf(path).filter(
      (job) =>
        job.state === "running" &&
        this.#where.get(job) === "in use" &&
        job.spared?.includes("suspend") !== true,
    );
    return running.sort((a, b) => (b.begunAtMs ?? 0) - (a.begunAtMs ?? 0) || b.order - a.order);
  }

  #jobsOf(path: string): EnforcedJob[] {
    return this.#site.jobs.filter((job) => `${job.consumer}/`.startsWith(`${path}/`));
  }

  #usedBy(consumer: ShareNode | null): number {
    const jobs = consumer === null ? this.#site.jobs : this.#jobsOf(consumer.path);
    return jobs.reduce((sum, job) => (this.#where.get(job) === "in use" ? sum + job.need.cpu : sum), 0);
  }

  #share(share: number): number {
    return Number((BigInt(share) * BigInt(this.#site.capacity.cpu)) / BigInt(WHOLE_SHARE));
  }

  /** What was suspended may always go on; others are let in only where that is granted. */
  #mayRelease(job: EnforcedJob): boolean {
    return this.#grants.has("hold") || this.#where.get(job) === "suspended";
  }

  #release(job: EnforcedJob, kind: "idleSite" | "freeCapacity" | "contention"): void {
    const cause = { kind };
    const isSuspended = this.#where.get(job) === "suspended";
    this.#where.set(job, "in use");
    this.#actions.push({ verb: isSuspended ? "resume" : "release", job: job.id, cause });
  }

  #suspend(job: EnforcedJob, cause: EnforcementAction["cause"]): void {
    if (!this.#grants.has("suspend")) return;
    const { rules, capacity, actionsLeft } = this.#site;
    const action: EnforcementAction = { verb: "suspend", job: job.id, cause };
    const counted = this.#actions.filter(({ verb }) => COUNTED_VERBS.includes(verb)).length;
    const suspended = this.#site.jobs.filter((other) => this.#where.get(other) === "suspended");
    const procs = suspended.reduce((sum, { need }) => sum + need.cpu, job.need.cpu);
    if (counted >= actionsLeft) this.#leftOut.push({ action, budget: "actions" });
    else if (
      rules.suspendedPpm < 1_000_000 &&
      BigInt(procs) * 1_000_000n > BigInt(capacity.cpu) * BigInt(rules.suspendedPpm)
    ) {
      this.#leftOut.push({ action, budget: "suspended" });
    } else {
      this.#actions.push(action);
      this.#where.set(job, "suspended");
    }
  }
}
