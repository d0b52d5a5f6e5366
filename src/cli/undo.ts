/** `stint undo`: undoes the actions of enforcers on jobs. */
import { Command } from "commander";
import type { CommandContext } from "./command-context.ts";
import { eachJob } from "./each-job.ts";
import { printable } from "./text-table.ts";

const EXAMPLES = `
Examples:
  $ stint undo 7f3a
  $ stint policy actions --site here -o name | sort -u | xargs stint undo

A job that the enforcer of its site has held is released into the queue; one
that it has suspended is resumed. From then on the enforcer takes no action on
the job. Jobs that people have held or suspended stay held or suspended. Jobs on
which the enforcer has taken no action are reported on stderr; the others are
still processed.
`;

/** Command definition of `stint undo`. */
export function undoCommand(context: CommandContext): Command {
  return new Command("undo")
    .summary("undo the actions of an enforcer on jobs")
    .description(
      "Undoes the actions of an enforcer on jobs, and exempts the jobs from enforcement from then on.",
    )
    .argument("<id...>", "jobs; a unique prefix of an id is enough")
    .addHelpText("after", EXAMPLES)
    .action(async (ids: readonly string[]) => {
      const client = await context.client();
      const one = async (id: string): Promise<void> => {
        await client.undoEnforcement(id);
        context.terminal.writeResult(`${printable(id)}: undone, and left alone\n`);
      };
      await eachJob(ids, one, context);
    });
}
