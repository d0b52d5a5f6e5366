/** A workflow as it was read, for people and as JSON. */
import { counted, lengthText, sizeText, suText } from "../base/index.ts";
import type { UnderstoodWorkflow } from "./plan-tools.ts";
import { printable } from "./text-table.ts";

/** Figures of a workflow in one line. */
export function workflowText(of: UnderstoodWorkflow): string {
  const amounts = Object.entries(of.resources ?? {}).map(([name, amount]) => `${name} ${amount}`);
  const size = sizeText(of.bytes);
  const bytes = /^\d+$/.test(size) ? counted(of.bytes, "byte") : size;
  return (
    `${printable(of.name)} (${of.form}): ${counted(of.tasks, "task")}, ${counted(of.edges, "edge")}, ` +
    `${counted(of.levels, "level")}, width ${of.width}, ` +
    `critical path ${lengthText(of.criticalPathMs / 1000)}, ` +
    (amounts.length > 0
      ? `resources ${printable(amounts.join(", "))}`
      : `${bytes} transferred, ${suText(of.workProcMs)} of work`)
  );
}

/** Figures of a workflow as JSON; lengths of time in seconds, work in SU. */
export function workflowValue(workflow: UnderstoodWorkflow): object {
  const { criticalPathMs, workProcMs, ...others } = workflow;
  return { ...others, criticalPathSec: criticalPathMs / 1000, workSu: workProcMs / 3_600_000 };
}
