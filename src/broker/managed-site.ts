/** Drives a managed site: launches jobs as decided, and records reports. */
import { Fault, messageOf } from "../base/index.ts";
import type { AttemptReport } from "../engine/index.ts";
import { attemptToken, type JobRecord, type StintEvent } from "../model/index.ts";
import type { Clock, LaunchOrder, ManagedSite, Round, SiteReport } from "../runtime/index.ts";
import type { AttachedSite, SiteWorld } from "./attached-site.ts";
import { cameToNothing, limitOf, orderOf } from "./job-order.ts";
import { createOutbox } from "./outbox.ts";
import { staged } from "./staging.ts";

/** Jobs per inventory request. */
const AT_ONCE = 64;
/** Launches may be held back; what is ordered of jobs that run does not wait behind them. */
const [LAUNCHES, ORDERS] = [0, 1];

/** A managed site to work with. It and the record agree when `begin` has resolved (rule BR-2). */
export function driveManaged(site: ManagedSite, world: SiteWorld): AttachedSite {
  const { round, warn, clock, onBroken } = world;
  const outbox = createOutbox([AT_ONCE, AT_ONCE], (job, error) => warn(`job ${job}: ${messageOf(error)}`));
  const holdBack = createHoldBack({
    clock,
    tell(shortage) {
      round.trouble(site.name, shortage);
      warn(shortage === null ? `site ${site.name} has what it needs again` : `${shortage} (tried again)`);
    },
  });
  const { take, retake } = reportsOf(site, world);
  const launch = launcher(site, { ...world, holdBack, take, retake });
  const { jobs } = round.projection;
  /**
   * Queues a deed for a job; resolves when it is done or held back, so that starting the broker waits for no
   * full disk.
   */
  function untilHeldUp(job: JobRecord, lane: number, deed: (heldUp: () => void) => Promise<void>) {
    return new Promise<void>((resolve) => {
      outbox.send(job.id, () => deed(resolve).finally(resolve), lane);
      if (holdBack.isShort()) resolve();
    });
  }
  function send(kind: StintEvent["kind"], job: JobRecord): void {
    const token = attemptToken(job.id, job.attempt);
    const order = (attempt: () => Promise<void>) =>
      outbox.send(job.id, async () => void (await holdBack.insist({ attempt })), ORDERS);
    if (kind === "cancelRequested" || kind === "virtualGivenUp") order(() => site.cancel(token));
    else if (kind === "jobSuspended" || kind === "enforced") order(() => site.suspend(token));
    else if (job.startedAtMs === null) outbox.send(job.id, () => launch(job), LAUNCHES);
    else order(() => site.resume(token));
  }
  return {
    files: site,
    async begin() {
      site.onReport((report) => void take(report).catch(onBroken));
      await reconcile(begunJobs(jobs.values(), site.name), {
        ...{ site, report: take },
        launch: (job) => untilHeldUp(job, LAUNCHES, (heldUp) => launch(job, heldUp)),
        order: (job, attempt) =>
          untilHeldUp(job, ORDERS, async (heldUp) => void (await holdBack.insist({ attempt, heldUp }))),
      });
    },
    dispatch(event) {
      for (const id of jobsAbout(event)) {
        const job = jobs.get(id);
        if (job !== undefined) send(event.kind, job);
      }
    },
    async detach() {
      holdBack.end();
      await outbox.idle();
      await site.close();
    },
  };
}

interface Reports {
  take(report: SiteReport): Promise<void>;
  /** Takes once more what was reported of an attempt that the log did not know then. */
  retake(token: string): Promise<void>;
}

function reportsOf(site: ManagedSite, { round, warn, clock, find }: SiteWorld): Reports {
  /** Reports of attempts unknown to the log; processed if their jobs are recovered. */
  const unheard = new Map<string, SiteReport[]>();
  const take = async (report: SiteReport): Promise<void> => {
    const { token } = report;
    const atMs = report.atMs + (clock.aheadMs?.() ?? 0);
    const isTaken = await takeReport({ round, site, warn, find }, { ...report, atMs });
    if (!isTaken) unheard.set(token, [...(unheard.get(token) ?? []), report]);
  };
  return {
    take,
    async retake(token) {
      const reports = unheard.get(token) ?? [];
      unheard.delete(token);
      for (const report of reports) await take(report);
    },
  };
}

