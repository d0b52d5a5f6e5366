/**
 * Ends of jobs that the controller has forgotten: `sacct`.
 *
 * sacct lags behind the controller by a second or two. Runs before a requeue are included (`--duplicates`);
 * an id may have been reused, so a job is identified by what its submitter wrote on it, too. Comments are
 * kept only where `AccountingStoreFlags` has `job_comment`; working directories always.
 */

import { hostList } from "./host-list.ts";
import { isOver } from "./job-states.ts";
import { namedRows, type Row } from "./rows.ts";
import type { EndedJob } from "./squeue.ts";
import { instantMs, saidNumber, saidText } from "./words.ts";

const FIELDS = "JobID,State,ExitCode,Submit,Start,End,NodeList,Reason,WorkDir,Comment,JobName";

/**
 * Command for jobs of these ids within the last `withinMs`, which is relative, so that time zones have no
 * effect.
 */
export function historyCommand(siteJobs: readonly string[], withinMs: number): readonly string[] {
  const seconds = Math.ceil(withinMs / 1000);
  const asked = [`--jobs=${siteJobs.join(",")}`, `--starttime=now-${seconds}`, "--endtime=now"];
  return ["sacct", "-X", "-P", "--allusers", "--duplicates", ...asked, `--format=${FIELDS}`];
}

/** The ends among what it printed. A name is the last field, and may have the separator. */
export function readHistory(text: string): readonly EndedJob[] {
  return namedRows(text)
    .filter((row) => isOver(row.State ?? ""))
    .map(pastOf);
}

function pastOf(row: Row): EndedJob {
  const [code, signal] = (row.ExitCode ?? "").split(":").map(saidNumber);
  const startedAtMs = instantMs(row.Start);
  const hasStarted = !/^(None assigned)?$/.test(row.NodeList ?? "");
  const nodes = hasStarted ? hostList(row.NodeList ?? "") : [];
  return {
    siteJob: row.JobID ?? "",
    name: row.JobName ?? "",
    comment: saidText(row.Comment),
    workDirectory: saidText(row.WorkDir),
    stateText: row.State ?? "",
    reason: saidText(row.Reason),
    submittedAtMs: instantMs(row.Submit) ?? 0,
    startedAtMs: hasStarted ? startedAtMs : null,
    endedAtMs: instantMs(row.End) ?? 0,
    exitCode: code ?? null,
    signal: signal === 0 ? null : (signal ?? null),
    ...(nodes.length === 1 ? { node: nodes[0] } : {}),
  };
}
