/** Ends the program of a stopped simulation, which would otherwise wait for its answer (rule SI-22). */
import { signalGroup } from "../external/program.ts";
import type { SiteTask } from "./site-task.ts";

const LOOKS_MS = 50;
/** Number of looks from SIGTERM to SIGKILL. */
const GRACE_LOOKS = 40;

/** A watch that goes on until it has ended. */
export interface ProgramWatch {
  /** To be called with the program's process group; 0 after its end. */
  readonly noteGroup: (group: number) => void;
  readonly end: () => void;
}

/** Watches for a stop of the simulation. */
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
