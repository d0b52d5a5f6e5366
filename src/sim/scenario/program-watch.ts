/**
 * Ends the program of a simulation that is told to stop: whoever waits for a program's answer looks at
 * nothing else, and after a stop nobody wants the answer (rule SI-22).
 */
import { signalGroup } from "../external/program.ts";
import type { SiteTask } from "./site-task.ts";

const LOOKS_MS = 50;
/** From SIGTERM to SIGKILL. */
const GRACE_LOOKS = 40;

/** A watch that goes on until it is over. */
export interface ProgramWatch {
  /** To be told of the program's process group; 0 when it is over. */
  readonly noteGroup: (group: number) => void;
  readonly end: () => void;
}

/** Begins to look whether the simulation is told to stop. */
export function watchProgram({ isStopped, noteGroup }: SiteTask): ProgramWatch {
  let group = 0;
  let looks = 0;
  const looking = setInterval(() => {
    if (!isStopped() || group === 0) return;
    if (looks === 0) signalGroup(group, "SIGTERM");
    if (looks === GRACE_LOOKS) signalGroup(group, "SIGKILL");
    looks++;
  }, LOOKS_MS);
  return {
    noteGroup: (begun) => {
      group = begun;
      noteGroup(begun);
    },
    end: () => clearInterval(looking),
  };
}
