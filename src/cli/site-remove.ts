/** `stint site remove`: removes sites from the broker. */
import { Command } from "commander";
import type { SiteRemovalView } from "../api/client/index.ts";
import type { CommandContext } from "./command-context.ts";
import { eachJob } from "./each-job.ts";
import { printable } from "./text-table.ts";

const EXAMPLES = `
Examples:
  $ stint site remove far
  $ stint site remove --clean far

A site can be removed when no job of the broker is there: run stint site drain,
and wait. Without --clean no files are removed; what remains, and where, is
listed. With --clean everything that belongs to Stint at the site is removed,
including the output of jobs, and so is the broker's folder for the site.
`;

interface RemoveOptions {
  readonly clean: boolean;
  readonly json: boolean;
}

/** Command definition of `stint site remove`. */
export function siteRemoveCommand(context: CommandContext): Command {
  return new Command("remove")
    .summary("remove sites from the broker; --clean also removes Stint's files there")
    .description("Removes sites from the broker, and lists what remains at them.")
    .argument("<name...>", "sites, as stint site list shows them")
    .option("--clean", "also remove Stint's files at the site, and the broker's folder for it", false)
    .option("--json", "write what was removed and what remains as JSON, one line per site", false)
    .addHelpText("after", EXAMPLES)
    .action(async (names: readonly string[], { clean, json }: RemoveOptions) => {
      const client = await context.client();
      const one = async (name: string): Promise<void> => {
        const removal = await client.removeSite(name, { clean });
        const text = json ? `${JSON.stringify(removal)}\n` : removalText(removal);
        context.terminal.writeResult(text);
      };
      await eachJob(names, one, context);
    });
}

function removalText({ name, removed, left }: SiteRemovalView): string {
  const lines = [
    `${name}: removed`,
    ...removed.map((what) => `  removed: ${what}`),
    ...left.map((what) => `  left:    ${what}`),
  ];
  return `${lines.map(printable).join("\n")}\n`;
}
