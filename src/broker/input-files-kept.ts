/** For how long the copies of input files are kept: as long as a job, an array or a node needs them. */
import { messageOf } from "../base/index.ts";
import type { Projection } from "../engine/index.ts";
import { hasCheckpoints, inputsOf, isFinal, type JobRecord } from "../model/index.ts";
import { needsNodeFiles, nodesBeginning } from "./dags.ts";
import type { Sandboxes } from "./sandbox.ts";

/** Removes the input files of what is over. */
export function inputsOfRunning(
  projection: Projection,
  sandboxes: Sandboxes,
  warn: (message: string) => void,
) {
  const failed = (id: string) => (error: unknown) => warn(`job ${id}: ${messageOf(error)}`);
  // The files of an array stay until its last job has ended, those of a node until it has ended.
  const isKept = (id: string): boolean =>
    projection.arrays.has(id) || needsNodeFiles({ projection }, id) || projection.books.workflows.has(id);
  return {
    isKept,
    over(job: JobRecord): void {
      const { id, state, description, part } = job;
      if (!isFinal(state)) return;
      const files = inputsOf(job);
      if (description.inputSandbox.length > 0 && !isKept(files)) void sandboxes.drop(files).catch(failed(id));
      if (hasCheckpoints(description)) {
        const unneeded = [...new Set([id, files])].filter((one) => !isKept(one));
        for (const one of unneeded) void sandboxes.given.drop(one).catch(failed(one));
      }
      if (part === undefined || projection.dags.open.has(part.id)) return;
      // Nodes that never had a job have files, too.
      void sandboxes.dropBeginning(nodesBeginning(part.id)).catch(failed(part.id));
    },
  };
}
