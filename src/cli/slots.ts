/** `stint slots`: lists free slots, the capacity that the sites' queues leave. */
import { Command } from "commander";
import type { SlotSetView, SlotView } from "../api/client/index.ts";
import { lengthText, suText } from "../base/index.ts";
import { resourceAmountText } from "../model/index.ts";
import type { CommandContext } from "./command-context.ts";
import { instantText, whenText } from "./instant-text.ts";
import {
  type Listing,
  listValue,
  type OutputForm,
  outputOption,
  tableText,
  watchFormUnfit,
  writeItems,
} from "./output-forms.ts";
import type { Terminal } from "./terminal.ts";
import { printable } from "./text-table.ts";

const EXAMPLES = `
Examples:
  $ stint slots
  $ stint slots far here -o wide
  $ stint slots -o csv > slots.csv
  $ stint slots far --watch -o json

A free slot is capacity that remains when all running and waiting jobs are
planned, each with its whole time limit. Slots are of processors (not of memory)
and, as SITE/NAME, of the site's stores and links. A listed slot is not held for
you. A + after LENGTH marks a slot that no scheduled job or reservation ends.
PRICE is what you would pay to reserve the whole slot; a smaller reservation
costs its processor-hours at the unit price, plus the fixed price (both with -o
wide). SEQUENCE (-o wide, json, yaml, csv) increases when a site's slots or
prices change for any reason other than the passage of time. --watch prints a
site's slots again after every change, and at least every minute, until Ctrl-C;
in JSON one set per line. A site that accepts no new jobs at present has no
slots.
`;

interface SlotOptions {
  readonly output: OutputForm;
  readonly watch: boolean;
}

/** A slot with the site and sequence number of its set. */
interface SlotLine extends Omit<SlotView, "procs"> {
  readonly site: string;
  readonly sequence: number;
  /** Null for a store or a link. */
  readonly procs: number | null;
  readonly resource: string | null;
  /** Amount of a store in bytes, of a link in bytes per second. */
  readonly amount: number | null;
  readonly text: string;
}

const SLOT_LISTING: Listing<SlotLine> = {
  columns: [
    { head: "SITE", cell: ({ site, resource }) => (resource === null ? site : `${site}/${resource}`) },
    { head: "START", cell: ({ startAt }, nowMs) => whenText(startAt, nowMs) },
    { head: "PROCS", align: "right", cell: ({ text }) => text },
    { head: "LENGTH", align: "right", cell: lengthOf },
    { head: "PRICE", align: "right", cell: ({ priceProcMs }) => suText(priceProcMs) },
    { head: "FIXED", align: "right", isWide: true, cell: ({ fixedProcMs }) => suText(fixedProcMs) },
    { head: "UNIT PRICE", align: "right", isWide: true, cell: ({ unitPrice }) => String(unitPrice) },
    { head: "SEQUENCE", align: "right", isWide: true, cell: ({ sequence }) => String(sequence) },
  ],
  fields: [
    "site",
    "sequence",
    "startAt",
    "procs",
    "durationSec",
    "divisible",
    "extensible",
    "resource",
    "amount",
    "priceSu",
    "fixedSu",
    "unitPrice",
  ],
  record: ({ text: _, ...line }) => line,
  name: ({ site }) => site,
};

/** Command definition of `stint slots`. */
export function slotsCommand(context: CommandContext): Command {
  return new Command("slots")
    .summary("list free slots")
    .description("Lists the free slots of sites: capacity that neither running nor waiting jobs need.")
    .argument("[site...]", "sites, as stint site list shows them (default: all)")
    .option("-w, --watch", "print the slots again whenever they change", false)
    .addOption(outputOption())
    .addHelpText("after", EXAMPLES)
    .action(async (sites: readonly string[], { output: form, watch }: SlotOptions) => {
      const { terminal } = context;
      const client = await context.client();
      if (watch) {
        const all = sites.length === 0 ? (await client.sites()).map(({ name }) => name) : sites;
        const show = showing(form, terminal);
        await Promise.all(all.map((site) => client.watchSlots(site, show)));
        return;
      }
      const sets =
        sites.length === 0
          ? await client.allSlots()
          : await Promise.all(sites.map((site) => client.slots(site)));
      const items = sets.flatMap(linesOf);
      await writeItems(
        { items, form, value: listValue(sets), none: "no site has a free slot" },
        SLOT_LISTING,
        terminal,
      );
    });
}

function linesOf({ site, sequence, slots, resources }: SlotSetView): SlotLine[] {
  const ofProcs = slots.map((slot) => ({
    ...{ site, sequence, ...slot, resource: null, amount: null, text: String(slot.procs) },
  }));
  const ofOthers = resources.flatMap(({ kind, name, slots: its }) =>
    its.map((slot) => ({
      ...{
        site,
        sequence,
        ...slot,
        procs: null,
        resource: name,
        text: resourceAmountText({ kind, ...slot }),
      },
    })),
  );
  return [...ofProcs, ...ofOthers];
}

/** Format of each set while watching: a line of JSON, or a heading and a table. */
function showing(form: OutputForm, terminal: Terminal): (set: SlotSetView) => void {
  if (form === "json") return (set) => terminal.writeResult(`${JSON.stringify(set)}\n`);
  if (form !== "table" && form !== "wide") throw watchFormUnfit(form);
  return (set) => {
    const heading = `${instantText(set.at)}  ${set.site}  sequence ${set.sequence}`;
    const table = tableText(linesOf(set), SLOT_LISTING, form, terminal);
    terminal.writeResult(`${printable(heading)}\n${linesOf(set).length === 0 ? "no free slot\n" : table}\n`);
  };
}

function lengthOf({ durationSec, extensible }: SlotLine): string {
  return `${lengthText(durationSec)}${extensible ? "+" : ""}`;
}
