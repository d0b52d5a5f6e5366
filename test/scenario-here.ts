/** Does the tasks of a scenario in this thread: starting another one takes longer than most tests' tasks. */

import { Fault } from "../src/base/index.ts";
import { carryOut } from "../src/sim/scenario/execute-task.ts";
import type { DoneTask, workInThreads } from "../src/sim/scenario/work-in-threads.ts";

export const workHere: typeof workInThreads = async (tasks, { order, onDone }) => {
  const shared = { stopped: new SharedArrayBuffer(4), program: new SharedArrayBuffer(4) };
  const done: DoneTask[] = [];
  for (const task of tasks) {
    const answer = await carryOut(task, { ...order, ...shared });
    if (answer.kind === "failed") throw new Fault(answer.fault);
    if (answer.kind === "done") onDone?.(done.push({ task, sites: answer.sites }));
  }
  return done;
};
