/**
 * One file through one site: a trace in SWF, or a workload in JSON lines with resources, pools and events.
 */
import { Fault } from "../base/index.ts";
import { isWorkloadFile } from "../formats/index.ts";
import type { SimulationOutcome, SimulationRequest } from "../model/index.ts";
import { type RunHooks, simulateTrace } from "./simulate-trace.ts";

/**
 * Simulates the workload in a file of either format.
 *
 * @throws Fault `optionMisplaced` where an option of one format is given for the other
 */
export async function simulateFile(request: SimulationRequest, hooks: RunHooks): Promise<SimulationOutcome> {
  if (await isWorkloadFile(request.trace)) {
    const { simulateWorkload } = await import("./workload/simulate-workload.ts");
    return simulateWorkload(request, hooks);
  }
  const { memoryBytes, gpus, stoppedJobs } = request;
  const given = [
    ["--memory", memoryBytes],
    ["--gpus", gpus],
    ["--on-outage", stoppedJobs],
  ] as const;
  const option = given.find(([, value]) => value !== undefined)?.[0];
  if (option !== undefined) throw misplaced(request.trace, option);
  return simulateTrace(request, hooks);
}

function misplaced(trace: string, option: string): Fault {
  return new Fault({
    kind: "badInput",
    code: "optionMisplaced",
    what: `${option} has no effect here`,
    why: `${trace} is a trace in SWF, which knows processors only`,
    remedy: "take it out, or write the workload in JSON lines (docs/guides/workload-format.md)",
  });
}
