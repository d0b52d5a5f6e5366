/** `stint stream`: submits, shows and changes streams, whose data come in while they compute. */
import { Command } from "commander";
import type { StreamChangeRequest, StreamView } from "../api/client/index.ts";
import { Fault } from "../base/index.ts";
import type { CommandContext } from "./command-context.ts";
import { eachJob } from "./each-job.ts";
import { appendIds, demandIdsFile, withIdsTo } from "./id-files.ts";
import { whenText } from "./instant-text.ts";
import { factorValue } from "./option-values.ts";
import { type Listing, type OutputForm, outputOption, writeItems } from "./output-forms.ts";
import { rateValue } from "./quantity-values.ts";
import { printable } from "./text-table.ts";
import { uploadInputs } from "./upload-inputs.ts";

const MEGABYTE = 1_000_000;

const SUBMIT_EXAMPLES = `
Examples:
  $ stint stream submit ligo.yaml
  $ stint stream submit ligo.xml --site cluster

A stream waits until its minimum processors, bandwidth and storage are free at
the site. Its id is the id of its job: stint why, logs, events and cancel accept
it, too.
`;
const STATUS_EXAMPLES = `
Examples:
  $ stint stream status
  $ stint stream status hk3v -o json
  $ stint stream status hk3v p2mw

RATE is the rate at which data arrive, GIVEN the bandwidth allocated to the
stream, and DONE the rate at which its application acknowledges data. STORED is
the storage in use, of its quota (QUOTA); LAG the data received but not
acknowledged yet; UNSENT (-o wide) the results that its sink has not confirmed, SLOWEST (-o wide)
the stage of a pipeline with the lowest rate; -o json has the rate of each stage.
A halted stream waits for storage, a stalled one for its source; a stream in
TRIAL runs briefly on each class of processors (CLASS, -o wide). A failed stream
ended before the end of its data: TROUBLE (-o wide) says why, stint logs --stderr
has the whole message.
`;

const size = (bytes: number): string => `${(bytes / MEGABYTE).toFixed(2)}MB`;
const rate = (bytesPerSec: number): string => `${size(bytesPerSec)}/s`;

const LISTING: Listing<StreamView> = {
  columns: [
    { head: "ID", cell: ({ id }) => id },
    { head: "NAME", isFlexible: true, cell: ({ name }) => printable(name) },
    { head: "SITE", isOptional: true, cell: ({ site }) => site },
    { head: "STATE", cell: ({ state }) => state },
    { head: "GIVEN", align: "right", cell: (it) => rateOf(it, "allocatedBytesPerSec") },
    { head: "RATE", align: "right", cell: (it) => rateOf(it, "receivedBytesPerSec") },
    { head: "DONE", align: "right", cell: (it) => rateOf(it, "processedBytesPerSec") },
    { head: "STORED", align: "right", cell: ({ figures }) => shown(figures?.occupiedBytes, size) },
    { head: "QUOTA", align: "right", cell: ({ figures }) => shown(figures?.quotaBytes, size) },
    { head: "HALTS", align: "right", cell: ({ figures }) => shown(figures?.halts, String) },
    { head: "LAG", align: "right", cell: ({ figures }) => shown(figures?.lagBytes, size) },
    { head: "BLOCK", align: "right", cell: ({ figures }) => shown(figures?.position, String) },
    {
      head: "UNSENT",
      isWide: true,
      align: "right",
      cell: ({ figures }) => shown(figures?.unsentBytes, size),
    },
    {
      head: "SLOWEST",
      isWide: true,
      cell: ({ figures }) => printable(figures?.slowestStage ?? "-"),
    },
    { head: "CLASS", isWide: true, cell: ({ processorClass = "-" }) => processorClass },
    { head: "SUBMITTED", isWide: true, cell: ({ submittedAt }, nowMs) => whenText(submittedAt, nowMs) },
    { head: "TROUBLE", isWide: true, cell: (stream) => printable(troubleOf(stream)) },
  ],
  fields: ["id", "name", "site", "state", "weight", "submittedAt", "admittedAt", "endedAt", "figures"],
  record: (stream) => ({ ...stream }),
  name: ({ id }) => id,
};

/** Why a stream failed, or what hinders it now. */
function troubleOf({ figures, problem, failedTrials: [failed] = [] }: StreamView): string {
  const ofTrial = failed && `trial on ${failed.className}: ${failed.why}`;
  return figures?.failure ?? problem?.why ?? figures?.trouble ?? ofTrial ?? "-";
}

type RateName = "allocatedBytesPerSec" | "receivedBytesPerSec" | "processedBytesPerSec";

/** A rate of a stream; an ended stream has none. */
function rateOf({ endedAt, figures }: StreamView, name: RateName): string {
  return shown(endedAt === null ? figures?.[name] : undefined, rate);
}

