/**
 * Watches jobs until they end, for `stint status --watch`. Ctrl-C needs no handling here: it ends the program
 * by its signal, and a table that was drawn stays.
 */
import type { JobView } from "../api/client/index.ts";
import type { CommandContext } from "./command-context.ts";
import { instantText } from "./instant-text.ts";
import { jobListing } from "./job-listing.ts";
import { stateText } from "./job-table.ts";
import type { OutputForm } from "./output-forms.ts";
import { tableText, watchFormUnfit } from "./output-forms.ts";
import { asFault, EXIT_CODES, faultText } from "./report-fault.ts";
import type { Terminal } from "./terminal.ts";
import { printable } from "./text-table.ts";

/**
 * Watches all of these jobs at once and prints each change; resolves when all have ended. A job that cannot
 * be watched is reported, and the others continue, as in every command on several jobs.
 */
export async function watchJobs(
  ids: readonly string[],
  form: OutputForm,
  context: CommandContext,
): Promise<void> {
  const { terminal, endWith } = context;
  const show = showing(form, terminal);
  const client = await context.client();
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
      if (!(isUnreachable && isUnreachableTold)) terminal.writeError(faultText(fault));
      isUnreachableTold ||= isUnreachable;
      worst = Math.max(worst, EXIT_CODES[fault.kind]);
    }
  };
  await Promise.all(ids.map(one));
  if (worst > 0) endWith(worst);
}

type Show = (at: number, job: JobView) => void;

function showing(form: OutputForm, terminal: Terminal): Show {
  if (form === "json") return (_, job) => terminal.writeResult(`${JSON.stringify(job)}\n`);
  if (form !== "table" && form !== "wide") throw watchFormUnfit(form);
  if (terminal.columns === undefined) return (_, job) => terminal.writeResult(lineOf(job, terminal.nowMs()));
  return redrawing(form, terminal);
}

/** A change: `2026-05-31 14:05:09 7f3a RUNNING at here`. */
function lineOf(job: JobView, nowMs: number): string {
  const where = job.site === null ? [] : [`at ${job.site}`];
  const said = [instantText(new Date(nowMs).toISOString()), job.id, stateText(job), ...where];
  return `${printable(said.join("  "))}\n`;
}

/** Replaces the table before: up over its lines, clear to the end of the screen. */
function redrawing(form: "table" | "wide", terminal: Terminal): Show {
  const jobs = new Map<number, JobView>();
  let linesAbove = 0;
  return (at, job) => {
    jobs.set(at, job);
    const inOrder = [...jobs].sort(([a], [b]) => a - b).map(([, it]) => it);
    const table = tableText(inOrder, jobListing(terminal.nowMs()), form, terminal);
    const back = linesAbove === 0 ? "" : `\u001b[${linesAbove}A\u001b[J`;
    terminal.writeResult(back + table);
    linesAbove = table.split("\n").length - 1;
  };
}
