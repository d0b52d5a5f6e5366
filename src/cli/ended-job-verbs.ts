/** `stint clear` and `stint purge`: remove the files of ended jobs, and mark them as CLEARED or PURGED. */
import { Command } from "commander";
import type { StintClient } from "../api/client/index.ts";
import { isFinal, JOB_STATES, type JobState, RUN_STATES } from "../model/index.ts";
import type { CommandContext } from "./command-context.ts";
import { eachJob } from "./each-job.ts";
import { isForPeople, type Listing, type OutputForm, outputOption, writeItems } from "./output-forms.ts";
import {
  isAgreed,
  isSelecting,
  type JobSelection,
  selectedMemberIds,
  withSelection,
} from "./selected-jobs.ts";

interface EndedJobWords {
  readonly summary: string;
  readonly description: string;
  readonly examples: string;
  /** Action that needs confirmation, in the help of --yes. */
  readonly unasked: string;
  /** Question before several jobs, up to their number. */
  readonly question: string;
  /** Result printed for each job. */
  readonly done: string;
  /** States of the jobs that a selection means. */
  readonly states: readonly JobState[];
  readonly act: (client: StintClient, id: string) => Promise<unknown>;
}

/** A job that was cleared or purged. */
interface Retired {
  readonly id: string;
}

interface RetireOptions extends JobSelection {
  readonly output: OutputForm;
  readonly yes: boolean;
}

const LISTING: Listing<Retired> = {
  columns: [{ head: "ID", cell: ({ id }) => id }],
  fields: ["id"],
  record: ({ id }) => ({ id }),
  name: ({ id }) => id,
};

const CLEAR_EXAMPLES = `
Examples:
  $ stint output 7f3a && stint clear 7f3a
  $ stint clear --tag sweep=1
  $ stint clear 7f3a -o json

First fetch what you want to keep: stint output. Removed files cannot be
recovered. Files of jobs count against the storage policies of their site until
they are removed, see stint usage. The job itself stays in stint list, as
CLEARED. With server.jobRetention in stint.yaml the broker removes files by
itself. Jobs that have not ended are reported on stderr; the others are still
processed. The exit code is the highest of all.
`;

const PURGE_EXAMPLES = `
Examples:
  $ stint purge 7f3a
  $ stint purge --tag sweep=1 --yes

Files are removed as by stint clear and cannot be recovered. Accounting and
provenance of the jobs stay: stint report, stint usage, stint provenance. With
server.jobRetention in stint.yaml the broker purges jobs by itself.
`;

const VERBS = {
  clear: {
    summary: "remove the files of ended jobs at their sites",
    description: "Removes the files of ended jobs from their sites, to free storage there.",
    examples: CLEAR_EXAMPLES,
    unasked: "remove the files of selected jobs, or of an array or a DAG,",
    question: "Remove the files of",
    done: "cleared",
    states: RUN_STATES.filter(isFinal),
    act: (client, id) => client.clearFiles(id),
  },
  purge: {
    summary: "remove the files of ended jobs, and mark the jobs as PURGED",
    description: "Marks ended jobs as PURGED and removes their files from their sites.",
    examples: PURGE_EXAMPLES,
    unasked: "purge selected jobs, or an array or a DAG,",
    question: "Purge",
    done: "purged",
    states: JOB_STATES.filter((state) => isFinal(state) && state !== "PURGED"),
    act: (client, id) => client.purgeJob(id),
  },
} as const satisfies Readonly<Record<string, EndedJobWords>>;

/** Command definition of `stint clear ID...` or `stint purge ID...`. */
export function endedJobCommand(context: CommandContext, verb: keyof typeof VERBS): Command {
  const { summary, description, examples, unasked, question, done, states, act }: EndedJobWords = VERBS[verb];
  const command = new Command(verb)
    .summary(summary)
    .description(description)
    .argument(
      "[id...]",
      "ended jobs, arrays (all their jobs) or DAGs (all their nodes); a unique prefix of an id is enough",
    );
  return withSelection(command)
    .option("-y, --yes", `${unasked} without confirmation`, false)
    .addOption(outputOption())
    .addHelpText("after", examples)
    .action(async (ids: readonly string[], options: RetireOptions) => {
      const { output, yes } = options;
      const client = await context.client();
      const all = await selectedMemberIds(client, ids, { ...options, usual: states });
      // The caller may not know how many jobs an array or a DAG has.
      const isAsked = isSelecting(options) || all.length > ids.length;
      if (isAsked && !(await isAgreed(context.terminal, question, { jobs: all.length, yes }))) return;
      const one = async (id: string): Promise<Retired> => {
        const { id: whole } = await client.job(id);
        await act(client, whole);
        if (isForPeople(output)) context.terminal.writeResult(`${whole}: ${done}\n`);
        return { id: whole };
      };
      const items = await eachJob(all, one, context);
      if (!isForPeople(output)) await writeItems({ items, form: output }, LISTING, context.terminal);
    });
}
