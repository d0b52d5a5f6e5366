/**
 * `stint policy compile`: the policies of a cluster in the words of its own batch system.
 */
import { Command } from "commander";
import type { CompiledPoliciesView } from "../api/client/index.ts";
import { type Daily, jsonText } from "./daily.ts";
import { oneOf } from "./option-values.ts";
import { type Listing, tableText } from "./output-forms.ts";
import { printable } from "./text-table.ts";

const FORMATS = ["table", "json", "commands", "undo"] as const;

const EXAMPLES = `
Examples:
  $ stint policy compile west
  $ stint policy compile west -o undo > back.sh
  $ stint policy compile west -o commands > shares.sh

For a cluster under Slurm: the accounts, fair shares and limits that say the same as the policies, as far as
Slurm has words for it, and only what differs from what it has. Nothing is done: an administrator of the
cluster runs the commands. Save what takes them back (-o undo) before that.
`;

type Change = CompiledPoliciesView["changes"][number];

const LISTING: Pick<Listing<Change>, "columns"> = {
  columns: [
    { head: "ACCOUNT", cell: ({ account }) => account },
    { head: "CONSUMER", cell: ({ consumer }) => consumer },
    { head: "CHANGE", cell: ({ kind }) => kind },
    { head: "SETTINGS", isFlexible: true, cell: ({ settings }) => settings.map(settingText).join(", ") },
  ],
};

/** The command. */
export function policyCompileCommand(daily: Daily): Command {
  return new Command("compile")
    .summary("policies in the words of a cluster's batch system")
    .description("Says the policies of a cluster in the words of its own batch system; changes nothing.")
    .argument("<site>", "a cluster")
    .option("-o, --output <format>", FORMATS.join(", "), oneOf("-o", FORMATS), "table")
    .addHelpText("after", EXAMPLES)
    .action(async (site: string, { output }: { readonly output: (typeof FORMATS)[number] }) => {
      const compiled = await (await daily.client()).compiledPolicies(site);
      const { surface } = daily;
      if (output === "json") surface.writeResult(jsonText(compiled));
      else surface.writeResult(printed(compiled, output, surface.columns));
      if (output !== "json")
        for (const remark of compiled.remarks) surface.writeError(`stint: ${printable(remark)}\n`);
    });
}

function printed(
  { site, changes }: CompiledPoliciesView,
  output: "table" | "commands" | "undo",
  columns: number | undefined,
): string {
  if (output === "commands") return linesOf(changes.map(({ command }) => command));
  // What was done last is taken back first.
  if (output === "undo") return linesOf(changes.map(({ undo }) => undo).reverse());
  if (changes.length === 0) return `${printable(site)} has its policies as its own shares already\n`;
  return tableText(changes, LISTING, "table", columns);
}

/** Names were checked to need no quotes. */
function linesOf(commands: readonly (readonly string[])[]): string {
  return commands.map((words) => `${words.join(" ")}\n`).join("");
}

function settingText({ name, before, after }: Change["settings"][number]): string {
  return before === null ? `${name}=${after}` : `${name}=${after} (was ${before})`;
}
