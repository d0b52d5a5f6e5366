/** Words of a job about retries with more memory or time. */
import { as, number, quantity } from "./shape.ts";
import { timeLimit } from "./texts.ts";

export const largerRetryFields = {
  retryMemory: as(
    "retryMemoryBytes",
    quantity("size", {
      description: "If it is killed for lack of memory, it is retried with more, up to this amount.",
      examples: ["64G"],
      ifZero: { why: "the amount must be above 0", remedy: "omit it if the job must not get more" },
    }),
  ),
  retryTime: as(
    "retryTimeMs",
    timeLimit(
      "If it reaches its time limit, it is retried from its beginning with a longer one, up to this.",
      "a job that may run for no time cannot run",
    ),
  ),
  retryFactor: number({
    description: "Factor by which the memory, or the limit, grows with each retry.",
    ...{ least: 1.1, most: 10, default: "2", examples: ["1.5"] },
  }),
};
