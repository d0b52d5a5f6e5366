/**
 * After a restart: what was decided, what the site knows, and making the two agree (rules BR-1, BR-2).
 */
import { attemptToken, type JobRecord } from "../model/index.ts";
import type { ManagedSite, SiteReport } from "../runtime/index.ts";

/** Jobs of which the site has, or should have, a process. */
export function begunJobs(jobs: Iterable<JobRecord>, site: string): JobRecord[] {
  return [...jobs].filter((job) => job.site === site && (job.startDecidedAtMs ?? job.startedAtMs) !== null);
}

/** What is to be done for one site. */
export interface Reconciliation {
  readonly site: ManagedSite;
  /** What goes wrong with one job is told, and keeps nobody from the others. */
  readonly launch: (job: JobRecord) => Promise<void>;
  readonly report: (report: SiteReport) => Promise<void>;
  readonly order: (job: JobRecord, attempt: () => Promise<void>) => Promise<void>;
}

/** Brings one site and its jobs to agree. Everything it asks for may have been done before the crash. */
export async function reconcile(
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
