/**
 * The programs of a played cluster's jobs: begun on a managed site when the queue lets their job start.
 *
 * The queue's effects go to the programs, the programs' reports to the queue. Every step may be done again
 * (a token is begun once, suspending twice is suspending once), so that after a restart all that runs is
 * simply told again how it stands.
 */
import { Fault } from "../../base/index.ts";
import type { AttemptEnd } from "../../model/index.ts";
import type { Clock, EndCause, LaunchOrder, ManagedSite, SiteReport } from "../../runtime/index.ts";
import { type Cluster, type ClusterJob, ownJob, type ProgramEffect } from "./simulated-cluster.ts";

/** What the minder of programs needs of its cluster. */
export interface ProgramHost {
  readonly cluster: Cluster;
  readonly clock: Clock;
  /** From a start in the queue to the program's. */
  readonly startMs: number;
  began(job: ClusterJob, startedAtMs: number): void;
  ended(job: ClusterJob, endedAtMs: number, end: AttemptEnd): void;
}

/** How long to wait before a launch that failed for a moment is tried again. */
const RETRY_MS = 1000;

/** Minds the programs of one cluster. */
export class Programs {
  readonly #site: ManagedSite;
  readonly #host: ProgramHost;
  readonly #launched = new Set<string>();
  /** Launches to come, by token: what calls them off. */
  readonly #alarms = new Map<string, () => void>();
  /** What is being done to an attempt; the next thing waits for it. */
  readonly #lanes = new Map<string, Promise<void>>();
  /** Reports that could not be written down; told again before anything else. */
  #untold: SiteReport[] = [];
  #isClosed = false;

  constructor(site: ManagedSite, host: ProgramHost) {
    this.#site = site;
    this.#host = host;
  }

  /** Does what follows from what happened in the queue. */
  mind(effects: readonly ProgramEffect[]): void {
    for (const effect of effects) this.#carryOut(effect);
  }

  /** Listens, and tells every program how its job stands: after the cluster was played up to now. */
  recover(): void {
    this.#site.onReport((report) => this.#hear(report));
    for (const job of [...this.#host.cluster.jobs.values()]) {
      if (job.own === null || !this.#isOwner(job)) continue;
      const { token } = job.own;
      if (job.isCancelling) this.#inLane(token, () => this.#cancelFound(job, token));
      else if (isItsTurn(job)) this.#launchAt(job, token);
      else this.#inLane(token, () => this.#site.suspend(token));
    }
  }

  /** Tells again what could not be written down. */
  retell(): void {
    const reports = this.#untold;
    this.#untold = [];
    for (const report of reports) this.#hear(report);
  }

  /** Starts nothing more. What runs goes on. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const callOff of this.#alarms.values()) callOff();
    this.#alarms.clear();
    await Promise.all(this.#lanes.values());
  }

  #carryOut({ kind, siteJob, token }: ProgramEffect): void {
    const job = ownJob(this.#host.cluster, siteJob, token);
    switch (kind) {
      case "start":
      case "resume":
        if (job !== undefined) this.#launchAt(job, token);
        return;
      case "suspend":
        if (this.#launched.has(token)) this.#inLane(token, () => this.#site.suspend(token));
        return;
      case "cancel":
        if (this.#launched.has(token)) this.#inLane(token, () => this.#site.cancel(token));
        else this.#neverBegin(token);
        return;
      case "forget":
        this.#callOff(token);
        if (this.#launched.has(token)) this.#inLane(token, () => this.#site.cancel(token));
    }
  }

  #neverBegin(token: string): void {
    this.#callOff(token);
    this.#hear(this.#endReport(token, "cancelled", undefined));
  }

  #callOff(token: string): void {
    this.#alarms.get(token)?.();
    this.#alarms.delete(token);
  }

  /** Launches when the site's delay is over; launched before, it is resumed. */
  #launchAt(job: ClusterJob, token: string, atMs = (job.turnAtMs ?? 0) + this.#host.startMs): void {
    this.#callOff(token);
    const begin = (): void => {
      this.#alarms.delete(token);
      const now = ownJob(this.#host.cluster, job.siteJob, token);
      if (now?.own && isItsTurn(now)) this.#launch(now, now.own.order);
    };
    if (atMs <= this.#host.clock.nowMs()) begin();
    else this.#alarms.set(token, this.#host.clock.wakeAt(atMs, begin));
  }

  #launch(job: ClusterJob, order: LaunchOrder): void {
    const { token } = order;
    const isAgain = this.#launched.has(token) || job.startedAtMs !== null;
    this.#launched.add(token);
    this.#inLane(token, async () => {
      try {
        await this.#site.launch(order);
        if (isAgain) await this.#site.resume(token);
      } catch (error) {
        this.#launchRefused(job, token, error);
      }
    });
  }

