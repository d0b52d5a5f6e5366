/** Options of `stint sim` that compare the simulated starts of a recorded workload with the recorded ones. */
import type { Command } from "commander";
import { Fault } from "../base/index.ts";
import type { SimulationRequest, WhatIf } from "../model/index.ts";

/** Values of the options. */
export interface WhatIfOptions {
  readonly baseline: boolean;
  readonly whatIf?: readonly string[];
  readonly report?: string;
  /** Name of a live queue; undefined: the workload is a file's. */
  readonly live?: string;
  readonly output: "table" | "json";
}

/** Adds the options to `stint sim`. */
export function addWhatIfOptions(command: Command): Command {
  return command
    .option("--baseline", "compare the simulated starts with the recorded ones", false)
    .option(
      "--what-if <change>",
      "compare with changed settings: discipline=…, estimates=…, overrun=…, pool.NAME.procs=…, " +
        "policies=FILE or policies=none; may be repeated",
      (change: string, earlier: readonly string[] = []) => [...earlier, change],
    )
    .option("--report <file>", "with --baseline or --what-if: write the comparison as HTML");
}

/** True where a comparison is requested. @throws Fault `optionMisplaced` for a report without one */
export function isComparison({ baseline, whatIf, report }: Omit<WhatIfOptions, "output">): boolean {
  if (baseline || whatIf !== undefined) return true;
  if (report === undefined) return false;
  throw new Fault({
    kind: "badInput",
    code: "optionMisplaced",
    what: "--report has no effect here",
    why: "it writes a comparison with the recorded starts",
    remedy: "add --baseline or --what-if, or leave it out",
  });
}

/** Simulator and output of a comparison. */
export interface WhatIfSurroundings {
  readonly loadWhatIf: () => Promise<WhatIf>;
  readonly writeResult: (text: string) => void;
}

/** Compares, and prints the results. @throws Fault of the capability */
export async function compareStarts(
  simulation: SimulationRequest,
  { whatIf: changes = [], report: page, output, live }: WhatIfOptions,
  { loadWhatIf, writeResult }: WhatIfSurroundings,
): Promise<void> {
  const whatIf = await loadWhatIf();
  const report = await whatIf({
    simulation,
    changes,
    ...(page === undefined ? {} : { report: page }),
    ...(live === undefined ? {} : { live }),
  });
  if (output === "json") writeResult(`${JSON.stringify(report, undefined, 2)}\n`);
  else writeResult((await import("./what-if-table.ts")).whatIfTable(report));
}
