/**
 * The rules that a simulation asks for beside its discipline.
 */
import { Fault } from "../base/index.ts";
import { isProgram, type SimulationRequest } from "../model/index.ts";
import type { TracePolicies } from "./enforcing/trace-policies.ts";

/** The rules of the priority that is asked for, if any. @throws Fault `priorityMisplaced` */
export async function priorityOf({ priority, priorityConfig, discipline }: SimulationRequest) {
  if (priority === undefined) {
    if (priorityConfig === undefined) return undefined;
    throw priorityMisplaced(`${priorityConfig} is the rules of no priority`, "say which: --priority NAME");
  }
  if (isProgram(discipline)) {
    throw priorityMisplaced(`${discipline} orders its queue itself`, "leave out --priority");
  }
  const { readPriorityFile } = await import("../formats/priority-yaml/index.ts");
  return readPriorityFile(priority, priorityConfig);
}

/** The policies that are asked for, if any. */
export async function policiesOf({ policies }: SimulationRequest): Promise<TracePolicies | undefined> {
  if (policies === undefined || policies.files.length === 0) return undefined;
  const { readTracePolicies } = await import("./enforcing/read-trace-policies.ts");
  return readTracePolicies(policies, Date.now());
}

/** Refuses options for anything but processors, since a trace has no more. @throws Fault `optionMisplaced` */
export function assertOfTrace({ trace, memoryBytes, gpus, stoppedJobs }: SimulationRequest): void {
  const given = [
    ["--memory", memoryBytes],
    ["--gpus", gpus],
    ["--on-outage", stoppedJobs],
  ] as const;
  const option = given.find(([, value]) => value !== undefined)?.[0];
  if (option === undefined) return;
  throw new Fault({
    kind: "badInput",
    code: "optionMisplaced",
    what: `${option} has no effect here`,
    why: `${trace} is a trace in SWF, which describes only processors`,
    remedy: "take it out, or write the workload in JSON lines (docs/guides/workload-format.md)",
  });
}

function priorityMisplaced(why: string, remedy: string): Fault {
  return new Fault({
    kind: "badInput",
    code: "priorityMisplaced",
    what: "this priority cannot be used here",
    why,
    remedy,
  });
}
