/**
 * Answers what sites report (rule EN-2).
 */
import type { AttemptEnd, StintEvent } from "../model/index.ts";
import { ticketDebit } from "./features/tickets/decide-tickets.ts";
import { repeatOf } from "./larger-retry.ts";
import { jobCharge } from "./state/accounts.ts";
import type { Projection } from "./state/projection.ts";

/** Site report on an attempt (see the site port). */
export type AttemptReport = {
  readonly job: string;
  readonly attempt: number;
  readonly atMs: number;
} /** The attempt is in the queue of a foreign site, under the site's id. */ & (
  | { readonly kind: "queued"; readonly siteJob: string }
  | { readonly kind: "running" }
  | { readonly kind: "ended"; readonly end: AttemptEnd }
);

/** The events that a report makes; none where it says nothing new of an attempt that is ours. */
export function observe(projection: Projection, report: AttemptReport, nowMs: number): readonly StintEvent[] {
  const { jobs, sites } = projection;
  const { job: id, attempt } = report;
  const job = jobs.get(id);
  if (job === undefined || job.attempt !== attempt) return [];
  // Whoever dates it may go by another clock than we do, and so may we after a restart: its start counts.
  const atMs = Math.max(Math.min(report.atMs, nowMs), job.startedAtMs ?? job.startDecidedAtMs ?? 0);
  if (report.kind === "queued") {
    if (job.siteJob !== null) return [];
    return [{ kind: "attemptQueued", job: id, attempt, siteJob: report.siteJob, atMs }];
  }
  if (report.kind === "ended") {
    const spec = sites.get(job.site ?? "")?.spec;
    const ended: StintEvent = {
      kind: "attemptEnded",
      job: id,
      attempt,
      end: report.end,
      ...repeatOf(projection, job, report.end, nowMs),
      atMs,
    };
    const left = [...ticketDebit(job, report.end, atMs), ended];
    return spec === undefined || projection.books.pilots.has(id)
      ? left
      : [...left, ...jobCharge(job, spec, { end: report.end, endMs: atMs })];
  }
  if (job.startedAtMs === null) return [{ kind: "attemptRunning", job: id, attempt, atMs }];
  // No survey shows that a payload goes on after a suspension: its report does.
  const isResumed = job.pilot !== undefined && job.state === "SCHEDULED";
  return isResumed ? [{ kind: "attemptResumed", job: id, attempt, atMs: nowMs }] : [];
}
