/**
 * Programs of a simulated cluster's jobs: launched at a managed site when the queue starts their job.
 *
 * Effects in the queue are passed to the programs, reports of the programs to the queue. Every step can be
 * repeated (a token begins once, suspending twice is suspending once). So after a restart all steps that
 * follow from the state are simply repeated.
 */
import { Fault } from "../../base/index.ts";
import type { AttemptEnd } from "../../model/index.ts";
import type { Clock, EndCause, LaunchOrder, ManagedSite, SiteReport } from "../../runtime/index.ts";
import { type Cluster, type ClusterJob, ownJob, type ProgramEffect } from "./simulated-cluster.ts";

/** Functions of the cluster that the programs need. */
export interface ProgramHost {
  readonly cluster: Cluster;
  readonly clock: Clock;
  /** Delay between a job's start in the queue and the launch of its program, in ms. */
  readonly startMs: number;
  began(job: ClusterJob, startedAtMs: number): void;
  ended(job: ClusterJob, endedAtMs: number, end: AttemptEnd): void;
}

/** Delay before a launch is repeated after a temporary failure, in ms. */
const RETRY_MS = 1000;

/** Programs of one cluster. */
export class Programs {
  readonly #site: ManagedSite;
  readonly #host: ProgramHost;
  readonly #launched = new Set<string>();
  /** Scheduled launches, by token: the function that cancels each. */
  readonly #alarms = new Map<string, () => void>();
  /** Operations in progress, by attempt; the next one waits. */
  readonly #operations = new Map<string, Promise<void>>();
  /** Reports that could not be written to the journal; repeated before any other report. */
  #unrecorded: SiteReport[] = [];
  #isClosed = false;

  constructor(site: ManagedSite, host: ProgramHost) {
    this.#site = site;
    this.#host = host;
  }

  /** Carries out the effects of events in the queue. */
  mind(effects: readonly ProgramEffect[]): void {
    for (const effect of effects) this.#carryOut(effect);
  }

  /**
   * Begins to listen, and repeats to every program the state of its job. The cluster must be up to date.
   */
  recover(): void {
    this.#site.onReport((report) => this.#hear(report));
    for (const job of [...this.#host.cluster.jobs.values()]) {
      if (job.own === null || !this.#isOwner(job)) continue;
      const { token } = job.own;
      if (job.isCancelling) this.#inOrder(token, () => this.#cancelFound(job, token));
      else if (shouldRun(job)) this.#launchAt(job, token);
      else this.#inOrder(token, () => this.#site.suspend(token));
    }
  }

  /** Repeats the reports that could not be written. */
  repeatReports(): void {
    const reports = this.#unrecorded;
    this.#unrecorded = [];
    for (const report of reports) this.#hear(report);
  }

  /** Starts no more programs. Running ones continue. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const callOff of this.#alarms.values()) callOff();
    this.#alarms.clear();
    await Promise.all(this.#operations.values());
  }

  #carryOut({ kind, siteJob, token }: ProgramEffect): void {
    const job = ownJob(this.#host.cluster, siteJob, token);
    switch (kind) {
      case "start":
      case "resume":
        if (job !== undefined) this.#launchAt(job, token);
        return;
      case "suspend":
        if (this.#launched.has(token)) this.#inOrder(token, () => this.#site.suspend(token));
        return;
      case "cancel":
        if (this.#launched.has(token)) this.#inOrder(token, () => this.#site.cancel(token));
        else this.#neverBegin(token);
        return;
      case "forget":
        this.#callOff(token);
        if (this.#launched.has(token)) this.#inOrder(token, () => this.#site.cancel(token));
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

  /** Launches after the site's delay; a program that was launched before is resumed. */
  #launchAt(job: ClusterJob, token: string, atMs = (job.turnAtMs ?? 0) + this.#host.startMs): void {
    this.#callOff(token);
    const begin = (): void => {
      this.#alarms.delete(token);
      const now = ownJob(this.#host.cluster, job.siteJob, token);
      if (now?.own && shouldRun(now)) this.#launch(now, now.own.order);
    };
    if (atMs <= this.#host.clock.nowMs()) begin();
    else this.#alarms.set(token, this.#host.clock.wakeAt(atMs, begin));
  }

  #launch(job: ClusterJob, order: LaunchOrder): void {
    const { token } = order;
    const isAgain = this.#launched.has(token) || job.startedAtMs !== null;
    this.#launched.add(token);
    this.#inOrder(token, async () => {
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

  /** End of a program that never began, as a report of the managed site. */
  #endReport(token: string, cause: EndCause, detail: string | undefined): SiteReport {
    const { nowMs: atMs } = this.#host.cluster;
    const nothing = { exitCode: undefined, signal: undefined, cpuMs: undefined };
    return { kind: "ended", token, atMs, cause, detail, ...nothing };
  }

  /** Cancels a job of an earlier life. Only the managed site knows whether its program began. */
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
      this.#unrecorded.push(report);
    }
  }

  /** True if the program of the token belongs to this job. */
  #isOwner(job: ClusterJob): boolean {
    const token = job.own?.token ?? "";
    return this.#host.cluster.turns.get(token)?.siteJob === job.siteJob;
  }

  /**
   * Runs the operations of one attempt in order. A failed one is repeated by the next order or after a
   * restart.
   */
  #inOrder(token: string, operation: () => Promise<void>): void {
    const before = this.#operations.get(token) ?? Promise.resolve();
    const lane = before.then(operation).catch(() => undefined);
    this.#operations.set(token, lane);
    void lane.then(() => {
      if (this.#operations.get(token) === lane) this.#operations.delete(token);
    });
  }
}

/** True if the program of a job should run: the job runs in the queue, or waits for its program to end. */
function shouldRun(job: ClusterJob): boolean {
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
