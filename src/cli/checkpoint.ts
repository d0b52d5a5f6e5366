/** `stint checkpoint`: the states that jobs saved. */
import { Command } from "commander";
import type { CheckpointView } from "../api/client/index.ts";
import { formatSize } from "../base/index.ts";
import type { CommandContext } from "./command-context.ts";
import { downloadOutput } from "./download-output.ts";
import { datedText } from "./instant-text.ts";
import { type Listing, type OutputForm, outputOption, writeItems } from "./output-forms.ts";
import { printable } from "./text-table.ts";

const EXAMPLES = `
Examples:
  $ stint checkpoint list 7f3a
  $ stint checkpoint fetch 7f3a step40 --to state
  $ stint run --from-checkpoint 7f3a:step40 -- ./simulate

A job with checkpointable: true saves a state with stint-ckpt save NAME FILE..., which is on its PATH. Only
complete states are listed. They stay at the job's site, like its output, until stint clear removes them.
`;

/** Command definition of `stint checkpoint`. */
export function checkpointCommand(context: CommandContext): Command {
  return new Command("checkpoint")
    .summary("list and fetch the states that jobs saved")
    .description("Lists and fetches the states that jobs saved, from which others can begin.")
    .addHelpText("after", EXAMPLES)
    .addCommand(listCommand(context))
    .addCommand(fetchCommand(context));
}

function listingAt(nowMs: number): Listing<CheckpointView> {
  return {
    columns: [
      { head: "NAME", isFlexible: true, cell: ({ name }) => name },
      { head: "SAVED", cell: ({ savedAt }) => datedText(savedAt, nowMs) },
      { head: "ATTEMPT", align: "right", cell: ({ attempt }) => String(attempt) },
      { head: "FILES", align: "right", cell: ({ files }) => String(files) },
      { head: "SIZE", align: "right", cell: ({ sizeBytes }) => formatSize(sizeBytes) },
    ],
    fields: ["name", "savedAt", "attempt", "files", "sizeBytes"],
    record: (state) => ({ ...state }),
    name: ({ name }) => name,
  };
}

function listCommand(context: CommandContext): Command {
  return new Command("list")
    .summary("list the states that a job saved")
    .description("Lists the states that a job saved, newest first.")
    .argument("<id>", "job; its id may be abbreviated while it is unique")
    .addOption(outputOption())
    .action(async (id: string, { output: form }: { readonly output: OutputForm }) => {
      const client = await context.client();
      const { items } = await client.call("listCheckpoints", { params: { id } });
      await writeItems(
        { items, form, none: `job ${printable(id)} has saved no state` },
        listingAt(context.terminal.nowMs()),
        context.terminal,
      );
    });
}

interface FetchOptions {
  readonly to?: string;
  readonly force: boolean;
}

function fetchCommand(context: CommandContext): Command {
  return new Command("fetch")
    .summary("download a state that a job saved")
    .description("Downloads the files of a state that a job saved.")
    .argument("<id>", "job; its id may be abbreviated while it is unique")
    .argument("<name>", "name of the state")
    .option("--to <directory>", "where to (default: a directory of the id and the name)")
    .option("--force", "overwrite existing files", false)
    .action(async (given: string, name: string, { to, force }: FetchOptions) => {
      const client = await context.client();
      const { id } = await client.job(given);
      const { items } = await client.call("getCheckpoint", { params: { id, name } });
      await downloadOutput(items, {
        directory: to ?? `${id}-${name}`,
        startingFrom: context.terminal.directory,
        isOverwriting: force,
        read: (path) => client.readCheckpoint(id, name, path),
        brought: (path) => context.terminal.writeResult(`${printable(path)}\n`),
      });
    });
}
