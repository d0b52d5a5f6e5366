/**
 * Options that have no effect on a workload in JSON lines.
 */
import { Fault } from "../../base/index.ts";
import { isProgram, type SimulationRequest } from "../../model/index.ts";
import type { WorkloadFrame } from "./workload.ts";

/**
 * Checks that a workload in JSON lines can be simulated with these options.
 *
 * @throws Fault `optionMisplaced`
 */
export function assertPlayable(
  { discipline, sampleSlotsMs }: SimulationRequest,
  { site }: Pick<WorkloadFrame, "site">,
): void {
  if (!site.hasNodes) return;
  if (sampleSlotsMs !== undefined) {
    throw misplaced("--sample-slots", "a slot is an amount of a pool's capacity, without regard to nodes");
  }
  if (isProgram(discipline)) {
    throw misplaced(
      "--discipline exec:",
      "an external program is told the pools, but not the nodes on which tasks are placed",
    );
  }
}

/** @throws Fault `optionMisplaced` where rows per job are to be written in another format than CSV */
export function assertRowsInCsv({ jobsOut }: SimulationRequest): void {
  if (jobsOut === undefined || /\.csv(\.gz)?$/.test(jobsOut)) return;
  throw misplaced(`--jobs-out ${jobsOut}`, "rows per job of such a workload are written as .csv or .csv.gz");
}

function misplaced(option: string, why: string): Fault {
  return new Fault({
    kind: "badInput",
    code: "optionMisplaced",
    what: `${option} has no effect on a workload in JSON lines`,
    why,
    remedy: "leave it out; docs/guides/workload-format.md describes what such a file can contain",
  });
}
