/**
 * Makes a workload: drawn from a model, or a recorded one brought to a load.
 */
import type { WorkloadRequest, WorkloadSummary, WorkloadTarget } from "../../model/index.ts";
import { drawWorkload } from "./draw-workload.ts";
import { rescaleTrace } from "./rescale-trace.ts";

/**
 * Writes the workload to `target`; the same request gives the same bytes.
 *
 * @param version of the program, for the header
 * @throws Fault as `drawWorkload` and `rescaleTrace`
 */
export function generateWorkload(
  request: WorkloadRequest,
  version: string,
  target: WorkloadTarget,
): Promise<WorkloadSummary> {
  return request.kind === "draw"
    ? drawWorkload(request, version, target)
    : rescaleTrace(request, version, target);
}
