/** The thread of one study of policies. */
import { answerTask } from "./bounded-threads.ts";
import { study } from "./policy-study.ts";

await answerTask(study);
