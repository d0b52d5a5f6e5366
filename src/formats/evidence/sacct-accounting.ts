/**
 * Use by an accounting of sacct.
 *
 * A job that returned to the queue (requeued, preempted, or lost with its node) is one job with several runs.
 * Times of suspension are not in the accounting: processors count until the end of the job.
 */
import { createHash } from "node:crypto";
import { Fault } from "../../base/index.ts";
import type { Amounts, OpenStretch, UsedRun, UseOutcome, UseRecord } from "../../policy/index.ts";
import { accountingLines, instantReader, readRuns, type SacctRun } from "../slurm/index.ts";
import { type Accounted, countedRemarks, toldBy } from "./accounted.ts";
import { accountPath, consumerOf, type Owners } from "./owners.ts";

/** Options of reading an accounting. */
export interface SacctAccountingRules {
  readonly owners: Owners;
  /** Skip and count malformed rows instead of stopping at the first. */
  readonly lenient: boolean;
  /** A name of the time zone database, for instants that have no zone. */
  readonly zone: string;
}

interface Counts {
  steps: number;
  suspended: number;
  startUnknown: number;
  noProcs: number;
}

/** After these a job waits again, under the same id. */
const COMES_BACK = new Set(["REQUEUED", "PREEMPTED", "NODE_FAIL", "REQUEUE_HOLD"]);
const LOST = new Set(["NODE_FAIL", "BOOT_FAIL"]);

/**
 * The records of a file; `-` is what comes on stdin.
 *
 * @throws Fault `zoneUnknown`, and as every accounting that is read
 */
export async function readSacctAccounting(file: string, rules: SacctAccountingRules): Promise<Accounted> {
  const lines = await accountingLines(file);
  const instants = instantReader(rules.zone);
  if (instants === undefined) throw zoneUnknown(rules.zone);
  const { runs, malformed } = readRuns(lines, { file, lenient: rules.lenient }, instants);
  const counts: Counts = { steps: 0, suspended: 0, startUnknown: 0, noProcs: 0 };
  const records = recordsOf(runs, rules.owners, counts);
  const { local, ambiguous } = instants.counts;
  return {
    records,
    told: toldBy(records),
    procs: undefined,
    remarks: countedRemarks([
      [local, `instants have no zone and were taken in ${rules.zone}`],
      [ambiguous, "of them lie in an hour that the clock showed twice; the first that fits was taken"],
      [counts.startUnknown, "jobs ran at a time that is not recorded: they are in no measure of use"],
      [counts.suspended, "jobs were suspended for a while, nobody knows when: they count until they ended"],
      [counts.noProcs, "rows without processors were passed over"],
      [counts.steps, "steps of jobs were passed over"],
      [malformed, "malformed rows were skipped"],
    ]),
    sha256: createHash("sha256").update(lines.join("\n")).digest("hex"),
  };
}

function recordsOf(runs: readonly SacctRun[], owners: Owners, counts: Counts): readonly UseRecord[] {
  const byId = new Map<string, SacctRun[]>();
  for (const run of runs.toSorted((one, other) => one.submittedMs - other.submittedMs)) {
    if (run.id.kind === "step") counts.steps++;
    else if (run.procs === 0) counts.noProcs++;
    else for (const id of run.id.ids) byId.set(id, [...(byId.get(id) ?? []), run]);
  }
  return [...byId].flatMap(([id, all]) =>
    jobsIn(all).map((some, index) =>
      recordOf(index === 0 ? id : `${id}#${index + 1}`, some, { owners, counts }),
    ),
  );
}

/** Runs of one id as jobs: an id that was used again is another job. */
function jobsIn(runs: readonly SacctRun[]): readonly (readonly SacctRun[])[] {
  const jobs: SacctRun[][] = [];
  for (const [index, run] of runs.entries()) {
    const last = jobs.at(-1);
    if (last !== undefined && COMES_BACK.has(runs[index - 1].state)) last.push(run);
    else jobs.push([run]);
  }
  return jobs;
}

interface RecordRules {
  readonly owners: Owners;
  readonly counts: Counts;
}

function recordOf(id: string, parts: readonly SacctRun[], { owners, counts }: RecordRules): UseRecord {
  const [first] = parts;
  const last = parts[parts.length - 1];
  const waits: OpenStretch[] = [];
  const runs: UsedRun[] = [];
  let freeMs = 0;
  for (const part of parts) {
    const { eligibleMs, startMs, endMs, submittedMs, elapsedMs, state } = part;
    if (startMs === null && elapsedMs > 0) counts.startUnknown++;
    const fromMs = eligibleMs === null ? null : Math.max(eligibleMs, submittedMs, freeMs);
    const untilMs = startMs ?? endMs;
    if (fromMs !== null && (untilMs === null || fromMs < untilMs)) waits.push({ fromMs, toMs: untilMs });
    if (startMs !== null && (endMs === null || startMs < endMs)) {
      runs.push({ fromMs: startMs, toMs: endMs, ...(LOST.has(state) ? { isLost: true } : {}) });
      if (endMs !== null && elapsedMs < endMs - startMs) counts.suspended++;
    }
    freeMs = Math.max(freeMs, endMs ?? 0);
  }
  const owner = { user: last.user ?? null, group: last.account ?? null };
  return {
    ...{
      id,
      consumer: consumerOf(owners, owner, accountPath),
      need: needOf(last),
      submittedAtMs: first.submittedMs,
    },
    ...{ waits, runs, endedAtMs: last.endMs, outcome: outcomeOf(last) },
  };
}

function needOf({ procs, gpus, memoryBytes }: SacctRun): Amounts {
  return {
    cpu: procs,
    ...(gpus > 0 ? { gpu: gpus } : {}),
    ...(memoryBytes === undefined ? {} : { memory: memoryBytes }),
  };
}

function outcomeOf({ state, ending }: SacctRun): UseOutcome {
  if (ending === "running" || ending === "waiting") return "unfinished";
  if (state === "COMPLETED") return "completed";
  return state === "CANCELLED" ? "cancelled" : "failed";
}

function zoneUnknown(zone: string): Fault {
  return new Fault({
    kind: "badInput",
    code: "zoneUnknown",
    what: `--zone: there is no time zone "${zone}"`,
    why: "time zones are those of the IANA database, named after cities",
    remedy: "write for instance --zone Europe/Amsterdam, or --zone UTC",
  });
}
