/**
 * The options of `stint sim` that compare a recorded workload with what happened, and what they do.
 */
import type { Command } from "commander";
import { Fault } from "../base/index.ts";
import type { SimulationRequest, WhatIf } from "../model/index.ts";

/** What a comparison needs of the command line. */
export interface WhatIfOptions {
  readonly baseline: boolean;
  readonly whatIf?: readonly string[];
  readonly report?: string;
  /** What a live queue is called; undefined: the workload is a file's. */
  readonly live?: string;
  readonly output: "table" | "json";
}

/** Adds them to the command that replays traces. */
export function addWhatIfOptions(command: Command): Command {
  return command
    .option("--baseline", "compare the starts of a recorded workload with what really happened", false)
    .option(
      "--what-if <change>",
      "and with other rules: discipline=…, estimates=…, overrun=…, pool.NAME.procs=…; may be repeated",
      (change: string, earlier: readonly string[] = []) => [...earlier, change],
    )
    .option("--report <file>", "with --baseline or --what-if: write the comparison as HTML");
}

/**
 * Whether a comparison is asked for.
 *
 * @throws Fault `optionMisplaced` where policies are given for one, and where a report is asked for, and
 *   nothing that has one
 */
export function isComparison(
  { baseline, whatIf, report }: WhatIfOptions,
  policies: readonly string[] | undefined,
): boolean {
  if (baseline || whatIf !== undefined) {
    if (policies === undefined) return true;
    throw new Fault({
      kind: "badInput",
      code: "optionMisplaced",
      what: "--policies means nothing here",
      why: "a comparison with what really happened knows no enforcer",
      remedy: "leave it out, or play the trace alone with --discipline fcfs",
    });
  }
  if (report === undefined) return false;
  throw new Fault({
    kind: "badInput",
    code: "optionMisplaced",
    what: "--report means nothing here",
    why: "it is of a comparison with what really happened",
    remedy: "add --baseline or --what-if, or leave it out",
  });
}

/** What a comparison needs of the program around it. */
export interface WhatIfSurroundings {
  readonly loadWhatIf: () => Promise<WhatIf>;
  readonly writeResult: (text: string) => void;
}

/**
 * Compares, and says what came of it.
 *
 * @throws Fault as the capability
 */
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
