/** `stint cancel`, `hold`, `release`, `suspend`, `resume`: act on jobs in turn. */
import { Command } from "commander";
import { counted } from "../base/index.ts";
import type { JobVerb } from "../model/index.ts";
import type { CommandContext } from "./command-context.ts";
import { eachJob } from "./each-job.ts";
import { ofJobOrArray } from "./job-or-array.ts";

interface VerbWords {
  readonly summary: string;
  readonly description: string;
  /** Result printed for each job. */
  readonly done: string;
}

const VERBS: Readonly<Record<JobVerb, VerbWords>> = {
  cancel: {
    summary: "cancel waiting and running jobs",
    description:
      "Removes waiting jobs from the queue and ends running ones: TERM to all their processes, KILL " +
      "if they do not end. They end as CANCELLED.",
    done: "cancel requested",
  },
  hold: {
    summary: "hold waiting jobs, so that they do not start",
    description: "Holds waiting jobs: they do not start until they are released.",
    done: "held",
  },
  release: {
    summary: "release held jobs",
    description: "Releases held jobs: they wait in the queue again.",
    done: "released",
  },
  suspend: {
    summary: "suspend running jobs",
    description:
      "Suspends the processes of running jobs and frees their processors for others. Suspended " +
      "time does not count against the time limit.",
    done: "suspended",
  },
  resume: {
    summary: "resume suspended jobs",
    description: "Resumes suspended jobs as soon as there is room for them again.",
    done: "resumed",
  },
};

/** Command definition of `stint cancel`. */
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
        const changed = await ofJobOrArray(
          () => client.act(id, verb),
          async () => (await client.actOnArray(id, verb)).changed,
        );
        const of = typeof changed === "number" ? ` (${counted(changed, "job")})` : "";
        context.terminal.writeResult(`${id}: ${done}${of}\n`);
      };
      await eachJob(ids, one, context);
    });
}

function examples(verb: JobVerb): string {
  return `
Examples:
  $ stint ${verb} 7f3a
  $ stint list -o name --state ${verb === "release" ? "held" : "running"} | xargs stint ${verb}

The id of an array stands for all of its jobs that are in a state for it. A job for which it cannot be
done is told on stderr, the others go on; the exit code is that of the worst.
`;
}
