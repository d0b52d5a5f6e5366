/**
 * What the broker does at a managed site: launches what was decided, and records what is reported.
 */
import type { AttemptReport } from "../engine/index.ts";
import { attemptToken, type JobRecord, type StintEvent } from "../model/index.ts";
import type { ManagedSite, Round, SiteReport } from "../runtime/index.ts";
import type { AttachedSite, SiteWorld } from "./attached-site.ts";
import { cameToNothing, limitOf, messageOf, orderOf } from "./job-order.ts";
import { createOutbox } from "./outbox.ts";
import { begunJobs, reconcile } from "./reconcile.ts";
import { staged } from "./staging.ts";

/** How many jobs a site is asked about at once. */
const AT_ONCE = 64;

/** A managed site to work with. It and the record agree when `begin` has resolved (rule BR-2). */
export function attachManaged(site: ManagedSite, world: SiteWorld): AttachedSite {
  const { round, warn, clock, onBroken, sandboxes } = world;
  const outbox = createOutbox([AT_ONCE], (job, error) => warn(`job ${job}: ${messageOf(error)}`));
  /** Reports of attempts that the log does not know: they are heard if their job is taken up again. */
  const unheard = new Map<string, SiteReport[]>();
  const take = async (report: SiteReport): Promise<void> => {
    const { token } = report;
    const atMs = report.atMs + (clock.aheadMs?.() ?? 0);
    const isTaken = await takeReport({ round, site, warn, find: world.find }, { ...report, atMs });
    if (!isTaken) unheard.set(token, [...(unheard.get(token) ?? []), report]);
  };
  const { jobs, sites } = round.projection;
  async function launch(job: JobRecord): Promise<void> {
    try {
      await staged(job, world);
      const order = orderOf(job, limitOf(job, sites), sandboxes);
      await site.launch(order);
      const reports = unheard.get(order.token) ?? [];
      unheard.delete(order.token);
      for (const report of reports) await take(report);
    } catch (error) {
      await take(cameToNothing(job, "launchFailed", messageOf(error)));
    }
  }
  function carryOut(kind: StintEvent["kind"], job: JobRecord): Promise<void> {
    const token = attemptToken(job.id, job.attempt);
    if (kind === "cancelRequested" || kind === "virtualGivenUp") return site.cancel(token);
    if (kind === "jobSuspended" || kind === "enforced") return site.suspend(token);
    return job.startedAtMs === null ? launch(job) : site.resume(token);
  }
  return {
    files: site,
    async begin() {
      site.onReport((report) => void take(report).catch(onBroken));
      await reconcile(begunJobs(jobs.values(), site.name), { site, launch, report: take, warn });
    },
    dispatch(event) {
      for (const id of jobsAbout(event)) {
        const job = jobs.get(id);
        if (job !== undefined) outbox.send(id, () => carryOut(event.kind, job));
      }
    },
    async detach() {
      await outbox.idle();
      await site.close();
    },
  };
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
 * Records what a site says, then lets the site forget it (rule BR-3). False where the log does not know the
 * attempt: it has lost it, and is perhaps taking its job up again.
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

/** An end as the engine is told of it. */
export function endOf(report: SiteReport & { readonly kind: "ended" }): AttemptReport {
  const { cause, exitCode = null, signal = null, cpuMs = null, detail = null } = report;
  const end = { cause, exitCode, signal, cpuMs, detail };
  return { ...attemptOf(report.token, report.atMs), kind: "ended", end };
}

function attemptOf(token: string, atMs: number) {
  const [job, attempt] = token.split("/");
  return { job, attempt: Number(attempt), atMs };
}
