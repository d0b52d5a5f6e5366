/**
 * Who occupies a site in the course of one look, and what that means for shares (rules PO-8 to PO-10).
 */
import type { EpochWindow } from "../../src/model/index.ts";
import {
  type EnforcedJob,
  type EnforcedJobState,
  type EnforcedSite,
  SITE_RESOURCES,
  type SiteResource,
} from "../../src/policy/enforce/enforced-site.ts";
import {
  calendarWindow,
  createUseHistory,
  entitlements,
  keptForMs,
  levelsOf,
  type ShareNode,
  type UseHistory,
  usedOver,
  WHOLE_SHARE,
} from "../../src/policy/index.ts";
import { type Fraction, greatestOf } from "./plain-fraction.ts";

/** A level's policy for one resource. */
export interface PlainRule {
  readonly path: string;
  readonly node: ShareNode;
  readonly resource: SiteResource;
}

type Where = "in use" | "waiting" | "suspended";

/** Who is in use, waits, or is suspended; changed as the look goes on. */
export class PlainOccupancy {
  readonly #site: EnforcedSite;
  readonly #nowMs: number;
  readonly #holds: boolean;
  readonly #where = new Map<EnforcedJob, Where | "gone">();

  /** @param holds whether jobs are let in one by one, so that queued ones are in use */
  constructor(site: EnforcedSite, { nowMs, holds }: { readonly nowMs: number; readonly holds: boolean }) {
    this.#site = site;
    this.#nowMs = nowMs;
    this.#holds = holds;
    for (const job of site.jobs) this.#where.set(job, this.#whereFirst(job));
  }