function shown(value: number | null | undefined, text: (value: number) => string): string {
  return value === undefined || value === null ? "-" : text(value);
}

/** Command definition of `stint stream`. */
export function streamCommand(context: CommandContext): Command {
  const changing = (name: string, summary: string, change: StreamChangeRequest, done: string): Command =>
    new Command(name)
      .summary(summary)
      .description(`${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`)
      .argument("<id>", "id of the stream")
      .action((id: string) => send(context, id, { change, done }));
  return new Command("stream")
    .summary("run applications that receive their data while they compute")
    .description("Submits, shows and changes streams: jobs that pull their data while they compute.")
    .addCommand(submitCommand(context))
    .addCommand(
      statusCommand(context, "status [id...]", "show streams with their rates, storage and position"),
    )
    .addCommand(statusCommand(context, "list", "list streams that wait, run, or ended recently"))
    .addCommand(
      changing("pause", "stop fetching data; the application continues", { paused: true }, "paused"),
    )
    .addCommand(changing("resume", "fetch data again", { paused: false }, "resumed"))
    .addCommand(
      changing(
        "drain",
        "stop fetching data, process what has arrived, and end",
        { draining: true },
        "draining",
      ),
    )
    .addCommand(setCommand(context));
}

function submitCommand(context: CommandContext): Command {
  return withIdsTo(new Command("submit"))
    .summary("submit a stream described in YAML or XML; prints its id")
    .description("Submits a stream. It starts when its minimum resources are free at the site.")
    .argument("<file>", "description of the stream")
    .option("--site <name>", "site that runs it", "local")
    .addHelpText("after", SUBMIT_EXAMPLES)
    .action(async (file: string, { site, idsTo }: { readonly site: string; readonly idsTo?: string }) => {
      const { readStreamRequest } = await import("./stream-request.ts");
      const { terminal } = context;
      const read = await readStreamRequest(file, { site, directory: terminal.directory });
      demandIdsFile(terminal.directory, idsTo);
      const client = await context.client();
      const [request = read] = await uploadInputs([read], {}, { client, terminal });
      const { id } = await client.call("submitStream", { body: request });
      context.terminal.writeResult(`${id}\n`);
      appendIds(context.terminal.directory, idsTo, [id]);
    });
}

function statusCommand(context: CommandContext, term: string, summary: string): Command {
  const [name, argument] = term.split(" ");
  const command = new Command(name)
    .summary(summary)
    .description("Shows streams with their rates, storage and lag.");
  if (argument !== undefined) command.argument(argument, "streams (default: all)");
  const write = async (ids: readonly string[], form: OutputForm): Promise<void> => {
    const client = await context.client();
    const one = (id: string) => client.call("getStream", { params: { id } });
    const items =
      ids.length === 0 ? (await client.call("listStreams")).items : await eachJob(ids, one, context);
    if (ids.length === 1 && items.length === 0) return;
    const value = ids.length === 1 ? items[0] : { items };
    await writeItems({ items, form, value, none: "no streams" }, LISTING, context.terminal);
  };
  return command
    .addOption(outputOption())
    .addHelpText("after", STATUS_EXAMPLES)
    .action((...words: readonly unknown[]) => {
      const [ids, options] = argument === undefined ? [[], words[0]] : words;
      return write(ids as readonly string[], (options as { readonly output: OutputForm }).output);
    });
}

interface SetOptions {
  readonly weight?: number;
  readonly maxBandwidth?: number;
}

function setCommand(context: CommandContext): Command {
  return new Command("set")
    .summary("change the weight or the maximum bandwidth of a stream")
    .description("Changes a stream. Bandwidth is redistributed within a second or two.")
    .argument("<id>", "id of the stream")
    .option("--weight <number>", "weight of the stream, greater than 0", factorValue("--weight"))
    .option(
      "--max-bandwidth <rate>",
      "maximum bandwidth of the stream, such as 8MB/s",
      rateValue("--max-bandwidth"),
    )
    .action((id: string, { weight, maxBandwidth }: SetOptions) => {
      if (weight === undefined && maxBandwidth === undefined) throw nothingSet;
      const change = {
        ...(weight === undefined ? {} : { weight }),
        ...(maxBandwidth === undefined ? {} : { maxBytesPerSec: maxBandwidth }),
      };
      return send(context, id, { change, done: "changed" });
    });
}

const nothingSet = new Fault({
  kind: "badInput",
  code: "nothingSet",
  what: "the stream cannot be changed",
  why: "neither --weight nor --max-bandwidth is given",
  remedy: "write for instance stint stream set hk3v --weight 2",
});

async function send(
  { client, terminal }: CommandContext,
  id: string,
  { change, done }: { readonly change: StreamChangeRequest; readonly done: string },
): Promise<void> {
  const stream = await (await client()).call("changeStream", { params: { id }, body: change });
  terminal.writeResult(`${stream.id}: ${done}\n`);
}
