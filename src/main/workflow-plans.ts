/** Plans of workflows in threads of their own, one at a time, within bounds of time and memory. */
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import type { PlanTextTask, WorkflowPlanning } from "../api/index.ts";
import { Fault } from "../base/index.ts";
import type { PlansView } from "../contract/index.ts";
import type { PlanTextAnswer } from "./workflow-plan-thread.ts";

/** Limits on plans. */
interface PlanLimits {
  /** Longest run of one thread, in ms. */
  readonly longestMs: number;
  /** Memory of a thread, in MiB. */
  readonly mostMib: number;
  /** Largest number that run or wait. */
  readonly mostAtOnce: number;
}

const USUAL_LIMITS: PlanLimits = { longestMs: 60_000, mostMib: 1024, mostAtOnce: 8 };

/** A planner of workflows. */
export function workflowPlans(limits: PlanLimits = USUAL_LIMITS): WorkflowPlanning {
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  return {
    async plan(task) {
      if (waiting >= limits.mostAtOnce) throw tooMany(waiting);
      waiting++;
      const mine = last.then(() => runOne(task, limits));
      last = mine.catch(() => undefined);
      try {
        return await mine;
      } finally {
        waiting--;
      }
    },
  };
}

async function runOne(task: PlanTextTask, { longestMs, mostMib }: PlanLimits): Promise<PlansView> {
  const thread = new Worker(threadFile(), {
    ...{ workerData: task, execArgv: [], name: "stint workflow plan" },
    resourceLimits: { maxOldGenerationSizeMb: mostMib },
  });
  thread.unref();
  let timer: NodeJS.Timeout | undefined;
  try {
    const answer = await new Promise<PlanTextAnswer>((resolve, reject) => {
      thread.on("message", resolve);
      thread.on("error", (error: Error & { readonly code?: string }) => {
        reject(error.code === "ERR_WORKER_OUT_OF_MEMORY" ? tooLong(`${mostMib} MiB of memory`) : error);
      });
      thread.on("exit", () => reject(new Error("the thread of a plan ended without an answer")));
      timer = setTimeout(() => reject(tooLong(`${longestMs / 1000} s`)), longestMs).unref();
    });
    if ("fault" in answer) throw new Fault(answer.fault);
    return answer.found;
  } finally {
    clearTimeout(timer);
    await thread.terminate();
  }
}

function tooLong(limit: string): Fault {
  return new Fault({
    kind: "refused",
    code: "planTooLong",
    what: "the workflow is too large to be planned here",
    why: `it would take more than ${limit}, which is the limit`,
    remedy: "choose another planner, such as heft; or plan it on your own machine with: stint plan FILE",
  });
}

function tooMany(waiting: number): Fault {
  return new Fault({
    kind: "refused",
    code: "tooManyPlans",
    what: "too many workflows are being planned",
    why: `${waiting} are planned or wait, and they are planned one after the other`,
    remedy: "try again in a minute",
  });
}

/** Threads run compiled code: beside this file, or in dist/ when this file itself runs as TypeScript. */
function threadFile(): URL {
  const beside = new URL("./workflow-plan-thread.js", import.meta.url);
  if (existsSync(fileURLToPath(beside))) return beside;
  return new URL("../../dist/main/workflow-plan-thread.js", import.meta.url);
}
