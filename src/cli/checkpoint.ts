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

A job with checkpointable: true writes a checkpoint with stint-ckpt save NAME
FILE..., which is on its PATH. Only complete checkpoints are listed. They stay
at the job's site, like its output, until stint clear removes them.
`;

/** Command definition of `stint checkpoint`. */
export function checkpointCommand(context: CommandContext): Command {
  return new Command("checkpoint")
    .summary("list and download the checkpoints of jobs")
    .description("Lists and downloads the checkpoints of jobs. Other jobs can start from a checkpoint.")
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
    .summary("list the checkpoints of a job")
    .description("Lists the checkpoints of a job, newest first.")
    .argument("<id>", "job; a unique prefix of its id is enough")
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
    .summary("download a checkpoint of a job")
    .description("Downloads the files of a checkpoint of a job.")
    .argument("<id>", "job; a unique prefix of its id is enough")
    .argument("<name>", "name of the checkpoint")
    .option(
      "--to <directory>",
      "directory for the files (default: named after the job id and the checkpoint)",
    )
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
