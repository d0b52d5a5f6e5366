/**
 * The search on all processors: islands in threads, merged in their order.
 *
 * The plans are the same however many threads there are. A stopped search has those of the islands that had
 * begun.
 */
import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import type { PlanHooks } from "../cli/index.ts";
import {
  type FoundPlans,
  type Instance,
  mergedIslands,
  type PlanningProgress,
  type PlanningQuestion,
} from "../plan/index.ts";
import type { IslandAnswer, IslandOrder } from "./plan-thread.ts";

const LOOKED_EVERY_MS = 50;

/** Searches the islands, so many at a time. */
export async function planInThreads(
  instance: Instance,
  islands: readonly PlanningQuestion[],
  { onProgress, isStopped }: PlanHooks,
  threads = availableParallelism(),
): Promise<{ readonly found: FoundPlans; readonly isStopped: boolean }> {
  const stop = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
  const flag = new Int32Array(stop);
  const progress: PlanningProgress[] = [];
  const found: FoundPlans[] = [];
  let next = 0;
  const look = setInterval(() => {
    if (isStopped()) Atomics.store(flag, 0, 1);
    else if (progress.length > 0) onProgress(progressOf(progress, islands.length));
  }, LOOKED_EVERY_MS);
  const work = async (): Promise<void> => {
    while (next < islands.length && (next === 0 || Atomics.load(flag, 0) === 0)) {
      const at = next++;
      found[at] = await searched({ instance, question: islands[at], stop }, (it) => {
        progress[at] = it;
      });
    }
  };
  try {
    await Promise.all(Array.from({ length: Math.min(threads, islands.length) }, work));
  } finally {
    clearInterval(look);
    // Where one thread has failed, the others end soon.
    Atomics.store(flag, 0, Math.max(Atomics.load(flag, 0), found.length === islands.length ? 0 : 1));
  }
  return { found: mergedIslands(Object.values(found)), isStopped: Atomics.load(flag, 0) !== 0 };
}

function searched(
  workerData: IslandOrder,
  onProgress: (progress: PlanningProgress) => void,
): Promise<FoundPlans> {
  const worker = new Worker(threadFile(), { workerData, execArgv: [], name: "stint plan" });
  return new Promise((resolve, reject) => {
    worker.on("message", (answer: IslandAnswer) => {
      if ("progress" in answer) onProgress(answer.progress);
      else resolve(answer.found);
    });
    worker.on("error", reject);
    worker.on("exit", (code) => reject(new Error(`a thread of the search ended with code ${code}`)));
  });
}

/** Progress of all islands; those that have not begun count as large as the others. */
function progressOf(of: readonly PlanningProgress[], islands: number): PlanningProgress {
  const begun = Object.values(of);
  const sum = (value: (one: PlanningProgress) => number): number =>
    begun.reduce((total, one) => total + value(one), 0);
  return {
    evaluations: sum((one) => one.evaluations),
    mostEvaluations: Math.round((sum((one) => one.mostEvaluations) * islands) / begun.length),
    bestMakespanMs: Math.min(...begun.map((one) => one.bestMakespanMs)),
  };
}

/** Threads run compiled code: beside this file, or in dist/ when this file itself runs as TypeScript. */
function threadFile(): URL {
  const beside = new URL("./plan-thread.js", import.meta.url);
  if (existsSync(fileURLToPath(beside))) return beside;
  return new URL("../../dist/main/plan-thread.js", import.meta.url);
}
