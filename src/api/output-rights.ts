/** The right to register what jobs are to leave under logical names, demanded when they are submitted. */
import type { JobSubmission } from "../contract/index.ts";
import { folderOf } from "../model/index.ts";
import type { Looking } from "./find-job.ts";

/** @throws Problem where the caller may not change a named file of the replica catalogue */
export function demandOutputs(
  { guard, request }: Pick<Looking, "guard" | "request">,
  submissions: readonly Pick<JobSubmission, "outputData">[],
): void {
  const names = submissions.flatMap(({ outputData = [] }) => outputData.map(({ name }) => name));
  const folders = new Set(names.flatMap((name) => (name === undefined ? [] : folderOf(name))));
  for (const consumer of folders) guard.demand(request, "changeReplica", { consumer });
}
