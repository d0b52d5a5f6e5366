/**
 * What an enforcer asks for, worked out plainly from rules PO-8 … PO-16 of src/policy/README.md.
 *
 * Everything is counted anew whenever it is asked for; nothing is remembered but who is in use. Jobs are
 * compared by exact fractions. It says what is to be done, and what is left out; not when to look again.
 */
import type { EnforcementAction, EnforcementCause, EnforcementVerb } from "../../src/model/index.ts";
import {
  COUNTED_VERBS,
  type EnforcedJob,
  type EnforcedSite,
  SITE_RESOURCES,
} from "../../src/policy/enforce/enforced-site.ts";
import { reachesAtMs, usedOver } from "../../src/policy/index.ts";
import { compareFractions, type Fraction } from "./plain-fraction.ts";
import { PlainOccupancy } from "./plain-occupancy.ts";

/** What is to be done in this look, and what is not for want of budget. */
export interface PlainDecision {
  readonly actions: readonly EnforcementAction[];
  readonly leftOut: readonly {
    readonly action: EnforcementAction;
    readonly budget: "actions" | "suspended";
  }[];
}

/** One look at a site. */
export function plainEnforce(site: EnforcedSite, nowMs: number): PlainDecision {
  return new PlainLook(site, nowMs).work();
}

type Budget = "actions" | "suspended";
type Answer = "gone" | "passed" | { readonly closes: string };

class PlainLook {
  readonly #site: EnforcedSite;
  readonly #nowMs: number;
  readonly #scene: PlainOccupancy;
  readonly #grants: ReadonlySet<string>;
  #actions: EnforcementAction[] = [];
  #leftOut: { action: EnforcementAction; budget: Budget }[] = [];

  constructor(site: EnforcedSite, nowMs: number) {
    const { granted } = site.rules;
    this.#site = site;
    this.#nowMs = nowMs;
    // PO-15: where only watch is granted it is worked out as if all were.
    const isWatchOnly = granted.every((step) => step === "watch");
    this.#grants = new Set(isWatchOnly ? ["hold", "priority", "requeue", "suspend"] : granted);
    this.#scene = new PlainOccupancy(site, { nowMs, holds: this.#grants.has("hold") });
  }

