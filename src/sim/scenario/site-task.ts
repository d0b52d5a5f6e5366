/**
 * Unit of simulation of a scenario: one site in one replicate of one run.
 */
import type { Scenario, ScenarioSite, SimulationRequest } from "../../model/index.ts";

/** Which site, of what, and where its rows go. */
export interface SiteTask {
  readonly scenario: Pick<Scenario, "warmUp" | "coolDown" | "folder">;
  readonly run: string;
  readonly site: ScenarioSite;
  /** From 1. */
  readonly replicate: number;
  readonly seed: number;
  readonly version: string;
  /** Files to write a row per job to, by the ends of their names. */
  readonly jobsOut: readonly string[];
  /** A file to write a row per slot to. */
  readonly slotsOut?: string;
  readonly isStopped: () => boolean;
  /** Asked every few thousand jobs; throws to stop. */
  readonly checkStop: () => void;
  /** Receiver of the stderr of a program that is the discipline. */
  readonly writeError: (text: string) => void;
  /** Called with the process group of that program; 0 after its end. */
  readonly noteGroup: (group: number) => void;
}

/** The rules of the site as those of a simulation of `trace`. */
export function requestOf({ site, slotsOut }: SiteTask, trace: string): SimulationRequest {
  const { discipline, estimates, overrun, answerLimitMs, sampleSlotsMs, stoppedJobs } = site;
  return {
    ...{ trace, discipline, estimates, overrun, lenient: false },
    ...(answerLimitMs === undefined ? {} : { answerLimitMs }),
    ...(sampleSlotsMs === undefined ? {} : { sampleSlotsMs }),
    ...(slotsOut === undefined ? {} : { slotsOut }),
    ...(stoppedJobs === undefined ? {} : { stoppedJobs }),
  };
}
