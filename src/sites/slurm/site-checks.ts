/**
 * Tests which operations work at a cluster, and which right would enable the others.
 *
 * Every command runs once, in an order in which a dead controller shows first: then no other is tried,
 * since each would wait for it again. At a read-only site no command runs that could change anything (rule
 * SU-5).
 */

import type { ClusterSnapshot, SiteCheck } from "../../model/index.ts";
import { askWith, failureReason } from "./ask.ts";
import { pilotMisfit } from "./capacity.ts";
import { isOperator, rightsChecks } from "./rights-checks.ts";
import type { RunCommand } from "./run-command.ts";
import { slurmFault } from "./slurm-fault.ts";
import { takeSnapshot } from "./snapshot.ts";
import { trialWords } from "./submission.ts";
import type { Trial } from "./trial.ts";

const PING_TIMEOUT_MS = 20_000;

/** Runs all checks. Never throws for failures of the cluster. */
export async function siteChecks(trial: Trial): Promise<readonly SiteCheck[]> {
  const reach = await reaching(trial);
  if (reach.works !== true) return [reach, notTried(reach.what)];
  const seen = await looking(trial);
  if (seen.snapshot === undefined) return [reach, ...seen.checks];
  const rights = await rightsChecks(trial, seen.snapshot.settings);
  const shown = isOperator(rights) ? seen.checks.map(shownToOperators) : seen.checks;
  return [
    reach,
    ...shown,
    ...pilotChecks(trial, seen.snapshot),
    ...rights,
    ...(await submissionChecks(trial)),
  ];
}

/** Adapts a check for operators, to whom Slurm shows private data. */
function shownToOperators(check: SiteCheck): SiteCheck {
  if (check.works !== false || check.remedy !== HIDING) return check;
  const [setting] = check.why.split(" ");
  const why = `${setting} hides them from others, and not from an operator, as whom commands are run`;
  return { ...check, works: true, why, remedy: null };
}

async function reaching({ spec, run, nowMs }: Trial): Promise<SiteCheck> {
  const fromMs = nowMs();
  const result = await run({ words: ["scontrol", "ping"], timeoutMs: PING_TIMEOUT_MS });
  const tookMs = Math.round(nowMs() - fromMs);
  const way = spec.sshHost === null ? "here" : `through ssh to ${spec.sshHost}`;
  const about = { what: "controller", isNeeded: true };
  const settingOf = result.stdout.toString("utf8");
  // It says so line by line, and ends with 1 where only one of several is up.
  if (/\bis UP\b|\bare (?:[A-Z]+\/)*UP\b/.test(settingOf)) {
    return { ...about, works: true, why: `answers ${way} in ${tookMs} ms`, remedy: null };
  }
  if (/\bDOWN\b/.test(settingOf)) {
    const remedy = "see whether slurmctld runs on its machine; everything of Stint goes on without it";
    return { ...about, works: false, why: `its commands work ${way}, but report that it is down`, remedy };
  }
  const { why, remedy } = slurmFault("", { ...result, code: result.code || 1 });
  return { ...about, works: false, why, remedy };
}

function notTried(what: string): SiteCheck {
  const why = `nothing else was tried without the ${what}`;
  return { what: "everything else", works: null, isNeeded: false, why, remedy: null };
}

async function looking({ run, nowMs }: Trial) {
  try {
    const snapshot = await takeSnapshot(askWith(run), nowMs);
    return { snapshot, checks: [versionOf(snapshot), ...shownParts(snapshot), ...(await past(run))] };
  } catch (error) {
    const remedy = "see what its commands squeue and scontrol say there";
    const check = { what: "queue", works: false, isNeeded: true, why: failureReason(error), remedy };
    return { snapshot: undefined, checks: [check] };
  }
}

/** Oldest supported version: the first with all fields that are read. */
const LEAST_VERSION = [20, 11] as const;

function versionOf({ version }: ClusterSnapshot): SiteCheck {
  const [year = 0, month = 0] = (version ?? "").split(".").map(Number);
  const about = { what: "version", isNeeded: true };
  if (version === null) {
    const why = "its settings are hidden, and with them its version";
    return { ...about, works: null, why, remedy: null };
  }
  const isKnown = year > LEAST_VERSION[0] || (year === LEAST_VERSION[0] && month >= LEAST_VERSION[1]);
  return isKnown
    ? { ...about, works: true, why: `Slurm ${version}`, remedy: null }
    : { ...about, works: false, why: `Slurm ${version} is older than 20.11`, remedy: "update it" };
}