  work(): PlainDecision {
    this.#suspendCapped();
    if (this.#grants.has("hold")) this.#holdQueued();
    this.#stopOverBurst();
    while (this.#pass());
    // What was resumed may leave room in the budget; a second look has to ask for nothing (PO-16). Whoever is
    // stopped and let go again in this look was never stopped, and is asked for no more.
    for (let asked = -1; asked !== this.#actions.length; ) {
      asked = this.#actions.length;
      this.#stopMore();
      while (this.#pass());
    }
    return { actions: this.#actions, leftOut: this.#leftOut };
  }

  #stopMore(): void {
    const asked = this.#actions.length;
    const isStop = ({ verb, cause }: EnforcementAction) => verb !== "hold" && STOPPED_FOR.has(cause.kind);
    this.#leftOut = this.#leftOut.filter(({ action }) => !isStop(action));
    this.#suspendCapped();
    if (this.#actions.length === asked) this.#stopOverBurst();
  }

  /** PO-14: who is over a cap, or would be a ms later. */
  #suspendCapped(): void {
    const scene = this.#scene;
    for (const { path, node, resource } of scene.rules()) {
      if (node.rule !== "cap") continue;
      const use = this.#site.uses.get(resource)?.get(path)?.all;
      if (use === undefined) continue;
      const isOver = (atMs: number) => {
        const { share, whole } = scene.epochAt(node, resource, atMs);
        return usedOver(use, node.window, atMs) * BigInt(10 ** 12) > share * whole;
      };
      if (!isOver(this.#nowMs) && !isOver(this.#nowMs + 1)) continue;
      const running = scene
        .running()
        .filter((job) => job.need[resource] > 0 && scene.levelsOf(job).includes(path));
      for (const job of running.sort(lastBegunFirst)) {
        if (!this.#hasRunLongEnough(job)) continue;
        const cause: EnforcementCause = { kind: "epochUsed", consumer: path, untilMs: null };
        // A suspended job keeps its memory, so that suspending it helps nobody there.
        const canSuspend = this.#maySuspend(job) && resource !== "memory";
        const verb = canSuspend ? "suspend" : this.#requeueOnceMore(job);
        if (verb !== undefined) this.#stop(job, verb, cause);
      }
    }
  }

  #requeueWhereGranted({ spared = [] }: EnforcedJob): "requeue" | undefined {
    const isGranted = this.#grants.has("requeue") && this.#grants.has("hold");
    return isGranted && !spared.includes("requeue") ? "requeue" : undefined;
  }

  /** PO-14: for a limit a job is requeued only so often. */
  #requeueOnceMore(job: EnforcedJob): "requeue" | undefined {
    return job.stops < this.#site.rules.maxSuspensions ? this.#requeueWhereGranted(job) : undefined;
  }

  /** Not where the site has refused it for this job. */
  #maySuspend({ spared = [] }: EnforcedJob): boolean {
    return this.#grants.has("suspend") && !spared.includes("suspend");
  }

  /** PO-14: what runs beyond a burst, however short it has run; not what is wider than its burst. */
  #stopOverBurst(): void {
    const scene = this.#scene;
    const running = scene.running().filter((job) => scene.couldEverGo(job));
    for (const job of running.sort(lastBegunFirst)) {
      const over = scene.runsBeyondBurst(job);
      if (over === undefined) continue;
      const cause: EnforcementCause = { kind: "burst", consumer: over.path };
      const canSuspend = this.#maySuspend(job) && over.resource !== "memory";
      const verb = canSuspend ? "suspend" : this.#requeueOnceMore(job);
      if (verb !== undefined) this.#stop(job, verb, cause);
    }
  }

  /** PO-9: queued jobs that should not have been let in. */
  #holdQueued(): void {
    const scene = this.#scene;
    const queued = scene.queuedNeverBegun();
    for (const job of queued) scene.takeOut(job);
    for (const job of queued) {
      const capped = this.#cappedLevel(job, 0);
      const burst = scene.overBurst(job);
      const fits = scene.fits(job);
      if (capped === undefined && burst === undefined && fits) {
        scene.putIn(job);
        continue;
      }
      if (this.#ask({ verb: "hold", job: job.id, cause: causeOf(burst, capped) }))
        scene.putBack(job, "waiting");
      else scene.putIn(job);
    }
  }

  /** One pass over all candidates; whether somebody was let go. */
  #pass(): boolean {
    const scene = this.#scene;
    let left = scene.candidates();
    const first = new Map<string, number>();
    for (const job of left) {
      for (const level of scene.levelsOf(job)) {
        first.set(level, Math.min(first.get(level) ?? Number.POSITIVE_INFINITY, job.order));
      }
    }
    let hasLetGo = false;
    let wide: { readonly job: EnforcedJob; readonly atMs: number } | undefined;
    while (left.length > 0) {
      const job = this.#next(left, first);
      const answer = this.#consider(job, wide);
      left = left.filter((other) => other !== job);
      if (answer === "gone") hasLetGo = true;
      else if (answer === "passed") {
        if (wide === undefined) {
          const atMs = scene.firstFitMs(job);
          if (atMs !== undefined) wide = { job, atMs };
        }
        // Of a consumer whose suspended job cannot go on, none that waits does.
        if (scene.stateOf(job) === "suspended") left = left.filter((other) => !this.#waitsBehind(other, job));
      } else left = left.filter((other) => !scene.levelsOf(other).includes(answer.closes));
    }
    return hasLetGo;
  }

  #waitsBehind(other: EnforcedJob, suspended: EnforcedJob): boolean {
    const scene = this.#scene;
    return scene.stateOf(other) !== "suspended" && scene.consumerOf(other) === scene.consumerOf(suspended);
  }

  /** PO-8: from the top down, at each level the one that is least served. */
  #next(left: readonly EnforcedJob[], first: ReadonlyMap<string, number>): EnforcedJob {
    const scene = this.#scene;
    let among = left;
    for (let depth = 0; ; depth++) {
      const own = among.filter((job) => scene.levelsOf(job).length === depth);
      if (own.length > 0) {
        const rank = (job: EnforcedJob) => (scene.stateOf(job) === "suspended" ? 0 : 1);
        return [...own].sort((a, b) => rank(a) - rank(b) || a.order - b.order)[0];
      }
      const levels = [...new Set(among.map((job) => scene.levelsOf(job)[depth]))];
      const served = new Map<string, Fraction>(levels.map((level) => [level, scene.served(level)]));
      const [least] = levels.sort(
        (a, b) => compareFractions(served.get(a), served.get(b)) || (first.get(a) ?? 0) - (first.get(b) ?? 0),
      );
      among = among.filter((job) => scene.levelsOf(job)[depth] === least);
    }
  }

