/**
 * `stint quote`: what a slot would cost, in a queue that a file describes.
 */
import { Command } from "commander";
import { Fault } from "../base/index.ts";
import type { QuotedStart, QuoteSnapshot } from "../model/index.ts";
import { positiveInteger, secondsValue } from "./option-values.ts";
import { isForPeople, type Listing, type OutputForm, outputOption, writeItems } from "./output-forms.ts";
import { durationValue } from "./quantity-values.ts";
import { EXIT_CODES } from "./report-fault.ts";
import type { Surface } from "./surface.ts";
import { formatSeconds } from "./times.ts";

const EXAMPLES = `
Examples:
  $ stint quote --snapshot queue.json -n 64 -t 4h
  $ stint quote --snapshot queue.json -n 64 -t 4h --start 50400
  $ stint quote --snapshot queue.json -n 64 -t 4h --from 50400 -o json

A slot may be had wherever it conflicts with neither running jobs nor reservations. Its price is procs ×
hours × unit price, and a fixed part that makes up for the delays of those who wait. Listed are all starts at
which something at the site changes. The file says, in seconds and processors:

  { "nowSec": 0, "procs": 128, "discipline": "easy",
    "running": [{ "id": "1", "procs": 64, "endSec": 3600 }],
    "queued": [{ "id": "2", "procs": 128, "estimateSec": 7200 }],
    "reservations": [{ "id": "r", "procs": 32, "startSec": 9000, "durationSec": 600 }] }
`;

interface QuoteOptions {
  readonly snapshot: string;
  readonly procs: number;
  readonly time: number;
  readonly start?: number;
  readonly from?: number;
  readonly output: OutputForm;
}

/** A row in the words and units of people. */
interface QuoteRow {
  readonly startSec: number;
  readonly unitPrice: number;
  readonly fixedSu: number;
  readonly delaysJobs: number;
  readonly delaySu: number;
}

const PROC_MS_PER_SU = 3_600_000;

/** The command; `loadQuote` is called when it is used. */
export function quoteCommand(
  loadQuote: () => Promise<QuoteSnapshot>,
  surface: Surface & { readonly endWith: (exitCode: number) => void },
): Command {
  return new Command("quote")
    .summary("what a slot would cost")
    .description("Prices a slot: all starts at which it could be had, and what each would cost.")
    .requiredOption("--snapshot <file>", "the queue, as JSON or YAML")
    .requiredOption("-n, --procs <number>", "how many processors", positiveInteger("-n"))
    .requiredOption("-t, --time <time>", "for how long", durationValue("-t"))
    .option("--start <seconds>", "exactly then, on the file's clock", secondsValue("--start"))
    .option("--from <seconds>", "from then on", secondsValue("--from"))
    .addOption(outputOption())
    .addHelpText("after", EXAMPLES)
    .action(async (options: QuoteOptions) => {
      if (options.start !== undefined && options.from !== undefined) throw startAndFrom;
      const quote = await loadQuote();
      const rows = (await quote(questionOf(options))).map(rowOf);
      await writeItems({ items: rows, form: options.output, value: rows }, listingOf(options), surface);
      if (rows.length > 0) return;
      if (isForPeople(options.output)) surface.writeError(noneText(options));
      surface.endWith(EXIT_CODES.refused);
    });
}

function questionOf({ snapshot: file, procs, time: durationMs, start, from }: QuoteOptions) {
  return {
    ...{ file, procs, durationMs },
    ...(start === undefined ? {} : { startMs: start }),
    ...(from === undefined ? {} : { fromMs: from }),
  };
}

function rowOf({
  startMs,
  unitPriceThousandths,
  fixedProcMs,
  delaysJobs,
  delayProcMs,
}: QuotedStart): QuoteRow {
  return {
    startSec: startMs / 1000,
    unitPrice: unitPriceThousandths / 1000,
    fixedSu: fixedProcMs / PROC_MS_PER_SU,
    delaysJobs,
    delaySu: delayProcMs / PROC_MS_PER_SU,
  };
}

function listingOf({ procs, time }: QuoteOptions): Listing<QuoteRow> {
  const base = (procs * time) / PROC_MS_PER_SU;
  return {
    columns: [
      { head: "START", align: "right", cell: ({ startSec }) => `${startSec} s` },
      { head: "PRICE", align: "right", cell: ({ unitPrice, fixedSu }) => suText(base * unitPrice + fixedSu) },
      { head: "FIXED", align: "right", cell: ({ fixedSu }) => suText(fixedSu) },
      {
        head: "DELAYS",
        align: "right",
        cell: ({ delaysJobs }) => (delaysJobs === 0 ? "-" : String(delaysJobs)),
      },
    ],
    fields: ["startSec", "unitPrice", "fixedSu", "delaysJobs", "delaySu"],
    record: (row) => ({ ...row }),
    name: ({ startSec }) => String(startSec),
  };
}

function suText(su: number): string {
  return `${su.toFixed(2)} SU`;
}

function noneText({ procs, time, start }: QuoteOptions): string {
  const slot = `${procs} processors for ${formatSeconds(time / 1000)}`;
  const then = start === undefined ? "at any time" : `at ${start / 1000} s`;
  return (
    `stint: ${slot} cannot be had ${then}\n` +
    "stint: it would be in the past, run into what runs or is reserved, or be wider than the machine\n" +
    "stint: leave --start out to see what can be had, or ask for less\n"
  );
}

const startAndFrom = new Fault({
  kind: "badInput",
  code: "optionMisplaced",
  what: "--start and --from cannot both be said",
  why: "one asks for exactly then, the other for everything from then on",
  remedy: "leave one of them out",
});
