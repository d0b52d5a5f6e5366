/** Simulations in the broker, with the workloads that come with the program. */
import { statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { systemClock } from "../broker/index.ts";
import { openSimulations } from "../sim/index.ts";
import { simulationsDirectory } from "./state-directory.ts";
import { readVersion } from "./version.ts";

const SHIPPED = [
  {
    name: "poisson",
    file: "poisson.swf",
    description: "A synthetic trace in SWF: jobs arrive at random on one machine of 128 processors",
  },
  {
    name: "two-pools",
    file: "two-pools.workload.jsonl",
    description: "A small workload in JSON lines: two pools with memory and GPUs, a cancellation, an outage",
  },
] as const;

/** Opens the simulations of a state directory. @param onError told of failures in the background */
export function brokerSimulations(stateDirectory: string, onError: (error: unknown) => void) {
  const examples = SHIPPED.map((workload) => {
    const path = fileURLToPath(new URL(`../../examples/${workload.file}`, import.meta.url));
    return { ...workload, path, bytes: statSync(path, { throwIfNoEntry: false })?.size ?? 0 };
  });
  return openSimulations({
    ...{ directory: simulationsDirectory(stateDirectory), version: readVersion() },
    ...{ nowMs: systemClock.nowMs, examples, onError },
  });
}
