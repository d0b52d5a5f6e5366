/**
 * The rules that a simulation asks for beside its discipline, and what does not go with a program.
 */
import { Fault } from "../base/index.ts";
import { isProgram, type SimulationRequest } from "../model/index.ts";

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

/** A program decides who starts, of jobs that an enforcer would have to let in first. */
export function policiesMisplaced(discipline: string): Fault {
  return new Fault({
    kind: "badInput",
    code: "policiesMisplaced",
    what: "these policies cannot be enforced here",
    why: `${discipline} is told of every job, and not of those that an enforcer keeps outside`,
    remedy: "name a discipline of ours, for instance --discipline easy, or leave out the policies",
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
