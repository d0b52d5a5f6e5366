/**
 * Stays with jobs until they are over, for `stint status --watch` (rule CL-17).
 *
 * Ctrl-C needs nothing here: it ends the program by its signal, and a table that was drawn stays as it is.
 */
import type { JobView } from "../api/client/index.ts";
import type { Daily } from "./daily.ts";
import { instantText, jobListing, stateText } from "./job-table.ts";
import type { OutputForm } from "./output-forms.ts";
import { tableText, watchFormUnfit } from "./output-forms.ts";
import { asFault, EXIT_CODES, faultText } from "./report-fault.ts";
import type { Surface } from "./surface.ts";
import { printable } from "./text-table.ts";

/**
 * Watches all of these jobs at once and writes each change; resolves when all are over. One that cannot
 * be watched is told, and the others go on, as with every command for several jobs (rule CL-9).
 */
export async function watchJobs(ids: readonly string[], form: OutputForm, daily: Daily): Promise<void> {
  const { surface, endWith } = daily;
  const show = showing(form, surface);
  const client = await daily.client();
  const stop = new AbortController();
  let worst = 0;
  let isUnreachableTold = false;
  const one = async (id: string, at: number): Promise<void> => {
    try {
      await client.watch(id, (job) => show(at, job), stop.signal);
    } catch (error) {
      const fault = asFault(error);
      const isUnreachable = fault.kind === "unreachable";
      // Nobody answers: that is said once, not once a job.
      if (!(isUnreachable && isUnreachableTold)) surface.writeError(faultText(fault));
      isUnreachableTold ||= isUnreachable;
      worst = Math.max(worst, EXIT_CODES[fault.kind]);
    }
  };
  await Promise.all(ids.map(one));
  if (worst > 0) endWith(worst);
}

type Show = (at: number, job: JobView) => void;

function showing(form: OutputForm, surface: Surface): Show {
  if (form === "json") return (_, job) => surface.writeResult(`${JSON.stringify(job)}\n`);
  if (form !== "table" && form !== "wide") throw watchFormUnfit(form);
  if (surface.columns === undefined) return (_, job) => surface.writeResult(lineOf(job, surface.nowMs()));
  return redrawing(form, surface);
}

/** `2026-05-31 14:05:09  7f3a  RUNNING  at here`: when it was seen, which, and how it is. */
function lineOf(job: JobView, nowMs: number): string {
  const where = job.site === null ? [] : [`at ${job.site}`];
  const said = [instantText(new Date(nowMs).toISOString()), job.id, stateText(job), ...where];
  return `${printable(said.join("  "))}\n`;
}

/** The whole table in place of the one before: up over its lines, clear to the end of the screen. */
function redrawing(form: "table" | "wide", surface: Surface): Show {
  const jobs = new Map<number, JobView>();
  let linesAbove = 0;
  return (at, job) => {
    jobs.set(at, job);
    const inOrder = [...jobs].sort(([a], [b]) => a - b).map(([, it]) => it);
    const table = tableText(inOrder, jobListing(surface.nowMs()), form, surface.columns);
    const back = linesAbove === 0 ? "" : `\u001b[${linesAbove}A\u001b[J`;
    surface.writeResult(back + table);
    linesAbove = table.split("\n").length - 1;
  };
}
