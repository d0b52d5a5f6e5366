/**
 * `stint cancel`, `hold`, `release`, `suspend`, `resume`: what is done to jobs, one after the other.
 */
import { Command } from "commander";
import type { JobVerb } from "../model/index.ts";
import type { CommandContext } from "./command-context.ts";
import { eachJob } from "./each-job.ts";

interface VerbWords {
  readonly summary: string;
  readonly description: string;
  /** What is said of a job for which it was done. */
  readonly done: string;
}

const VERBS: Readonly<Record<JobVerb, VerbWords>> = {
  cancel: {
    summary: "end jobs, whether they wait or run",
    description:
      "Takes jobs that wait out of the queue and ends those that run: TERM to all their processes, KILL " +
      "when that is not heeded. They end as CANCELLED.",
    done: "cancel requested",
  },
  hold: {
    summary: "keep waiting jobs from starting",
    description: "Keeps jobs that wait from starting until they are released.",
    done: "held",
  },
  release: {
    summary: "let held jobs start again",
    description: "Puts held jobs back into the queue.",
    done: "released",
  },
  suspend: {
    summary: "stop running jobs for a while",
    description:
      "Stops the processes of running jobs where they are and gives their processors to others. Suspended " +
      "time does not count against the time limit.",
    done: "suspended",
  },
  resume: {
    summary: "let suspended jobs go on",
    description: "Lets suspended jobs go on as soon as there is room for them again.",
    done: "resumed",
  },
};

/** One of the five commands. */
export function jobVerbCommand(verb: JobVerb, context: CommandContext): Command {
  const { summary, description, done } = VERBS[verb];
  return new Command(verb)
    .summary(summary)
    .description(description)
    .argument("<id...>", "jobs; an id may be abbreviated while it is unique")
    .addHelpText("after", examples(verb))
    .action(async (ids: readonly string[]) => {
      const client = await context.client();
      const one = async (id: string): Promise<void> => {
        await client.act(id, verb);
        context.terminal.writeResult(`${id}: ${done}\n`);
      };
      await eachJob(ids, one, context);
    });
}

function examples(verb: JobVerb): string {
  return `
Examples:
  $ stint ${verb} 7f3a
  $ stint list -o name --state ${verb === "release" ? "held" : "running"} | xargs stint ${verb}

A job for which it cannot be done is told on stderr, the others go on; the exit code is that of the
worst.
`;
}