  /** PO-9, PO-10: lets it go, or says why not. */
  #consider(job: EnforcedJob, wide: { job: EnforcedJob; atMs: number } | undefined): Answer {
    const scene = this.#scene;
    const burst = scene.overBurst(job);
    const runs = Math.min(this.#site.rules.minRunMs, job.estimateMs);
    const capped = this.#cappedLevel(job, runs);
    const [refuses] = scene.levelsOf(job).filter((level) => level === burst || level === capped);
    if (refuses !== undefined) {
      this.#lower(job, refuses === burst ? causeOf(burst, undefined) : causeOf(undefined, capped));
      return { closes: refuses };
    }
    const isIdle = scene.isIdle();
    if (scene.fits(job)) {
      if (wide !== undefined && !scene.leavesRoom(job, wide.job, wide.atMs)) return "passed";
      this.#letGo(job, { kind: isIdle ? "idleSite" : "freeCapacity" });
      return "gone";
    }
    if (this.#grants.has("hold") && this.#makeRoom(job, wide)) {
      this.#letGo(job, { kind: "contention" });
      return "gone";
    }
    return "passed";
  }

  /** The uppermost level that has reached its cap, or would while the job runs so long. */
  #cappedLevel(job: EnforcedJob, runsMs: number): string | undefined {
    const scene = this.#scene;
    return scene.levelsOf(job).find((path) =>
      scene.rulesOf(path).some(({ node, resource }) => {
        if (node.rule !== "cap" || job.need[resource] === 0) return false;
        const capacity = this.#site.capacity[resource];
        const history = this.#site.uses.get(resource)?.get(path)?.all ?? scene.noUse(node.window);
        const limit = { window: node.window, share: node.epochShare, capacity };
        const amount = scene.inUse(resource, path, job) + job.need[resource];
        const atMs = reachesAtMs(history, limit, this.#nowMs, amount);
        return atMs !== null && atMs < this.#nowMs + Math.max(1, runsMs);
      }),
    );
  }

