/**
 * Whether jobs could be submitted: where their files would be, and whether Slurm would take one.
 *
 * Only where submission is granted: `sbatch --test-only` submits nothing, but uses up a job's id.
 */
import type { SiteCheck } from "../../model/index.ts";
import { complaint } from "./ask.ts";
import { slurmFault } from "./slurm-fault.ts";
import { trialWords } from "./submission.ts";
import type { Trial } from "./trial.ts";

const TRIAL_TIMEOUT_MS = 30_000;
/** File systems that lie on one machine, as `stat -f` calls them. */
const LOCAL = /^(ext2|ext3|xfs|btrfs|tmpfs|overlay|zfs|ramfs|f2fs)/;

/** Nothing at a site that is read-only. */
export async function submissionChecks(trial: Trial): Promise<readonly SiteCheck[]> {
  const { spec } = trial;
  if (spec.readOnly || spec.submitDirectory === null) return [];
  return [...(await directoryChecks(trial, spec.submitDirectory)), await submissionCheck(trial)];
}

async function directoryChecks({ run }: Trial, directory: string): Promise<readonly SiteCheck[]> {
  const answers = async (...words: readonly string[]) => {
    const { code, stdout } = await run({ words, timeoutMs: TRIAL_TIMEOUT_MS });
    return { isGood: code === 0, said: stdout.toString("utf8").trim() };
  };
  const about = { what: "submit directory", isNeeded: true };
  const isThere = (await answers("test", "-d", directory)).isGood;
  if (!isThere) {
    const why = `${directory} is no directory on the machine where commands are run`;
    const remedy =
      "make it there, on a file system that the nodes share, owned by the account of the commands";
    return [{ ...about, works: false, why, remedy }];
  }
  if (!(await answers("test", "-w", directory)).isGood) {
    const remedy = "give the account of the commands the right to write there, or name another one";
    return [{ ...about, works: false, why: `${directory} cannot be written to`, remedy }];
  }
  const { said } = await answers("stat", "-f", "-c", "%T", directory);
  return [
    { ...about, works: true, why: `${directory} can be written to`, remedy: null },
    sharing(directory, said),
  ];
}

/** Only a job on a node could tell. */
function sharing(directory: string, fileSystem: string): SiteCheck {
  const about = { what: "shared with nodes", works: null, isNeeded: true };
  const unsure = "only a job can tell whether its node sees it";
  if (!LOCAL.test(fileSystem)) {
    return {
      ...about,
      why: `${directory} is on ${fileSystem || "an unknown file system"}; ${unsure}`,
      remedy: null,
    };
  }
  const remedy = "unless all is one machine, name a directory on a file system that the nodes share";
  return { ...about, why: `${directory} is on ${fileSystem}, as a rule one machine's; ${unsure}`, remedy };
}

async function submissionCheck({ spec, run }: Trial): Promise<SiteCheck> {
  const about = { what: "submission", isNeeded: true };
  const result = await run({
    words: trialWords(spec),
    input: "#!/bin/sh\ntrue\n",
    timeoutMs: TRIAL_TIMEOUT_MS,
  });
  if (result.code === 0) {
    const start = /to start at (\S+)/.exec(result.stderr)?.[1];
    const when = start === undefined ? "" : `, and would start a small job at ${instantText(start)}`;
    return { ...about, works: true, why: `Slurm takes jobs of ours${when}`, remedy: null };
  }
  const fault = slurmFault("", result);
  return { ...about, works: false, why: complaint(fault), remedy: fault.remedy };
}

/** Slurm was asked for Unix seconds. */
function instantText(text: string): string {
  return /^\d+$/.test(text) ? new Date(Number(text) * 1000).toISOString().replace(".000", "") : text;
}
