/** The thread of one plan of a workflow. */
import { answerTask } from "./bounded-threads.ts";
import { planText } from "./plan-text.ts";

await answerTask(planText);