type LaunchWorld = SiteWorld & Reports & { readonly holdBack: HoldBack };

function launcher(site: ManagedSite, world: LaunchWorld) {
  const { jobs, sites } = world.round.projection;
  const isWanted = ({ id, attempt }: JobRecord): boolean => {
    const job = jobs.get(id);
    return job?.attempt === attempt && !job.isCancelRequested && job.isRecalled !== true;
  };
  return async (job: JobRecord, heldUp = (): void => undefined): Promise<void> => {
    try {
      await world.carry(job);
      await staged(job, world);
      const hasGpus = (sites.get(site.name)?.spec.gpus ?? 0) > 0;
      const order = withDevices(
        job,
        orderOf(job, limitOf(job, sites), { sandboxes: world.sandboxes, sites }),
        hasGpus,
      );
      const attempt = () => site.launch(order);
      const became = await world.holdBack.insist({ attempt, isWanted: () => isWanted(job), heldUp });
      // Nothing of it is there, so it has ended.
      if (became === "unwanted") await world.take(cameToNothing(job, "cancelled", undefined));
      await world.retake(order.token);
    } catch (error) {
      await world.take(cameToNothing(job, "launchFailed", messageOf(error)));
    }
  };
}

/**
 * Order with the GPUs that the job has, in the variable that CUDA reads; empty where it has none. Where the
 * site declares no GPUs the variable is as the job says.
 */
function withDevices({ gpuDevices = [] }: JobRecord, order: LaunchOrder, isDeclared: boolean): LaunchOrder {
  if (!isDeclared) return order;
  return { ...order, environment: { ...order.environment, CUDA_VISIBLE_DEVICES: gpuDevices.join(",") } };
}

/** The jobs whose site has something to do because of an event. */
function jobsAbout(event: StintEvent): readonly string[] {
  if (event.kind === "queueSettled" || event.kind === "reservationSettled") return event.starts;
  if (event.kind === "enforced") {
    return event.actions.filter(({ verb }) => verb === "suspend").map(({ job }) => job);
  }
  const isOrder = event.kind === "cancelRequested" || event.kind === "virtualGivenUp";
  return isOrder || event.kind === "jobSuspended" ? [event.job] : [];
}

/**
 * Records a report, then lets the site forget it (rule BR-3). False where the log does not know the attempt:
 * the log has lost it, and may be recovering its job.
 */
async function takeReport({ round, site, warn, find }: ReportWorld, report: SiteReport): Promise<boolean> {
  const about = attemptOf(report.token, report.atMs);
  const job = round.projection.jobs.get(about.job) ?? (await find(about.job));
  if (job === undefined || job.attempt < about.attempt) return false;
  if (report.kind === "running") await round.report({ ...about, kind: "running" });
  if (report.kind !== "ended") return true;
  await round.report(endOf(report));
  if (report.cause === "lost") warn(`job ${report.token}: ${report.detail ?? "it was lost"}`);
  try {
    await site.acknowledge(report.token);
  } catch (error) {
    // It is told again in the next life, and says nothing new then.
    warn(`job ${report.token}: ${messageOf(error)}`);
  }
  return true;
}

interface ReportWorld extends Pick<SiteWorld, "find"> {
  readonly round: Round;
  readonly site: ManagedSite;
  readonly warn: (message: string) => void;
}

/** The end of an attempt as a report to the engine. */
export function endOf(report: SiteReport & { readonly kind: "ended" }): AttemptReport {
  const { cause, exitCode = null, signal = null, cpuMs = null, detail = null } = report;
  const end = { cause, exitCode, signal, cpuMs, detail, ...report.facts };
  return { ...attemptOf(report.token, report.atMs), kind: "ended", end };
}

function attemptOf(token: string, atMs: number) {
  const [job, attempt] = token.split("/");
  return { job, attempt: Number(attempt), atMs };
}

