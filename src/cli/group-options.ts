/** Options of `stint sim` that report the jobs by class, user or group. */
import type { Command } from "commander";
import { Fault } from "../base/index.ts";
import { JOB_GROUPINGS, type JobGrouping, type SimulationRequest, USUAL_LIMITS } from "../model/index.ts";
import { meaningless } from "./meaningless-option.ts";
import { oneOf, positiveInteger } from "./option-values.ts";
import type { PowerOptions } from "./power-option.ts";
import { durationValue } from "./quantity-values.ts";

/** Values of the options. */
export interface GroupOptions {
  readonly by?: readonly JobGrouping[];
  readonly narrow?: number;
  readonly short?: number;
  readonly output: "table" | "json" | "csv";
}

const grouping = oneOf("--by", JOB_GROUPINGS);

/** Adds the options to `stint sim`. */
export function addGroupOptions(command: Command): Command {
  return command
    .option(
      "--by <what>",
      `break down the jobs by ${JOB_GROUPINGS.join(", ")}; user and group show fairness; may be repeated`,
      Object.assign(
        (text: string, earlier: readonly JobGrouping[] = []) => [...new Set([...earlier, grouping(text)])],
        { words: JOB_GROUPINGS },
      ),
    )
    .option(
      "--narrow <n>",
      "with --by class: jobs of list at most this many processors are narrow (default: 8)",
      positiveInteger("--narrow"),
    )
    .option(
      "--short <time>",
      "with --by class: longest runtime of a short job (default: 1 h)",
      durationValue("--short"),
    );
}

/** Part of a request from the options. @throws Fault `optionMisplaced` where one refines another */
export function groupPart({ by, narrow, short, output }: GroupOptions): Partial<SimulationRequest> {
  if (narrow !== undefined || short !== undefined) {
    const option = narrow === undefined ? "--short" : "--narrow";
    if (by?.includes("class") !== true) throw meaningless(option, "--by class");
  }
  if (by === undefined) {
    if (output === "csv")
      throw csvMisplaced("-o csv prints the jobs by class, user or group", "add --by user");
    return {};
  }
  if (output === "csv" && by.length > 1) {
    throw csvMisplaced("a table in CSV has one kind of rows", "give one --by, or take -o json");
  }
  const { narrowProcs, shortMs } = USUAL_LIMITS;
  return { by, classLimits: { narrowProcs: narrow ?? narrowProcs, shortMs: short ?? shortMs } };
}

/** Options of a scenario or a comparison, which print no groups and no energy of one simulation. */
export type UngroupedOptions<Options> = Omit<Options, "output"> & { readonly output: "table" | "json" };

/**
 * The options without those of this file and `--power`.
 *
 * @param why what is printed instead
 * @throws Fault `optionMisplaced` where one of them is given
 */
export function ungrouped<Options extends GroupOptions & PowerOptions>(
  options: Options,
  why: string,
): UngroupedOptions<Options> {
  const { by, power, output } = options;
  if (by !== undefined || power !== undefined || output === "csv") {
    const option = by === undefined ? "--power" : "--by";
    throw new Fault({
      kind: "badInput",
      code: "optionMisplaced",
      what: `${output === "csv" ? "-o csv" : option} has no effect here`,
      why,
      remedy: "leave it out, or simulate one trace under one discipline",
    });
  }
  return { ...options, output };
}

function csvMisplaced(why: string, remedy: string): Fault {
  return new Fault({
    kind: "badInput",
    code: "optionMisplaced",
    what: "-o csv cannot be printed here",
    why,
    remedy,
  });
}