  /** PO-10, PO-11: stops whose capacity was lent; whether the job fits then. */
  #makeRoom(job: EnforcedJob, wide: { job: EnforcedJob; atMs: number } | undefined): boolean {
    const scene = this.#scene;
    const short = SITE_RESOURCES.filter((resource) => scene.isShort(job, resource));
    const chosen: { readonly victim: EnforcedJob; readonly verb: "suspend" | "requeue" }[] = [];
    while (!scene.fits(job)) {
      const victim = this.#victimOf(job, short);
      const verb = victim && this.#verbFor(victim, job);
      if (victim === undefined || verb === undefined) break;
      scene.putBack(victim, placeAfter(verb));
      chosen.push({ victim, verb });
    }
    const enough = () =>
      scene.fits(job) && (wide === undefined || scene.leavesRoom(job, wide.job, wide.atMs));
    const needed = chosen.filter(({ victim, verb }) => {
      scene.putIn(victim);
      if (enough()) return false;
      scene.putBack(victim, placeAfter(verb));
      return true;
    });
    const cause: EnforcementCause = { kind: "roomFor", job: job.id, consumer: scene.consumerOf(job) };
    const isEnough = enough();
    for (const { victim } of needed) scene.putIn(victim);
    if (!isEnough) return false;
    const over = this.#overBudget(needed.map(({ victim, verb }) => ({ verb, job: victim })));
    if (over !== undefined) {
      for (const { victim, verb } of needed) {
        this.#leftOut.push({ action: { verb, job: victim.id, cause }, budget: over });
      }
      return false;
    }
    for (const { victim, verb } of needed) this.#stop(victim, verb, cause);
    return true;
  }

  /** The next to be stopped for a job: of the consumer that is furthest over, the last begun. */
  #victimOf(job: EnforcedJob, short: readonly (typeof SITE_RESOURCES)[number][]): EnforcedJob | undefined {
    const scene = this.#scene;
    const own = scene.levelsOf(job);
    const eligible = scene.running().filter((victim) => {
      const theirs = scene.levelsOf(victim);
      const apart = own.filter((level) => !theirs.includes(level));
      if (apart.length === 0 || !scene.isWithinEntitlement(job, apart)) return false;
      if (!short.every((resource) => scene.isPreempting(apart[0], resource))) return false;
      if (!this.#mayBeStopped(victim) || job.stoppedFor.includes(victim.id)) return false;
      const others = theirs.filter((level) => !own.includes(level));
      if (!others.some((level) => scene.isOverEntitlement(level))) return false;
      return this.#verbFor(victim, job) !== undefined;
    });
    const farthest = (victim: EnforcedJob) =>
      scene
        .levelsOf(victim)
        .filter((level) => !own.includes(level))
        .map((level) => scene.overBy(level))
        .sort((a, b) => compareFractions(b, a))[0];
    return eligible.sort((a, b) => compareFractions(farthest(b), farthest(a)) || lastBegunFirst(a, b))[0];
  }

  #verbFor(victim: EnforcedJob, job: EnforcedJob): "suspend" | "requeue" | undefined {
    const fitsBeside = this.#scene.memoryFitsBeside(job, victim);
    return this.#maySuspend(victim) && fitsBeside ? "suspend" : this.#requeueWhereGranted(victim);
  }

  #mayBeStopped(job: EnforcedJob): boolean {
    return this.#hasRunLongEnough(job) && job.stops < this.#site.rules.maxSuspensions;
  }

  #hasRunLongEnough({ begunAtMs }: EnforcedJob): boolean {
    return this.#nowMs - (begunAtMs ?? this.#nowMs) >= this.#site.rules.minRunMs;
  }

  #letGo(job: EnforcedJob, cause: EnforcementCause): void {
    const scene = this.#scene;
    const state = scene.stateOf(job);
    scene.putIn(job);
    const undone = this.#actions.find(({ verb, job: id }) => id === job.id && COUNTED_VERBS.includes(verb));
    if (undone !== undefined && undone.verb !== "lower") {
      // Stopped, or held, in this look: it never was.
      this.#actions = this.#actions.filter((action) => action !== undone);
      return;
    }
    if (state === "suspended") this.#actions.push({ verb: "resume", job: job.id, cause });
    else if (this.#grants.has("hold")) this.#actions.push({ verb: "release", job: job.id, cause });
    else if (this.#grants.has("priority") && job.nudged !== "raised") {
      this.#actions.push({ verb: "raise", job: job.id, cause });
    }
  }

  #lower(job: EnforcedJob, cause: EnforcementCause): void {
    if (this.#grants.has("hold") || !this.#grants.has("priority")) return;
    if (job.nudged === "lowered" || this.#scene.stateOf(job) === "suspended") return;
    if (this.#actions.some((action) => action.verb === "lower" && action.job === job.id)) return;
    this.#ask({ verb: "lower", job: job.id, cause });
  }

  #stop(job: EnforcedJob, verb: "suspend" | "requeue", cause: EnforcementCause): void {
    if (!this.#ask({ verb, job: job.id, cause })) return;
    this.#scene.putBack(job, placeAfter(verb));
  }

  /** Within the budgets it is asked for; else it is said to be left out. */
  #ask(action: EnforcementAction): boolean {
    const job = this.#site.jobs.find(({ id }) => id === action.job);
    const budget = job && this.#overBudget([{ verb: action.verb, job }]);
    if (budget === undefined) this.#actions.push(action);
    else this.#leftOut.push({ action, budget });
    return budget === undefined;
  }

  #overBudget(wanted: readonly { verb: EnforcementVerb; job: EnforcedJob }[]): Budget | undefined {
    const { rules, capacity, actionsLeft } = this.#site;
    const counted = this.#actions.filter(({ verb }) => COUNTED_VERBS.includes(verb)).length;
    if (counted + wanted.length > actionsLeft) return "actions";
    const suspending = wanted.filter(({ verb }) => verb === "suspend");
    if (suspending.length === 0) return undefined;
    const procs = suspending.reduce((sum, { job }) => sum + job.need.cpu, this.#scene.suspendedProcs());
    if (rules.suspendedPpm >= 1_000_000) return undefined;
    const most = Number((BigInt(capacity.cpu) * BigInt(rules.suspendedPpm)) / 1_000_000n);
    return procs > most ? "suspended" : undefined;
  }
}

function placeAfter(verb: "suspend" | "requeue"): "suspended" | "waiting" {
  return verb === "suspend" ? "suspended" : "waiting";
}

/** Causes to stop what runs, but to make room for somebody. */
const STOPPED_FOR: ReadonlySet<string> = new Set(["epochUsed", "burst"]);

function causeOf(burst: string | undefined, capped: string | undefined): EnforcementCause {
  if (burst !== undefined) return { kind: "burst", consumer: burst };
  if (capped !== undefined) return { kind: "epochUsed", consumer: capped, untilMs: null };
  return { kind: "notYet", for: null };
}

/** The last begun first, then the last in order. */
function lastBegunFirst(one: EnforcedJob, other: EnforcedJob): number {
  return (other.begunAtMs ?? 0) - (one.begunAtMs ?? 0) || other.order - one.order;
}
