/**
 * Steps of the broker for each stream: read its report, start it, write its orders. A step that fails is
 * repeated each second and shown in status and why meanwhile; other streams are not affected.
 */
import { messageOf } from "../../base/index.ts";
import type { StreamProblem } from "../../runtime/index.ts";

/** Kinds of steps. */
type Step = "report" | "start" | "orders";

const STEPS: readonly Step[] = ["start", "orders", "report"];
const MOST_CHARACTERS = 500;

/** Steps of all streams. */
export interface StreamSteps {
  /** Takes a step; its failure is noted. */
  readonly take: (job: string, step: Step, run: () => Promise<void>) => Promise<void>;
  /** Failure of the last step of a stream, while it lasts. */
  readonly problem: (job: string) => StreamProblem | undefined;
  readonly forget: (job: string) => void;
}

/** Creates the steps; none has failed. */
export function createStreamSteps({
  nowMs,
  warn,
}: {
  readonly nowMs: () => number;
  readonly warn: (message: string) => void;
}): StreamSteps {
  const problems = new Map<string, StreamProblem>();
  const keyOf = (job: string, step: Step): string => `${job} ${step}`;
  return {
    take: async (job, step, run) => {
      const key = keyOf(job, step);
      try {
        await run();
        problems.delete(key);
      } catch (error) {
        const why = messageOf(error).slice(0, MOST_CHARACTERS);
        const before = problems.get(key);
        if (before?.why !== why) warn(`stream ${job}: ${why}`);
        problems.set(key, { why, sinceMs: before?.sinceMs ?? nowMs() });
      }
    },
    problem: (job) => STEPS.map((step) => problems.get(keyOf(job, step))).find((it) => it !== undefined),
    forget: (job) => {
      for (const step of STEPS) problems.delete(keyOf(job, step));
    },
  };
}
