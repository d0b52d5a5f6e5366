/**
 * A thread that simulates one order: bounded in memory and time, and ended at once on request.
 */
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import type { SimulationFailure, VariantResult } from "../../contract/index.ts";
import type { VariantsAnswer, VariantsOrder } from "../variants/order.ts";

/** Memory of a thread, in MiB. */
const MEMORY_MIB = 1024;
/** Longest time of a simulation. */
const LONGEST_MS = 30 * 60_000;

/** Results, a failure, or `ended` where it was ended from outside. */
type VariantsEnd =
  | { readonly kind: "done"; readonly results: readonly VariantResult[] }
  | { readonly kind: "failed"; readonly failure: SimulationFailure }
  | { readonly kind: "ended" };

/** A thread at work. */
export interface VariantsThread {
  readonly end: Promise<VariantsEnd>;
  /** Ends the thread; resolves when it is gone. */
  stop(): Promise<void>;
}

/** Starts a thread. @param onProgress told of the fraction that is done */
export function startVariants(
  order: VariantsOrder,
  onProgress: (progress: number) => void,
  longestMs = LONGEST_MS,
): VariantsThread {
  const worker = new Worker(workerFile(), {
    ...{ workerData: order, execArgv: [], name: "stint what-if" },
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MIB },
  });
  // A broker that ends does not wait for it.
  worker.unref();
  let limit: NodeJS.Timeout | undefined;
  const end = new Promise<VariantsEnd>((resolve) => {
    limit = setTimeout(() => {
      resolve({ kind: "failed", failure: tooLong(longestMs) });
      void worker.terminate();
    }, longestMs).unref();
    worker.on("message", (answer: VariantsAnswer) => {
      if (answer.kind === "progress") onProgress(answer.progress);
      else resolve(answer);
    });
    worker.on("error", (error) => resolve({ kind: "failed", failure: threadEnded(error) }));
    worker.on("exit", () => resolve({ kind: "ended" }));
  });
  return {
    end: end.finally(() => clearTimeout(limit)),
    async stop() {
      await worker.terminate();
    },
  };
}

/** Threads run compiled code: beside this file, or in dist/ when this file itself runs as TypeScript. */
function workerFile(): URL {
  const beside = new URL("../variants/worker.js", import.meta.url);
  if (existsSync(fileURLToPath(beside))) return beside;
  return new URL("../../../dist/sim/variants/worker.js", import.meta.url);
}

function tooLong(longestMs: number): SimulationFailure {
  return {
    code: "simulationTooLong",
    what: "the simulation was stopped",
    why: `it took more than ${longestMs / 60_000} minutes`,
    remedy: "use a part of the workload or fewer variants, or simulate it with stint sim",
  };
}

function threadEnded(error: Error & { readonly code?: string }): SimulationFailure {
  const isMemory = error.code === "ERR_WORKER_OUT_OF_MEMORY";
  return {
    code: isMemory ? "simulationTooLarge" : "simulationDefect",
    what: "the simulation has ended without a result",
    why: isMemory ? `it needed more than ${MEMORY_MIB} MiB of memory` : `a defect in Stint: ${error.message}`,
    remedy: isMemory
      ? "use a part of the workload, or simulate it with stint sim"
      : "report it with the workload, or simulate it with stint sim",
  };
}
