/**
 * Comparison of rules: the recorded period under today's rules against the recorded starts, then under the
 * changed rules (rules SI-60, SI-61).
 */
import { Fault } from "../../base/index.ts";
import { writeSafeFile } from "../../formats/index.ts";
import type { WhatIfReport, WhatIfRequest } from "../../model/index.ts";
import { changedRules } from "./changes.ts";
import { changeOf, movedJobs } from "./moved-starts.ts";
import { type PlayedRecord, playRecord } from "./play-record.ts";
import { baselineOf, comparedJobs } from "./start-errors.ts";
import { writeStarts } from "./starts-csv.ts";

/**
 * Answers, and writes what files are asked for.
 *
 * @throws Fault `noRecordedStart`; those of changes; and as a simulation of the workload
 */
export async function whatIf(
  { simulation, changes, report: page, live }: WhatIfRequest,
  version: string,
): Promise<WhatIfReport> {
  const { trace, jobsOut } = simulation;
  const rules = changes.length === 0 ? undefined : changedRules(simulation, changes);
  const today = await playRecord({ request: simulation, changePools: (pools) => pools, version });
  const compared = comparedJobs(today.started);
  if (compared.length === 0 && live === undefined) throw noRecordedStart(trace);
  const baseline = baselineOf(compared);
  const changed =
    rules &&
    (await playRecord(
      { request: rules.simulation, changePools: rules.changePools, version },
      today.neverStarted,
    ));
  const moved = changed === undefined ? [] : movedJobs(today, changed);
  const { workload } = today.begun;
  const report: WhatIfReport = {
    ...{ version, trace: live ?? trace, traceSha256: workload.sha256, rules: today.rules },
    beginning: beginningOf(today),
    skipped: workload.skipped.noRuntime + workload.skipped.widerThanMachine + workload.skipped.malformed,
    withoutRecord: today.started.length - compared.length,
    neverStarted: today.neverStarted.size,
    comparedWith: live === undefined ? "recorded" : "expected",
    baseline,
    change:
      changed === undefined || moved.length === 0
        ? null
        : changeOf({ today, changed, moved, changes, baseline }),
  };
  if (jobsOut !== undefined) {
    const startOf = new Map(moved.map(({ job, changedStartMs }) => [job.name, changedStartMs]));
    await writeStarts(jobsOut, today.started, startOf);
  }
  if (page !== undefined) {
    const { whatIfPage } = await import("./what-if-page.ts");
    await writeSafeFile(page, whatIfPage(report, compared, moved));
  }
  return report;
}

function beginningOf({ begun, runningWithoutRoom }: PlayedRecord): WhatIfReport["beginning"] {
  return { ...begun.counts, runningWithoutRoom };
}

function noRecordedStart(trace: string): Fault {
  return new Fault({
    kind: "badInput",
    code: "noRecordedStart",
    what: `${trace}: nothing to compare with`,
    why: "the recorded start is unknown for every job that starts during the simulation",
    remedy: "make the file with stint import accounting, or use an SWF trace that has wait times",
  });
}
