/** The thread of one study: carries out its task and ends. */
import { parentPort, workerData } from "node:worker_threads";
import { assert, Fault } from "../base/index.ts";
import { type StudyTask, study } from "./policy-study.ts";

/** Outcome of a study. */
export type StudyAnswer =
  | { readonly found: Awaited<ReturnType<typeof study>> }
  | { readonly fault: ConstructorParameters<typeof Fault>[0] };

const port = parentPort;
assert(port !== null, "this runs in a worker thread");
port.postMessage(await answer(workerData as StudyTask));

async function answer(task: StudyTask): Promise<StudyAnswer> {
  try {
    return { found: await study(task) };
  } catch (error) {
    // Anything else ends the thread, and is told as a defect.
    if (!(error instanceof Fault)) throw error;
    const { kind, code, what, why, remedy } = error;
    return { fault: { kind, code, what, why, remedy } };
  }
}