function shownParts(snapshot: ClusterSnapshot): readonly SiteCheck[] {
  const { partitions, nodes, jobs, hidden } = snapshot;
  const names = partitions.map(({ name }) => name).join(", ");
  const size = `${partitions.length} (${names}) with ${nodes.length} nodes`;
  const shown = (what: string, part: string, why: string, remedy: string): SiteCheck => {
    const missing = hidden.find((it) => it.what === part);
    const about = { what, isNeeded: false };
    if (missing === undefined) return { ...about, works: true, why, remedy: null };
    return { ...about, works: false, why: missing.why, remedy };
  };
  const associations = `${snapshot.associations.length} associations and ${snapshot.qos.length} QOS`;
  return [
    { what: "partitions", works: true, isNeeded: true, why: size, remedy: null },
    { what: "queue", works: true, isNeeded: true, why: `${jobs.length} jobs are shown`, remedy: null },
    shown("jobs of others", "jobs of others", "they are not hidden", HIDING),
    shown("priorities", "priority factors", "sprio tells what they are made of", ASK_SPRIO),
    shown("reservations", "reservations", `${snapshot.reservations.length} are shown`, HIDING),
    shown("accounts and QOS", "associations", associations, ASK_SACCTMGR),
  ];
}

/** Check that a pilot fits on a node; none if there are no pilots. */
function pilotChecks(
  { spec: { pilots, partition } }: Trial,
  { nodes }: ClusterSnapshot,
): readonly SiteCheck[] {
  if (pilots === undefined) return [];
  const usable = nodes.filter(({ partitions }) => partition === null || partitions.includes(partition));
  const misfit = pilotMisfit(pilots, usable);
  const about = { what: "pilots", isNeeded: false };
  if (misfit === undefined) return [{ ...about, works: true, why: "a pilot fits on a node", remedy: null }];
  return [{ ...about, works: false, why: misfit, remedy: "make pilots smaller: pilots.procs, memory, gpus" }];
}

const HIDING = "PrivateData without that word, or an operator's rights (AdminLevel=Operator), shows them";
const ASK_SPRIO = "see what sprio says there; without it priorities are estimated";
const ASK_SACCTMGR = "see what sacctmgr says there; without it limits of accounts and QOS are not known";
const LAST_HOUR = ["sacct", "-X", "-P", "--allusers", "--starttime=now-3600", "--endtime=now"];

async function past(run: RunCommand): Promise<readonly SiteCheck[]> {
  const about = { what: "accounting", isNeeded: false };
  try {
    const rows = (await askWith(run)("history", [...LAST_HOUR, "--format=JobID"])).trim().split("\n").length;
    return [{ ...about, works: true, why: `sacct shows ${rows - 1} jobs of the last hour`, remedy: null }];
  } catch (error) {
    const remedy =
      "with slurmdbd (AccountingStorageType=accounting_storage/slurmdbd) starts are predicted from the " +
      "past, and ends are known that the controller has forgotten";
    return [{ ...about, works: false, why: failureReason(error), remedy }];
  }
}

// Whether jobs could be submitted: where their files would be, and whether Slurm would take one.
//
// Only where submission is granted: `sbatch --test-only` submits nothing, but uses up a job's id.

const TRIAL_TIMEOUT_MS = 30_000;
/** Local file systems, by their names in `stat -f`. */
const LOCAL = /^(ext2|ext3|xfs|btrfs|tmpfs|overlay|zfs|ramfs|f2fs)/;

/** Checks for submissions; none at a read-only site. */
async function submissionChecks(trial: Trial): Promise<readonly SiteCheck[]> {
  const { spec } = trial;
  if (spec.readOnly || spec.submitDirectory === null) return [];
  return [...(await directoryChecks(trial, spec.submitDirectory)), await submissionCheck(trial)];
}

async function directoryChecks({ run }: Trial, directory: string): Promise<readonly SiteCheck[]> {
  const answers = async (...words: readonly string[]) => {
    const { code, stdout } = await run({ words, timeoutMs: TRIAL_TIMEOUT_MS });
    return { isGood: code === 0, settingOf: stdout.toString("utf8").trim() };
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
  const { settingOf } = await answers("stat", "-f", "-c", "%T", directory);
  return [
    { ...about, works: true, why: `${directory} can be written to`, remedy: null },
    sharing(directory, settingOf),
  ];
}

/** Check of a shared directory, which only a job on a node could settle. */
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
  return {
    ...about,
    why: `${directory} is on ${fileSystem}, which usually only one machine can access; ${unsure}`,
    remedy,
  };
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
    return { ...about, works: true, why: `Slurm accepts jobs of the broker${when}`, remedy: null };
  }
  const fault = slurmFault("", result);
  return { ...about, works: false, why: failureReason(fault), remedy: fault.remedy };
}

/** Slurm's Unix seconds as a text for people. */
function instantText(text: string): string {
  return /^\d+$/.test(text) ? new Date(Number(text) * 1000).toISOString().replace(".000", "") : text;
}
