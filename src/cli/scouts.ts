/** `stint scouts`: time limit and memory that the first jobs of a sweep propose for the others. */
import { Command, Option } from "commander";
import { arrayDetails } from "./array-table.ts";
import type { CommandContext } from "./command-context.ts";

const EXAMPLES = `
Examples:
  $ stint scouts 7f3a
  $ stint scouts 7f3a --use
  $ stint scouts 7f3a --keep

In a sweep with scouts: propose, use or wait, 1 % of the jobs, at least 3, run first. The proposed time limit
is 1.5 times the longest run of those that succeeded, the proposed memory 1.25 times the largest use. Neither
exceeds what the sweep requests.
`;

interface ScoutsOptions {
  readonly use?: true;
  readonly keep?: true;
}

/** Command definition of `stint scouts ID`. */
export function scoutsCommand(context: CommandContext): Command {
  return new Command("scouts")
    .summary("show or apply the limits that the first jobs of a sweep propose")
    .description(
      "Shows the time limit and memory that the first jobs of a sweep propose for the others. --use and " +
        "--keep apply to the jobs that have no site yet.",
    )
    .argument("<id>", "sweep; a unique prefix of its id is enough")
    .addOption(
      new Option("--use", "run the other jobs with the proposed time limit and memory").conflicts("keep"),
    )
    .option("--keep", "run the other jobs as described")
    .addHelpText("after", EXAMPLES)
    .action(async (id: string, { use, keep }: ScoutsOptions) => {
      const { terminal } = context;
      const client = await context.client();
      const isDecided = use === true || keep === true;
      const array = isDecided
        ? await client.call("decideScouts", { params: { id }, body: { use: use === true } })
        : await client.array(id);
      terminal.writeResult(arrayDetails(array, terminal.nowMs()));
    });
}
