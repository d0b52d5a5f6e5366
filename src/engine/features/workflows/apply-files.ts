/** Changes to the files of a workflow by reports of pilots and by transfers of the broker. */
import { type JobRecord, pathInTask, pilotFile, type WorkflowTask } from "../../../model/index.ts";
import type { EventOf } from "../../feature.ts";
import { isAtWork, type TaskChanges } from "./task-changes.ts";
import { runWritersAgain, withCopy } from "./workflow-files.ts";

/** Files that attempts have written, and attempts that lacked one; earlier attempts are ignored. */
export function filesReported(
  changes: TaskChanges,
  { pilot, written = [], missing = [] }: EventOf<"tasksReported">,
): void {
  if (pilot === null) return;
  const { site, job } = changes.workflow.pilots[pilot];
  for (const { file: at, task: number, attempt, bytes, checksum } of written) {
    const file = changes.file(at);
    const task = changes.task(number);
    const isHeard = task?.attempt === attempt && isAtWork(task.state) && file?.writer === number;
    if (!isHeard || file === undefined) continue;
    const copies = [{ site, job, path: pilotFile(at) }];
    changes.setFile({ ...file, bytes, checksum, copies, isStored: false });
  }
  for (const { file: at, task: number, attempt } of missing) {
    const file = changes.file(at);
    const task = changes.task(number);
    if (file === undefined || task?.attempt !== attempt || !isAtWork(task.state)) continue;
    changes.setFile({ ...file, copies: file.copies.filter((copy) => copy.site !== site) });
    changes.returnTask(task);
  }
  if (missing.length > 0) runWritersAgain(changes);
}

/** Moves that the broker has made, or could not make. */
export function filesMoved(
  changes: TaskChanges,
  { stored, sent, lost, removed, tooLarge = [] }: EventOf<"workflowFilesMoved">,
): void {
  for (const { file: at, bytes, checksum } of stored) {
    const file = changes.file(at);
    if (file !== undefined) changes.setFile({ ...file, bytes, checksum, isStored: true });
  }
  for (const { file: at, pilot } of sent) {
    const file = changes.file(at);
    const { site, job } = changes.workflow.pilots[pilot];
    if (file !== undefined) changes.setFile(withCopy(file, { site, job, path: pilotFile(at) }));
  }
  for (const { file: at, mostBytes } of tooLarge) {
    const file = changes.file(at);
    if (file !== undefined) changes.setFile({ ...file, overLimitBytes: mostBytes });
  }
  for (const { file: at, job } of lost) {
    const file = changes.file(at);
    if (file === undefined) continue;
    changes.setFile({ ...file, copies: file.copies.filter((copy) => copy.job !== job) });
  }
  for (const at of removed) {
    const file = changes.file(at);
    if (file === undefined) continue;
    const isStored = file.isStored && (file.isResult || file.writer === null);
    changes.setFile({ ...file, copies: [], isStored });
  }
  if (lost.length + removed.length > 0) runWritersAgain(changes);
}

/** The outputs of a task that ran as a job of its own are in the directory of this job. */
export function copyOfOwnJob(changes: TaskChanges, { writes = [] }: WorkflowTask, job: JobRecord): void {
  for (const at of writes) {
    const file = changes.file(at);
    if (file === undefined || job.site === null) continue;
    const copies = [{ site: job.site, job: job.id, path: pathInTask(file) }];
    changes.setFile({ ...file, bytes: null, checksum: null, copies, isStored: false });
  }
}
