/** Dependencies between jobs: `ok:ID`, `failed:ID` or `any:ID`, the end that a job has to come to first. */
import type { JobRecord } from "./job.ts";
import { isFinal, runStateOf } from "./job-state.ts";

/** End of a job as dependencies tell it apart; cancelled and aborted jobs failed. */
export type JobEnd = "ok" | "failed";

/** A dependency, read. */
export interface Dependency {
  readonly on: JobEnd | "any";
  readonly job: string;
}

/** Pattern of a dependency as text. */
export const DEPENDENCY_PATTERN = "^(ok|failed|any):[a-z0-9-]{1,64}$";

/** Reads a text that matches the pattern. */
export function dependencyOf(text: string): Dependency {
  const [on, job] = text.split(":") as [Dependency["on"], string];
  return { on, job };
}

/** Result of a job; undefined while it is active. */
export function endOfJob(job: Pick<JobRecord, "state" | "result" | "retired">): JobEnd | undefined {
  const { state, result } = job;
  if (!isFinal(state)) return undefined;
  return runStateOf(job) === "DONE" && result !== "failed" ? "ok" : "failed";
}

/** True if the result satisfies the dependency. */
export function isMet({ on }: Dependency, end: JobEnd): boolean {
  return on === "any" || on === end;
}

const ENDS = { ok: "ended successfully", failed: "failed", any: "ended" } as const;

/** Dependencies in one clause: `job a has ended successfully and job b has ended`. */
export function dependenciesText(texts: readonly string[]): string {
  const shown = texts.slice(0, MOST_NAMED).map((text) => {
    const { on, job } = dependencyOf(text);
    return `job ${job} has ${ENDS[on]}`;
  });
  const others = texts.length - shown.length;
  return [...shown, ...(others === 0 ? [] : [`${others} more have ended`])].join(" and ");
}

/** Number of jobs that a sentence names. */
const MOST_NAMED = 5;
