/** `stint purge ID…`: retires the records of ended jobs. */
import { Command } from "commander";
import { isFinal, JOB_STATES } from "../model/index.ts";
import type { CommandContext } from "./command-context.ts";
import { eachJob } from "./each-job.ts";
import {
  isForPeople,
  type Listing,
  listValue,
  type OutputForm,
  outputOption,
  writeItems,
} from "./output-forms.ts";
import { isAgreed, isSelecting, type JobSelection, selectedIds, withSelection } from "./selected-jobs.ts";

/** A job whose record was retired. */
interface Purged {
  readonly id: string;
}

interface PurgeOptions extends JobSelection {
  readonly output: OutputForm;
  readonly yes: boolean;
}

const LISTING: Listing<Purged> = {
  columns: [{ head: "ID", cell: ({ id }) => id }],
  fields: ["id"],
  record: ({ id }) => ({ id }),
  name: ({ id }) => id,
};

const EXAMPLES = `
Examples:
  $ stint purge 7f3a
  $ stint purge --tag sweep=1 --yes

The files of the jobs are removed too, as by stint clear, and cannot be
recovered. What stint report, stint usage and stint provenance say of the jobs
stays. With a retention in stint.yaml jobs are purged when it is over.
`;

/** Command definition of `stint purge ID...`. */
export function purgeCommand(context: CommandContext): Command {
  const command = new Command("purge")
    .summary("remove the files of ended jobs, and mark the jobs as PURGED")
    .description("Marks ended jobs as PURGED and removes their files from their sites.")
    .argument("[id...]", "ended jobs; an id may be abbreviated while it is unique");
  return withSelection(command)
    .option("-y, --yes", "do not ask before several selected jobs are purged", false)
    .addOption(outputOption())
    .addHelpText("after", EXAMPLES)
    .action(async (ids: readonly string[], options: PurgeOptions) => {
      const { output, yes } = options;
      const client = await context.client();
      const usual = JOB_STATES.filter((state) => isFinal(state) && state !== "PURGED");
      const all = await selectedIds(client, ids, { ...options, usual });
      const isAsked = isSelecting(options);
      if (isAsked && !(await isAgreed(context.terminal, "Purge", { jobs: all.length, yes }))) return;
      const one = async (id: string): Promise<Purged> => {
        const { id: whole } = await client.job(id);
        await client.purgeJob(whole);
        if (isForPeople(output)) context.terminal.writeResult(`${whole}: purged\n`);
        return { id: whole };
      };
      const items = await eachJob(all, one, context);
      if (isForPeople(output)) return;
      await writeItems({ items, form: output, value: listValue(items) }, LISTING, context.terminal);
    });
}