// What a machine is too short of something to do is held back, and tried again each second (rule BR-69).
//
// Space, files, memory and processes are had again, and no job is to blame: none is given up for it.

const RETRY_MS = 1000;

interface HoldBackWorld {
  readonly clock: Clock;
  /** Reports a shortage of the site in one sentence, and its end as null. */
  readonly tell: (shortage: string | null) => void;
}

/** An operation at a site that waits while there is a shortage. */
interface HeldDeed {
  readonly attempt: () => Promise<void>;
  /** Asked before each further attempt. */
  readonly isWanted?: () => boolean;
  /** The first attempt was held back. */
  readonly heldUp?: () => void;
}

/** Deeds at one site. */
interface HoldBack {
  /** Does a deed, again each second as long as the site is short of something. @throws other faults */
  insist(deed: HeldDeed): Promise<"done" | "unwanted" | "ended">;
  /** True during a shortage. */
  isShort(): boolean;
  /** Tries nothing again any more: the next life of the broker does. */
  end(): void;
}

/** True for a failure by a temporary shortage. */
function isShort(error: unknown): error is Fault {
  return error instanceof Fault && error.code === "siteShort";
}

/** Holds back what one site cannot do. */
function createHoldBack({ clock, tell }: HoldBackWorld): HoldBack {
  const held = new Set<() => void>();
  let short = 0;
  let isEnded = false;
  const pause = async (): Promise<void> => {
    if (isEnded) return;
    let [wake, callOff] = [(): void => undefined, (): void => undefined];
    const isOver = new Promise<void>((resolve) => {
      wake = resolve;
    });
    callOff = clock.wakeAt(clock.nowMs() + RETRY_MS, wake);
    held.add(wake);
    await isOver;
    callOff();
    held.delete(wake);
  };
  return {
    async insist({ attempt, isWanted = () => true, heldUp = () => undefined }) {
      let isHeld = false;
      try {
        for (;;) {
          try {
            await attempt();
            return "done";
          } catch (error) {
            if (!isShort(error)) throw error;
            if (!isHeld && short++ === 0) tell(`${error.what}: ${error.why}; ${error.remedy}`);
            isHeld = true;
            heldUp();
          }
          await pause();
          if (isEnded) return "ended";
          if (!isWanted()) return "unwanted";
        }
      } finally {
        if (isHeld && --short === 0) tell(null);
      }
    },
    isShort: () => short > 0,
    end() {
      isEnded = true;
      for (const wake of held) wake();
    },
  };
}

/** Jobs of which the site has, or should have, a process. */
function begunJobs(jobs: Iterable<JobRecord>, site: string): JobRecord[] {
  return [...jobs].filter((job) => job.site === site && (job.startDecidedAtMs ?? job.startedAtMs) !== null);
}

interface Reconciliation {
  readonly site: ManagedSite;
  /** Launches a job; a failure is reported and does not stop the other jobs. */
  readonly launch: (job: JobRecord) => Promise<void>;
  readonly report: (report: SiteReport) => Promise<void>;
  readonly order: (job: JobRecord, attempt: () => Promise<void>) => Promise<void>;
}

/** Brings one site and its jobs to agree. Everything it asks for may have been done before the crash. */
async function reconcile(
  jobs: readonly JobRecord[],
  { site, launch, report, order }: Reconciliation,
): Promise<void> {
  const seen = jobs.filter(({ startedAtMs }) => startedAtMs !== null);
  for (const job of jobs) if (job.startedAtMs === null) await launch(job);
  for (const found of await site.inventory(seen.map(tokenOf))) await report(found);
  for (const job of jobs) await order(job, () => askAgain(site, job));
}

async function askAgain(site: ManagedSite, job: JobRecord): Promise<void> {
  if (job.isCancelRequested || job.isRecalled === true) await site.cancel(tokenOf(job));
  else if (job.state === "SUSPENDED") await site.suspend(tokenOf(job));
  else if (job.state === "RUNNING") await site.resume(tokenOf(job));
}

function tokenOf(job: JobRecord): string {
  return attemptToken(job.id, job.attempt);
}
