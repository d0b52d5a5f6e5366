/** Options of `stint sim` for workloads in JSON lines. */
import type { Command } from "commander";
import { type SimulationRequest, STOPPED_RULES, type StoppedRule } from "../model/index.ts";
import { oneOf, positiveInteger } from "./option-values.ts";
import { sizeValue } from "./quantity-values.ts";

/** Values of the options. */
export interface WorkloadOptions {
  readonly memory?: number;
  readonly gpus?: number;
  readonly onOutage?: StoppedRule;
}

/** Adds the options to `stint sim`. */
export function addWorkloadOptions(command: Command): Command {
  return command
    .option("--memory <size>", "for a workload in JSON lines: memory of the machine", sizeValue("--memory"))
    .option("--gpus <n>", "for a workload in JSON lines: GPUs of the machine", positiveInteger("--gpus"))
    .option(
      "--on-outage <rule>",
      "running jobs of a workload in JSON lines on nodes that go down: requeue or lost (default: requeue)",
      oneOf("--on-outage", STOPPED_RULES),
    );
}

/** Part of a request from the options. */
export function workloadPart({ memory, gpus, onOutage }: WorkloadOptions): Partial<SimulationRequest> {
  return {
    ...(memory === undefined ? {} : { memoryBytes: memory }),
    ...(gpus === undefined ? {} : { gpus }),
    ...(onOutage === undefined ? {} : { stoppedJobs: onOutage }),
  };
}
