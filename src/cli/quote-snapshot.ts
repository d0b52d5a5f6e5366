/** `stint quote --snapshot`: prices of a slot in a queue snapshot from a file. */
import { lengthText, PROC_MS_PER_SU } from "../base/index.ts";
import type { QuotedStart, QuoteSnapshot } from "../model/index.ts";
import type { CommandContext } from "./command-context.ts";
import { secondsValue } from "./option-values.ts";
import { isForPeople, type Listing, type OutputForm, writeItems } from "./output-forms.ts";
import { EXIT_CODES } from "./report-fault.ts";

/** Request for a quote from a file; instants as typed: seconds on the file's clock. */
export interface SnapshotOptions {
  readonly snapshot: string;
  readonly procs: number;
  readonly time: number;
  readonly start?: string;
  readonly from?: string;
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

/** Lists the starts; sets exit code 5 where there is none. */
export async function quoteSnapshot(
  options: SnapshotOptions,
  loadQuote: () => Promise<QuoteSnapshot>,
  { terminal, endWith }: Pick<CommandContext, "terminal" | "endWith">,
): Promise<void> {
  const quote = await loadQuote();
  const rows = (await quote(questionOf(options))).map(rowOf);
  await writeItems({ items: rows, form: options.output }, listingOf(options), terminal);
  if (rows.length > 0) return;
  if (isForPeople(options.output)) terminal.writeError(noneText(options));
  endWith(EXIT_CODES.refused);
}

function questionOf({ snapshot: file, procs, time: durationMs, start, from }: SnapshotOptions) {
  return {
    ...{ file, procs, durationMs },
    ...(start === undefined ? {} : { startMs: secondsValue("--start")(start) }),
    ...(from === undefined ? {} : { fromMs: secondsValue("--from")(from) }),
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

function listingOf({ procs, time }: SnapshotOptions): Listing<QuoteRow> {
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

function noneText({ procs, time, start }: SnapshotOptions): string {
  const slot = `${procs} processors for ${lengthText(time / 1000)}`;
  const then = start === undefined ? "at any time" : `at ${start} s`;
  return (
    `stint: ${slot} is not available ${then}\n` +
    "stint: it would begin in the past, overlap running jobs or " +
    "reservations, or be wider than the machine\n" +
    "stint: omit --start to list available starts, or request less\n"
  );
}
