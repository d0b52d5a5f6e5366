/** `stint clear ID…`: removes the files of ended jobs at their sites. */
import { Command } from "commander";
import { isFinal, RUN_STATES } from "../model/index.ts";
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

/** A job whose files were removed. */
interface Cleared {
  readonly id: string;
}

interface ClearOptions extends JobSelection {
  readonly output: OutputForm;
  readonly yes: boolean;
}

const LISTING: Listing<Cleared> = {
  columns: [{ head: "ID", cell: ({ id }) => id }],
  fields: ["id"],
  record: ({ id }) => ({ id }),
  name: ({ id }) => id,
};

const EXAMPLES = `
Examples:
  $ stint output 7f3a && stint clear 7f3a
  $ stint clear --tag sweep=1
  $ stint clear 7f3a -o json

First fetch what you want to keep: stint output. Removed files cannot be
recovered. Files of jobs count against the storage policies of their site until
they are removed, see stint usage. The job itself stays in stint list, as
CLEARED. With a retention in stint.yaml files are removed when it is over. Jobs
that have not ended are reported on stderr; the others are still processed. The exit
code is the highest of all.
`;

/** Command definition of `stint clear ID...`. */
export function clearCommand(context: CommandContext): Command {
  const command = new Command("clear")
    .summary("remove the files of ended jobs at their sites")
    .description("Removes the files of ended jobs from their sites, which makes room for others.")
    .argument("[id...]", "ended jobs; an id may be abbreviated while it is unique");
  return withSelection(command)
    .option("-y, --yes", "do not ask before the files of several selected jobs are removed", false)
    .addOption(outputOption())
    .addHelpText("after", EXAMPLES)
    .action(async (ids: readonly string[], options: ClearOptions) => {
      const { output, yes } = options;
      const client = await context.client();
      const all = await selectedIds(client, ids, { ...options, usual: RUN_STATES.filter(isFinal) });
      const what = "Remove the files of";
      const isAsked = isSelecting(options);
      if (isAsked && !(await isAgreed(context.terminal, what, { jobs: all.length, yes }))) return;
      const one = async (id: string): Promise<Cleared> => {
        const { id: whole } = await client.job(id);
        await client.clearFiles(whole);
        if (isForPeople(output)) context.terminal.writeResult(`${whole}: cleared\n`);
        return { id: whole };
      };
      const items = await eachJob(all, one, context);
      if (isForPeople(output)) return;
      await writeItems({ items, form: output, value: listValue(items) }, LISTING, context.terminal);
    });
}
