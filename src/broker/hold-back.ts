/**
 * What a machine is too short of something to do is held back, and tried again each second (rule BR-69).
 *
 * Space, files, memory and processes are had again, and no job is to blame: none is given up for it.
 */
import { Fault } from "../base/index.ts";
import type { Clock } from "../runtime/index.ts";

const RETRY_MS = 1000;

/** What is needed to hold back. */
export interface HoldBackWorld {
  readonly clock: Clock;
  /** What the site is short of, in one sentence, as it begins; null when nothing is held back any more. */
  readonly tell: (shortage: string | null) => void;
}

/** What is done at a site, with what it is held back by. */
export interface HeldDeed {
  readonly attempt: () => Promise<void>;
  /** Asked before each further attempt. */
  readonly isWanted?: () => boolean;
  /** The first attempt was held back. */
  readonly heldUp?: () => void;
}

/** Deeds at one site. */
export interface HoldBack {
  /** Does a deed, again each second as long as the site is short of something. @throws other faults */
  insist(deed: HeldDeed): Promise<"done" | "unwanted" | "ended">;
  /** Whether something is held back now. */
  isShort(): boolean;
  /** Tries nothing again any more: the next life of the broker does. */
  end(): void;
}

/** Whether a deed failed for want of something that the site will have again. */
function isShort(error: unknown): error is Fault {
  return error instanceof Fault && error.code === "siteShort";
}

/** Holds back what one site cannot do. */
export function createHoldBack({ clock, tell }: HoldBackWorld): HoldBack {
  const held = new Set<() => void>();
  let short = 0;
  let isEnded = false;
  const pause = async (): Promise<void> => {
    if (isEnded) return;
    let [wake, callOff] = [(): void => undefined, (): void => undefined];
    const isOver = new Promise<void>((resolve) => {
      wake = resolve;
    });
    callOff = clock.wakeAt(clock.nowMs() + RETRY_MS, wake);
    held.add(wake);
    await isOver;
    callOff();
    held.delete(wake);
  };
  return {
    async insist({ attempt, isWanted = () => true, heldUp = () => undefined }) {
      let isHeld = false;
      try {
        for (;;) {
          try {
            await attempt();
            return "done";
          } catch (error) {
            if (!isShort(error)) throw error;
            if (!isHeld && short++ === 0) tell(`${error.what}: ${error.why}; ${error.remedy}`);
            isHeld = true;
            heldUp();
          }
          await pause();
          if (isEnded) return "ended";
          if (!isWanted()) return "unwanted";
        }
      } finally {
        if (isHeld && --short === 0) tell(null);
      }
    },
    isShort: () => short > 0,
    end() {
      isEnded = true;
      for (const wake of held) wake();
    },
  };
}