  #launchRefused(job: ClusterJob, token: string, error: unknown): void {
    if (this.#isClosed) return;
    if (error instanceof Fault && error.kind === "badInput") {
      this.#hear(this.#endReport(token, "launchFailed", error.why));
      return;
    }
    this.#launched.delete(token);
    this.#launchAt(job, token, this.#host.clock.nowMs() + RETRY_MS);
  }

  /** The end of what never began, told as a program's would be. */
  #endReport(token: string, cause: EndCause, detail: string | undefined): SiteReport {
    const { nowMs: atMs } = this.#host.cluster;
    const nothing = { exitCode: undefined, signal: undefined, cpuMs: undefined };
    return { kind: "ended", token, atMs, cause, detail, ...nothing };
  }

  /** Cancelled in an earlier life: whether it had begun is what the programs' site knows. */
  async #cancelFound(job: ClusterJob, token: string): Promise<void> {
    const [report] = await this.#site.inventory([token]);
    if (report?.kind === "ended") {
      this.#hear(report.cause === "lost" ? { ...report, cause: "cancelled", detail: undefined } : report);
      return;
    }
    if (report?.kind === "running") this.#launched.add(token);
    await this.#site.cancel(token);
    if (job.startedAtMs === null && report?.kind === "running") this.#hear(report);
  }

  #hear(report: SiteReport): void {
    const { cluster } = this.#host;
    const job = ownJob(cluster, cluster.turns.get(report.token)?.siteJob ?? -1, report.token);
    if (job === undefined || this.#isClosed) return;
    try {
      if (report.kind === "running" && job.startedAtMs === null) this.#host.began(job, report.atMs);
      if (report.kind === "ended") this.#host.ended(job, report.atMs, attemptEnd(report));
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      this.#untold.push(report);
    }
  }

  /** Whether the program of the job's token is this job's. */
  #isOwner(job: ClusterJob): boolean {
    const token = job.own?.token ?? "";
    return this.#host.cluster.turns.get(token)?.siteJob === job.siteJob;
  }

  /** Does things to one attempt in order. What fails is done again by the next order, or the next life. */
  #inLane(token: string, deed: () => Promise<void>): void {
    const before = this.#lanes.get(token) ?? Promise.resolve();
    const lane = before.then(deed).catch(() => undefined);
    this.#lanes.set(token, lane);
    void lane.then(() => {
      if (this.#lanes.get(token) === lane) this.#lanes.delete(token);
    });
  }
}

/** Whether a job's program is to run: it runs in the queue, or outlives its time there. */
function isItsTurn(job: ClusterJob): boolean {
  return !job.isCancelling && (job.endMs !== null || job.outside === "lingering");
}

function attemptEnd(report: Extract<SiteReport, { readonly kind: "ended" }>): AttemptEnd {
  return {
    cause: report.cause,
    exitCode: report.exitCode ?? null,
    signal: report.signal ?? null,
    cpuMs: report.cpuMs ?? null,
    detail: report.detail ?? null,
  };
}
