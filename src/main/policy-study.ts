/**
 * Trials and verifications of policies from the log of a running broker.
 *
 * The log is read as a snapshot, so that nothing waits for it.
 */
import type { LogTrial, LogVerification, TriedOnLog } from "../api/index.ts";
import { Fault } from "../base/index.ts";
import type { VerificationView } from "../contract/index.ts";
import { verifiedValue } from "../formats/evidence/index.ts";
import { keptForMs, type SiteAmounts, type UseRecord } from "../policy/index.ts";
import { affectedUse, type UsedJob } from "../sim/index.ts";
import { type LoggedUse, readServedLog, usesIn } from "./verify-logbook.ts";
import { verifyServedLog } from "./verify-policies.ts";

/** What a thread is asked. */
export type StudyTask =
  | { readonly kind: "try"; readonly directory: string; readonly trial: LogTrial }
  | { readonly kind: "verify"; readonly directory: string; readonly question: LogVerification };

/** Carries out a task. @throws Fault as the log is read; `nothingRan` where there is nothing to compare */
export function study(task: StudyTask): Promise<TriedOnLog | VerificationView> {
  return task.kind === "try" ? tryOn(task.directory, task.trial) : verify(task.directory, task.question);
}

async function verify(
  directory: string,
  { site, fromMs, toMs, tolerancePpm }: LogVerification,
): Promise<VerificationView> {
  const verified = await verifyServedLog({
    ...{ source: { kind: "logbook", path: directory }, site, policies: [], gaps: [], lenient: false },
    ...(fromMs !== undefined && { from: new Date(fromMs).toISOString() }),
    ...(toMs !== undefined && { to: new Date(toMs).toISOString() }),
    ...(tolerancePpm !== undefined && { tolerancePpm }),
  });
  return verifiedValue(verified);
}

async function tryOn(directory: string, trial: LogTrial): Promise<TriedOnLog> {
  const { site, fromMs, toMs, present, after, form, discipline } = trial;
  const use = usesIn(await readServedLog(directory, toMs), site);
  const capacity = capacityOf(use);
  const windows = [...present, ...after].map(({ epoch }) => keptForMs(epoch.window));
  const sinceMs = fromMs - Math.max(0, ...windows);
  const jobs = use.records.flatMap((record) => usedJob(record, { trial, use, sinceMs, capacity }));
  if (!jobs.some(({ isCompared }) => isCompared)) throw nothingRan(site);
  const effects = await affectedUse({ site, capacity, jobs, present, after, form, discipline });
  return { effects, notes: notesOf(use, trial) };
}

/** The last known capacity; without GPUs, which the log of a site does not count. */
function capacityOf({ capacity }: LoggedUse): SiteAmounts {
  const { cpu = 0, memory = 0 } = capacity.at(-1)?.amounts ?? {};
  return { cpu, gpu: 0, memory };
}

interface JobContext {
  readonly trial: LogTrial;
  readonly use: LoggedUse;
  /** Begin of the earliest window of use that reaches into the period. */
  readonly sinceMs: number;
  readonly capacity: SiteAmounts;
}

function usedJob(record: UseRecord, { trial, use, sinceMs, capacity }: JobContext): readonly UsedJob[] {
  const { fromMs, toMs, estimates } = trial;
  const { id, of, consumer, need, waits, runs, submittedAtMs } = record;
  const { cpu = 0, memory = 0 } = need;
  const [first] = runs;
  if (of !== undefined || first === undefined || first.fromMs >= toMs || cpu === 0) return [];
  const runtimeMs = runs.reduce((sum, run) => sum + Math.min(run.toMs ?? toMs, toMs) - run.fromMs, 0);
  const lastMs = runs.at(-1)?.toMs ?? toMs;
  if (runtimeMs <= 0 || lastMs < sinceMs) return [];
  const requestedMs = estimates === "exact" ? 0 : (use.requestedMs.get(id) ?? 0);
  return [
    {
      ...{ consumer, runtimeMs, startMs: first.fromMs, estimateMs: Math.max(runtimeMs, requestedMs) },
      eligibleMs: Math.min(waits[0]?.fromMs ?? submittedAtMs, first.fromMs),
      need: { cpu, gpu: 0, memory: capacity.memory === 0 ? 0 : memory },
      isCompared: first.fromMs >= fromMs,
    },
  ];
}

function notesOf(use: LoggedUse, { site, toMs }: LogTrial): readonly string[] {
  const unfinished = use.records.filter(
    ({ of, runs }) => of === undefined && runs.at(-1)?.toMs === null,
  ).length;
  const changes = use.capacity.filter(({ fromMs }) => fromMs < toMs).length;
  return [
    ...(use.foreign.length > 0
      ? [`${site} has a queue of its own: jobs of others are not in the log and were not played`]
      : []),
    ...(unfinished > 0 ? [`${unfinished} jobs still run; they were played as long as they had run`] : []),
    ...(changes > 1 ? [`the capacity of ${site} changed; the last one was played`] : []),
    ...(use.records.some(({ need }) => need.gpu !== undefined) ? ["GPUs were not played"] : []),
  ];
}

function nothingRan(site: string): Fault {
  return new Fault({
    kind: "badInput",
    code: "nothingRan",
    what: `there are no jobs on which to try the policies at ${site}`,
    why: "no job of this broker started there in this period",
    remedy:
      "choose an earlier start of the period, or try them on a recorded workload: stint policy " +
      "check --against",
  });
}
