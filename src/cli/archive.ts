/** `stint archive`: moves old events of the log to files, lists these, and verifies them. */
import { Command } from "commander";
import type { StintClient } from "../api/client/index.ts";
import { counted, Fault, formatSize } from "../base/index.ts";
import { instantText } from "./instant-text.ts";
import { type Listing, type OutputForm, outputOption, writeItems } from "./output-forms.ts";
import { durationValue } from "./quantity-values.ts";
import type { Terminal } from "./terminal.ts";
import { printable } from "./text-table.ts";

/** Access to the archives of the log of a state directory. */
export interface ArchiveTools {
  /** Archives what is older, while no broker runs. @throws Fault `logbookInUse`, `noLog` */
  archive(request: ArchiveRequest): Promise<readonly Archive[]>;
  /** Recorded archives, also while a broker runs. @throws Fault `noLog` */
  list(stateDirectory: string | undefined): Promise<readonly Archive[]>;
  /**
   * Verifies files in the order given; without any the recorded archives, and the log behind them.
   *
   * @throws Fault `noLog`
   */
  verify(files: readonly string[], stateDirectory: string | undefined): Promise<readonly VerifiedPart[]>;
}

interface ArchiveRequest {
  readonly olderThanMs: number;
  /** Directory of the files; `archive` in the state directory where absent. */
  readonly directory: string | undefined;
  readonly stateDirectory: string | undefined;
}

/** A file with archived events. */
interface Archive {
  readonly file: string | null;
  /** Numbers of its first and last event, and their instants, ISO 8601. */
  readonly from: number;
  readonly through: number;
  readonly firstAt: string;
  readonly lastAt: string;
  readonly sizeBytes: number;
}

/** Result for a file, or for the log behind the archives. */
export interface VerifiedPart {
  readonly part: string;
  readonly isIntact: boolean;
  readonly found: string;
}

interface Surroundings extends Terminal {
  /** Opens a client of the running broker. */
  readonly client: () => Promise<Pick<StintClient, "call">>;
  readonly endWith: (exitCode: number) => void;
}

interface RunOptions {
  readonly olderThan?: number;
  readonly to?: string;
  readonly stateDir?: string;
}

const LISTING: Listing<Archive> = {
  columns: [
    { head: "FILE", isFlexible: true, cell: fileOf },
    { head: "EVENTS", cell: ({ from, through }) => `${from} to ${through}` },
    { head: "FIRST", cell: ({ firstAt }) => instantText(firstAt) },
    { head: "LAST", cell: ({ lastAt }) => instantText(lastAt) },
    { head: "SIZE", align: "right", cell: ({ sizeBytes }) => archiveSize(sizeBytes) },
  ],
  fields: ["file", "from", "through", "firstAt", "lastAt", "sizeBytes"],
  record: (archive) => ({ ...archive }),
  name: fileOf,
};

const EXAMPLES = `
Examples:
  $ stint archive --older-than 90d
  $ stint archive list
  $ stint archive verify
  $ stint archive verify events-000000000001-000000051200.ndjson.gz
  $ zcat archive/events-*.gz | jq 'select(.body.job == "c7k2m9xw")'

Every event recorded before that time leaves the log's database for one file, which is verified before the
events are deleted from the database. Jobs, accounts, policies and usage stay, also of archived jobs. A
running broker archives into its own directory, for administrators only; server.retention in stint.yaml
archives once a day. Keep the files: stint doctor, stint policy verify and upgrades read them. verify exits
with 1 if an event differs from what was recorded.
`;

/** Command definition of `stint archive`. */
export function archiveCommand(load: () => Promise<ArchiveTools>, surroundings: Surroundings): Command {
  const { writeResult, endWith } = surroundings;
  const command = new Command("archive")
    .summary("move old log events to archive files, and verify the files")
    .description("Moves old events of the log to a file that can be verified.")
    .option("--older-than <time>", "events older than this, such as 90d", durationValue("--older-than"))
    .option("--to <directory>", "directory for the file (default: archive in the state directory)")
    .option("--state-dir <directory>", "the state directory (default: $STINT_STATE_DIR)")
    .addHelpText("after", EXAMPLES)
    .action(async ({ olderThan, to, stateDir }: RunOptions, self: Command) => {
      if (olderThan === undefined) return self.help();
      const request = { olderThanMs: olderThan, directory: to, stateDirectory: stateDir };
      const made = await archived(await load(), request, surroundings.client);
      writeResult(made.length === 0 ? "no event is that old\n" : made.map(lineOf).join(""));
    });
  // With global options only: --state-dir may stand before or behind the word.
  const stateOf = (): string | undefined => command.opts<RunOptions>().stateDir;
  command
    .command("list")
    .summary("list the archives")
    .description("Lists the archives of the log, oldest first.")
    .addOption(outputOption())
    .action(async ({ output: form }: { readonly output: OutputForm }) => {
      const items = await (await load()).list(stateOf());
      await writeItems({ items, form, none: "nothing is archived" }, LISTING, surroundings);
    });
  command
    .command("verify")
    .summary("verify the hash chain through all archives to the log")
    .description("Verifies the hash chain through all archives to the log; names the first wrong event.")
    .argument("[file...]", "archives, oldest first (default: all archives, and the log that follows them)")
    .action(async (files: readonly string[]) => {
      const parts = await (await load()).verify(files, stateOf());
      writeResult(parts.map(verdictOf).join(""));
      endWith(parts.every(({ isIntact }) => isIntact) ? 0 : 1);
    });
  return command;
}

/** Archives at the state directory, or through the broker that runs on it. */
async function archived(
  tools: ArchiveTools,
  request: ArchiveRequest,
  client: Surroundings["client"],
): Promise<readonly Archive[]> {
  try {
    return await tools.archive(request);
  } catch (error) {
    const isElsewhere = error instanceof Fault && ["logbookInUse", "noLog"].includes(error.code);
    if (!isElsewhere || request.stateDirectory !== undefined) throw error;
    if (request.directory !== undefined && error.code === "logbookInUse") throw directoryOfBroker();
    if (request.directory !== undefined) throw error;
    const body = { olderThanSec: Math.round(request.olderThanMs / 1000) };
    return (await (await client()).call("archiveEvents", { body })).items;
  }
}

function directoryOfBroker(): Fault {
  return new Fault({
    kind: "refused",
    code: "archiveDirectory",
    what: "--to cannot be used while the broker runs",
    why: "a running broker archives into the directory archive of its state directory",
    remedy: "leave out --to, or stop the broker with stint down",
  });
}

function lineOf(archive: Archive): string {
  const { from, through, firstAt, lastAt, sizeBytes } = archive;
  const events = `events ${from} to ${through}, ${instantText(firstAt)} to ${instantText(lastAt)}`;
  return `${printable(fileOf(archive))}: ${events}, ${archiveSize(sizeBytes)}\n`;
}

function fileOf({ file }: Archive): string {
  return file ?? "an archive of the broker";
}

function archiveSize(sizeBytes: number): string {
  return sizeBytes < 1024 ? counted(sizeBytes, "byte") : formatSize(sizeBytes - (sizeBytes % 1024));
}

function verdictOf({ part, isIntact, found }: VerifiedPart): string {
  return `${isIntact ? "ok " : "bad"}  ${printable(part)}: ${printable(found)}\n`;
}
