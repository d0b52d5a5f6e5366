/** The process that starts a broker's commands: it takes them from its parent and ends with it. */
import type { ProcessAnswer, ProcessQuestion } from "./command-process.ts";
import { runProcess } from "./run-process.ts";

process.on("message", ({ id, order }: ProcessQuestion) => {
  void runProcess(order).then((result) => {
    if (process.connected) process.send?.({ id, result } satisfies ProcessAnswer);
  });
});
process.on("disconnect", () => process.exit(0));
