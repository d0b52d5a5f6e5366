/** Words of a job about retries with more memory or time. */
import { as, number, quantity } from "./shape.ts";
import { timeLimit } from "./texts.ts";

export const largerRetryFields = {
  retryMemory: as(
    "retryMemoryBytes",
    quantity("size", {
      description: "Where it dies for lack of memory, it is tried again with more, up to so much.",
      examples: ["64G"],
      ifZero: { why: "a program needs some", remedy: "leave it out where it may not have more" },
    }),
  ),
  retryTime: as(
    "retryTimeMs",
    timeLimit(
      "Where it reaches its time limit, it is tried again from its beginning with a longer one, up to this.",
      "a job that may run for no time cannot run",
    ),
  ),
  retryFactor: number({
    description: "By how much the memory, or the limit, grows each time.",
    ...{ least: 1.1, most: 10, default: "2", examples: ["1.5"] },
  }),
};
