/**
 * A workload in the words of a program that decides who starts (rule SI-20).
 */
import { assert, MS_PER_SECOND } from "../../base/index.ts";
import { type BegunProgram, beginDecidingProgram } from "../external/deciding-program.ts";
import type { SiteEvent } from "../external/protocol.ts";
import type { PlayRules } from "./play-state.ts";
import type { WorkloadFrame, WorkloadJob } from "./workload.ts";

/** Begins the program of these rules; what a trace does not say of its pools is not said. */
export function beginProgramFor(
  { site, isTrace }: WorkloadFrame,
  { program }: Pick<PlayRules, "program">,
): Promise<BegunProgram> {
  assert(program !== undefined, "who asks for a program says how it is begun");
  const pools = site.pools.map(({ name, memoryBytes, gpus }, at) => ({
    ...(isTrace ? {} : { name }),
    procs: site.capacity[at][0],
    ...(memoryBytes === undefined ? {} : { memory: memoryBytes }),
    ...(gpus === undefined ? {} : { gpus }),
  }));
  return beginDecidingProgram({ ...program, pools });
}

/** A program knows a job by its number in the trace, or its place in a workload in JSON lines. */
export function wordsFor({ isTrace }: Pick<WorkloadFrame, "isTrace">) {
  const numberOf = ({ id, name }: WorkloadJob): number => (isTrace ? Number(name) : id);
  const submitted = (job: WorkloadJob): SiteEvent => {
    const { name, user, need, estimateMs, memoryBytes = 0, gpus = 0, pools } = job;
    const estimate = estimateMs / MS_PER_SECOND;
    const about = { kind: "submitted", id: numberOf(job), procs: need[0], estimate } as const;
    if (isTrace) return { ...about, user: Number(user) };
    return {
      ...{ ...about, user, name },
      ...(memoryBytes === 0 ? {} : { memory: memoryBytes }),
      ...(gpus === 0 ? {} : { gpus }),
      ...(pools === undefined ? {} : { pools }),
    };
  };
  return { numberOf, submitted };
}