  #whereFirst(job: EnforcedJob): Where {
    const where: Record<EnforcedJobState, Where> = {
      waiting: "waiting",
      // What was resumed and has not gone on yet stays, whatever is granted.
      queued: this.#holds || job.begunAtMs !== null ? "in use" : "waiting",
      running: "in use",
      suspended: "suspended",
    };
    return where[job.state];
  }

  putIn(job: EnforcedJob): void {
    this.#where.set(job, "in use");
  }

  putBack(job: EnforcedJob, where: "waiting" | "suspended"): void {
    this.#where.set(job, where);
  }

  /** As if it were not there. */
  takeOut(job: EnforcedJob): void {
    this.#where.set(job, "gone");
  }

  stateOf(job: EnforcedJob): Where | "gone" | undefined {
    return this.#where.get(job);
  }

  /** Those that run and have not been stopped in this look. */
  running(): EnforcedJob[] {
    return this.#site.jobs.filter((job) => job.state === "running" && this.stateOf(job) === "in use");
  }

  queuedNeverBegun(): EnforcedJob[] {
    const queued = this.#site.jobs.filter((job) => job.state === "queued" && job.begunAtMs === null);
    return queued.sort((a, b) => a.order - b.order);
  }

  isIdle(): boolean {
    return this.#inUse().length === 0;
  }

  #inUse(): EnforcedJob[] {
    return this.#site.jobs.filter((job) => this.stateOf(job) === "in use");
  }

  /** Waiting or suspended, of a named level, not wider than the site or a burst. */
  candidates(): EnforcedJob[] {
    return this.#site.jobs.filter((job) => {
      const where = this.stateOf(job);
      if (where !== "waiting" && where !== "suspended") return false;
      return this.levelsOf(job).length > 0 && this.couldEverGo(job);
    });
  }

  /** Not wider than the site, nor than the burst of one of its levels. */
  couldEverGo(job: EnforcedJob): boolean {
    if (SITE_RESOURCES.some((resource) => job.need[resource] > this.#site.capacity[resource])) return false;
    return this.levelsOf(job).every((path) =>
      this.rulesOf(path).every(({ node, resource }) => job.need[resource] <= this.#burst(node, resource)),
    );
  }

  /** The uppermost level of a running job that uses more than its burst of something that the job needs. */
  runsBeyondBurst(job: EnforcedJob): PlainRule | undefined {
    return this.levelsOf(job)
      .flatMap((path) => this.rulesOf(path))
      .find(
        ({ path, node, resource }) =>
          job.need[resource] > 0 && this.inUse(resource, path, null) > this.#burst(node, resource),
      );
  }

  /** The levels of a job's consumer that a policy names for any resource, from the top down. */
  levelsOf(job: EnforcedJob): readonly string[] {
    const named = SITE_RESOURCES.flatMap((resource) =>
      levelsOf(this.#site.shares, resource, job.consumer).filter(({ policy }) => policy !== null),
    );
    return [...new Set(named.map(({ path }) => path))].sort((a, b) => a.length - b.length);
  }

  consumerOf(job: EnforcedJob): string {
    return this.levelsOf(job).at(-1) ?? job.consumer;
  }

  /** All policies of the place. */
  rules(): readonly PlainRule[] {
    return SITE_RESOURCES.flatMap((resource) =>
      [...(this.#site.shares.nodes.get(resource) ?? [])].flatMap(([path, node]) =>
        node.policy === null ? [] : [{ path, node, resource }],
      ),
    );
  }

  rulesOf(path: string): readonly PlainRule[] {
    return this.rules().filter((rule) => rule.path === path);
  }

  #amount(share: number, resource: SiteResource): number {
    return Number((BigInt(share) * BigInt(this.#site.capacity[resource])) / BigInt(WHOLE_SHARE));
  }

  #burst(node: ShareNode, resource: SiteResource): number {
    return this.#amount(node.burstShare, resource);
  }

  /** What of a resource is in use at a level now (all of the site: ""), without one job. */
  inUse(resource: SiteResource, level: string, but: EnforcedJob | null, atMs = this.#nowMs): number {
    return this.#site.jobs.reduce((sum, job) => {
      if (job === but || (level !== "" && !this.levelsOf(job).includes(level))) return sum;
      const where = this.stateOf(job);
      const isThere =
        (where === "in use" && (atMs <= this.#nowMs || this.#endsAtMs(job) > atMs)) ||
        (where === "suspended" && resource === "memory");
      return isThere ? sum + job.need[resource] : sum;
    }, 0);
  }

  /** When what is in use ends by its estimate; at once, where that is past. */
  #endsAtMs(job: EnforcedJob): number {
    return Math.max(this.#nowMs, job.plannedEndMs ?? this.#nowMs + job.estimateMs);
  }

  /** The uppermost level whose burst the job would pass. */
  overBurst(job: EnforcedJob): string | undefined {
    return this.levelsOf(job).find((path) =>
      this.rulesOf(path).some(
        ({ node, resource }) =>
          this.takes(job, resource) &&
          this.inUse(resource, path, job) + job.need[resource] > this.#burst(node, resource),
      ),
    );
  }

  /** Whether it fits into what is available less what is in use and what is dedicated to others. */
  fits(job: EnforcedJob): boolean {
    return SITE_RESOURCES.every((resource) => !this.isShort(job, resource));
  }

  isShort(job: EnforcedJob, resource: SiteResource): boolean {
    return this.#isTooMuch(job, resource, this.#nowMs);
  }

  /** What letting a job go would take: not what it needs none of, nor the memory that it kept. */
  takes(job: EnforcedJob, resource: SiteResource): boolean {
    if (job.need[resource] === 0) return false;
    return resource !== "memory" || this.stateOf(job) !== "suspended";
  }

  #isTooMuch(job: EnforcedJob, resource: SiteResource, atMs: number): boolean {
    return this.takes(job, resource) && job.need[resource] > this.#freeFor(job, resource, atMs);
  }

  #freeFor(job: EnforcedJob, resource: SiteResource, atMs: number): number {
    const used = this.inUse(resource, "", job, atMs);
    return this.#site.available[resource] - used - this.#dedicated(job, resource, atMs);
  }

  /** What dedicated levels that the job is not of do not use of their entitlement. */
  #dedicated(job: EnforcedJob, resource: SiteResource, atMs: number): number {
    const own = this.levelsOf(job);
    const entitled = this.#entitled(resource);
    const nodes = this.#site.shares.nodes.get(resource);
    const kept = (path: string): number => {
      const node = nodes?.get(path);
      if (node === undefined) return 0;
      const below = node.children.reduce((sum, child) => sum + kept(child), 0);
      if (node.policy === null || node.mode !== "dedicated" || own.includes(path)) return below;
      const amount = this.#amount(entitled.get(path) ?? 0, resource);
      return Math.max(below, amount - this.inUse(resource, path, job, atMs), 0);
    };
    return kept("");
  }

  /** The first instant at which it fits if what is in use ends by its estimate. */
  firstFitMs(job: EnforcedJob): number | undefined {
    const instants = [this.#nowMs, ...this.#inUse().map((other) => this.#endsAtMs(other))];
    return instants.sort((a, b) => a - b).find((atMs) => this.#fitsAt(job, atMs));
  }

  #fitsAt(job: EnforcedJob, atMs: number): boolean {
    // What is past its estimate ends at once: half a ms later it is gone.
    const thenMs = Math.max(atMs, this.#nowMs + 0.5);
    return SITE_RESOURCES.every((resource) => !this.#isTooMuch(job, resource, thenMs));
  }

  /** Whether the wide job still fits at its instant if another one is let go now. */
  leavesRoom(job: EnforcedJob, wide: EnforcedJob, atMs: number): boolean {
    if (this.#nowMs + job.estimateMs <= atMs) return true;
    const before = this.stateOf(job);
    this.putIn(job);
    const fits = this.#fitsAt(wide, atMs);
    if (before !== undefined) this.#where.set(job, before);
    return fits;
  }

  /** PO-4, by path; demand has who has a job that needs some of it, and who is dedicated. */
  #entitled(resource: SiteResource): ReadonlyMap<string, number> {
    const nodes = this.#site.shares.nodes.get(resource);
    const isAt = (path: string, level: string) => `${path}/`.startsWith(`${level}/`);
    return entitlements(
      this.#site.shares,
      resource,
      (level) =>
        this.#site.jobs.some((job) => job.need[resource] > 0 && isAt(job.consumer, level)) ||
        [...(nodes?.values() ?? [])].some(
          ({ path, mode, policy }) => policy !== null && mode === "dedicated" && isAt(path, level),
        ),
    );
  }

  #entitledAmount(path: string, resource: SiteResource): number {
    return this.#amount(this.#entitled(resource).get(path) ?? 0, resource);
  }

  /** Whether with the job each of these levels of it is within its entitlement at once. */
  isWithinEntitlement(job: EnforcedJob, levels: readonly string[]): boolean {
    return levels.every((path) =>
      this.rulesOf(path).every(
        ({ resource }) =>
          !this.takes(job, resource) ||
          this.inUse(resource, path, job) + job.need[resource] <= this.#entitledAmount(path, resource),
      ),
    );
  }

  isPreempting(path: string, resource: SiteResource): boolean {
    return this.rulesOf(path).some((rule) => rule.resource === resource && rule.node.mode === "preempting");
  }

  isOverEntitlement(path: string): boolean {
    return this.rulesOf(path).some(
      ({ resource }) => this.inUse(resource, path, null) > this.#entitledAmount(path, resource),
    );
  }

  /** Use now ÷ entitlement, the greatest over its resources. */
  overBy(path: string): Fraction {
    return greatestOf(
      this.rulesOf(path).map(({ resource }) => ({
        over: BigInt(this.inUse(resource, path, null)),
        of: BigInt(this.#entitledAmount(path, resource)),
      })),
    );
  }

  /** Whether a job's memory fits beside a victim's, were that suspended. */
  memoryFitsBeside(job: EnforcedJob, victim: EnforcedJob): boolean {
    const before = this.stateOf(victim);
    this.putBack(victim, "suspended");
    const fits = !this.isShort(job, "memory");
    if (before !== undefined) this.#where.set(victim, before);
    return fits;
  }

  suspendedProcs(): number {
    return this.#site.jobs.reduce(
      (sum, job) => (this.stateOf(job) === "suspended" ? sum + job.need.cpu : sum),
      0,
    );
  }

  /** PO-8: how well a level is served. */
  served(path: string): Fraction {
    return greatestOf(
      this.rulesOf(path).map(({ node, resource }) => {
        const { lengthMs } = this.#windowOf(node.window, this.#nowMs);
        const history = this.#site.uses.get(resource)?.get(path)?.counted;
        const used = history === undefined ? 0n : usedOver(history, node.window, this.#nowMs);
        const still = this.#inUse()
          .filter((job) => this.levelsOf(job).includes(path))
          .reduce((sum, job) => {
            const restMs = Math.min(this.#endsAtMs(job) - this.#nowMs, lengthMs);
            return sum + BigInt(job.need[resource]) * BigInt(restMs);
          }, 0n);
        const share = BigInt(this.#entitled(resource).get(path) ?? 0);
        const whole = share * BigInt(this.#site.capacity[resource]) * BigInt(lengthMs);
        return { over: (used + still) * BigInt(WHOLE_SHARE), of: whole };
      }),
    );
  }

  /** The share of a level, and the capacity over its window, at an instant. */
  epochAt(node: ShareNode, resource: SiteResource, atMs: number): { share: bigint; whole: bigint } {
    const { lengthMs } = this.#windowOf(node.window, atMs);
    return {
      share: BigInt(node.epochShare),
      whole: BigInt(this.#site.capacity[resource]) * BigInt(lengthMs),
    };
  }

  #windowOf(window: EpochWindow, atMs: number): { readonly lengthMs: number } {
    if (window.kind === "sliding") return window;
    const { startMs, endMs } = calendarWindow(window.unit, atMs, window.offsetMs);
    return { lengthMs: endMs - startMs };
  }

  noUse(window: EpochWindow): UseHistory {
    return createUseHistory(keptForMs(window));
  }
}
