/** Tasks of an order to a pilot, with the places of their files at its site. */
import { query } from "../../engine/index.ts";
import { type JobRecord, pathInTask, type WorkflowFile, type WorkflowRecord } from "../../model/index.ts";
import type { Round } from "../../runtime/index.ts";
import type { InputPlace, OrderedTask } from "./pilot-words.ts";

interface OrderingWorld {
  readonly round: Pick<Round, "projection" | "nowMs">;
  /** A job, over or not. */
  readonly find: (id: string) => Promise<JobRecord | undefined>;
}

/** Tasks of a pilot's order, given by its number. */
export async function orderedTasks(
  { round, find }: OrderingWorld,
  { id, pilots }: WorkflowRecord,
  { pilot: at, number }: { readonly pilot: number; readonly number: number },
): Promise<readonly OrderedTask[]> {
  const { projection } = round;
  const nowMs = round.nowMs();
  const { job, site } = pilots[at];
  const files = query(projection, { name: "workflowFiles", question: id }, nowMs);
  const tasks = query(projection, { name: "workflowTasks", question: id }, nowMs).filter(
    (task) => task.place?.pilot === at && task.order === number && task.job === job,
  );
  const directories = new Map<string, string>();
  for (const { reads = [] } of tasks) {
    for (const owner of reads.flatMap((one) => copyAt(files[one], { job, site })?.job ?? [])) {
      if (owner === job || directories.has(owner)) continue;
      directories.set(owner, directoryOf(owner, (await find(owner))?.attempt ?? 1));
    }
  }
  const inputOf = (file: WorkflowFile): InputPlace => {
    const copy = copyAt(file, { job, site });
    const folder = directories.get(copy?.job ?? "") ?? "";
    return {
      file: file.at,
      name: pathInTask(file),
      path: `${folder}${copy?.path ?? ""}`,
      checksum: file.checksum,
    };
  };
  return tasks.map((task) => ({
    task,
    inputs: (task.reads ?? []).map((one) => inputOf(files[one])),
    outputs: (task.writes ?? []).map((one) => ({ file: one, name: pathInTask(files[one]) })),
  }));
}

/** The copy that a pilot reads: its own, else one at its site. */
function copyAt(
  { copies }: WorkflowFile,
  { job, site }: { readonly job: string; readonly site: string },
): WorkflowFile["copies"][number] | undefined {
  return copies.find((copy) => copy.job === job) ?? copies.find((copy) => copy.site === site);
}

/** Path from the directory of a pilot to that of another job; at every kind of site they are siblings. */
function directoryOf(job: string, attempt: number): string {
  return `../../${job}_${attempt}/work/`;
}
