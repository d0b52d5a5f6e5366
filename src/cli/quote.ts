/** `stint quote`: prices of a slot at sites now, or in a queue snapshot. */

import { Command } from "commander";
import type { PricedStartView, QuoteView, ReservationView } from "../api/client/index.ts";
import { Fault } from "../base/index.ts";
import type { QuoteSnapshot } from "../model/index.ts";
import type { CommandContext } from "./command-context.ts";
import { isForPeople, type OutputForm, outputOption, writeItems } from "./output-forms.ts";
import { PRICE_LISTING, priceLines, priceRows, type SitePrice } from "./price-lines.ts";
import { quoteCoReservation } from "./quote-co-reservation.ts";
import { EXIT_CODES } from "./report-fault.ts";
import { offerText } from "./reservation-table.ts";
import {
  addSlotOptions,
  coReservationOf,
  coReservationRequest,
  offerRequest,
  slotMissing,
  slotRequest,
  startAndFrom,
} from "./slot-options.ts";
import { oneTicket, ticketLeft, ticketLeftText, withTickets } from "./slot-tickets.ts";
import { printable } from "./text-table.ts";
import {
  VIRTUAL_LISTING,
  virtualReservationLines,
  virtualReservationRows,
} from "./virtual-reservation-lines.ts";
import {
  addVirtualReservationOptions,
  demandNone,
  demandVirtualReservation,
  type VirtualReservationOptions,
  virtualReservationRequest,
} from "./virtual-reservation-options.ts";
import { whyNone } from "./why-none.ts";

const EXAMPLES = `
Examples:
  $ stint quote -n 64 -t 4h
  $ stint quote -n 64 -t 4h --site far near --from 6h --cheapest
  $ stint quote -n 64 -t 4h --start 2026-05-31T14:00Z --keep
  $ stint quote -n 16 --gpus 2 -t 4h --site near
  $ stint quote --at far:64 --at near:32 -t 4h
  $ stint quote --at far/scratch=50G -t 4h
  $ stint quote --at far:64 --at far/uplink=100Mbit/s --at near/scratch=20G -t 4h
  $ stint quote --ticket spring.txt -n 64 -t 4h
  $ stint quote --virtual -n 64 -t 4h --start 12h
  $ stint quote --stream ligo.yaml -t 12h
  $ stint quote --snapshot queue.json -n 64 -t 4h --start 50400

A slot is available wherever it conflicts with neither running jobs nor
reservations. Its price is procs × hours × unit price, plus a fixed price for
the delays that it causes to waiting jobs. The table lists every start at which
something changes at a site, with the effect of a reservation there. > marks the
one that --alpha chooses among those that the site's rules allow you. --keep
turns it into an offer: the slot is held briefly at its price, and stint
reserve ID accepts the offer. Without --keep nothing is changed.

--gpus reserves GPUs of a managed or simulated site with the processors. They
cost nothing more than the delays that they cause, and jobs outside the
reservation do not get them. Reservations at Slurm clusters hold no GPUs.

With --at, slots of several sites, stores and links are quoted together, all or
none: the table lists the starts at which all of them are available, with the
total price and the price of each. A share of a store (a size) or of a link (a
rate) can also be quoted alone. It is priced like an equivalent number of
processors, without a fixed price, since it delays no job.

With --stream the price is that of the processors of a stream for its whole time
limit; the bandwidth and storage that a stream gets when it runs cost nothing
more. Bandwidth and storage that a site sells are reserved with --at.

With --ticket the request is treated as a request of the ticket's VO (see stint
ticket), and the remaining amount of the ticket is shown. You cannot reserve a
start that the ticket does not cover.

With --virtual the site need not sell reservations. Each row shows, for one
site: when a job that is to run from --start on would be submitted, its time
limit, the probability that it has started by --start (from past waits, with how
many such predictions came true), and the most SU that it can spend idle until
--start. See stint reserve --virtual.

With --snapshot the queue is read from a file, and --start and --from are
seconds on its clock. All its values are in seconds and processors:

  { "nowSec": 0, "procs": 128, "discipline": "easy",
    "running": [{ "id": "1", "procs": 64, "endSec": 3600 }],
    "queued": [{ "id": "2", "procs": 128, "estimateSec": 7200 }],
    "reservations": [{ "id": "r", "procs": 32, "startSec": 9000, "durationSec": 600 }] }
`;

interface QuoteOptions extends VirtualReservationOptions {
  readonly snapshot?: string;
  /** File that describes a stream. */
  readonly stream?: string;
  readonly keep: boolean;
  readonly output: OutputForm;
}

/** The command; `loadQuote` is called when a file is priced. */
export function quoteCommand(loadQuote: () => Promise<QuoteSnapshot>, context: CommandContext): Command {
  const command = new Command("quote")
    .summary("show the price of a slot")
    .description("Lists all possible starts of a slot with their prices.")
    .option("--stream <file>", "price the processors of this stream, for its time limit or -t, instead of -n")
    .option("--snapshot <file>", "a queue snapshot, as JSON or YAML (default: the broker's sites)");
  return addVirtualReservationOptions(addSlotOptions(command), false)
    .option("--keep", "hold the chosen slot as an offer", false)
    .addOption(outputOption())
    .addHelpText("after", EXAMPLES)
    .action(async (given: QuoteOptions) => {
      const options = given.stream === undefined ? given : await priced(given, context);
      const { snapshot, virtual } = options;
      const at = coReservationOf(options);
      demandVirtualReservation(options);
      if (virtual === true) {
        demandNone({ snapshot, keep: options.keep || undefined, ticket: options.ticket });
        await quoteVirtualReservation(options, context);
      } else if (snapshot === undefined && at !== undefined) {
        const { nowMs, directory } = context.terminal;
        const request = coReservationRequest(
          { ...options, at: await withTickets(at, options, directory) },
          nowMs,
        );
        await quoteCoReservation(request, options, context);
      } else if (snapshot === undefined) await quoteLive(options, context);
      else await quoteFile({ ...options, snapshot }, loadQuote, context);
    });
}

/** The options with the slot of their stream. */
async function priced(options: QuoteOptions, { client }: CommandContext): Promise<QuoteOptions> {
  const { demandStreamPools, withStream } = await import("./stream-slot.ts");
  const { stream: _, ...slot } = await withStream(options);
  const { site, snapshot } = slot;
  if (site !== undefined && snapshot === undefined) demandStreamPools(site, await (await client()).sites());
  return slot;
}

async function quoteFile(
  options: QuoteOptions & { readonly snapshot: string },
  loadQuote: () => Promise<QuoteSnapshot>,
  context: CommandContext,
): Promise<void> {
  const { mem, gpus, site, at, keep, alpha, fastest, cheapest, for: consumer, ticket, ...same } = options;
  const whose = { for: consumer, ticket, keep: keep || undefined };
  const unfit = { mem, gpus, site, at, alpha, fastest, cheapest, ...whose };
  const [name] = Object.entries(unfit).find(([, value]) => value !== undefined) ?? [];
  if (name !== undefined) throw notWithSnapshot(name);
  const { procs, time } = same;
  if (procs === undefined || time === undefined) throw slotMissing;
  if (same.start !== undefined && same.from !== undefined) throw startAndFrom;
  const { quoteSnapshot } = await import("./quote-snapshot.ts");
  await quoteSnapshot({ ...same, procs, time }, loadQuote, context);
}

async function quoteLive(options: QuoteOptions, context: CommandContext): Promise<void> {
  const { terminal } = context;
  const { output: form } = options;
  const under = await oneTicket(options, terminal.directory);
  const request = { ...slotRequest(options, terminal.nowMs), ...under };
  const client = await context.client();
  const quote = await client.quote(request);
  const ticket = await ticketLeft(under, context);
  const rows = priceRows(quote);
  const chosen = rows.find(({ isChosen }) => isChosen);
  const offer = options.keep && chosen !== undefined ? await keep(chosen, request, context) : undefined;
  const value = { ...quote, ...(ticket && { ticket }), ...(offer === undefined ? {} : { offer }) };
  if (form === "name" && options.keep) terminal.writeResult(offer === undefined ? "" : `${offer.id}\n`);
  else await writeItems({ items: rows, form, value }, PRICE_LISTING, terminal);
  const left = ticket === null ? undefined : ticketLeftText(ticket);
  if (isForPeople(form) && left !== undefined) terminal.writeError(`stint: ${printable(left)}\n`);
  const why = rows.length === 0 && isForPeople(form) ? await whyNone({ request, quote }, context) : undefined;
  if (isForPeople(form)) tell(quote, chosen, { offer, why }, context);
  if (rows.length === 0 || (options.keep && offer === undefined)) context.endWith(EXIT_CODES.refused);
}

async function keep(
  { site, startAt }: SitePrice,
  request: ReturnType<typeof slotRequest>,
  context: CommandContext,
): Promise<ReservationView> {
  return await (await context.client()).offer(offerRequest(request, { site, startAt }));
}

function tell(
  quote: QuoteView,
  chosen: PricedStartView | undefined,
  { offer, why }: { readonly offer: ReservationView | undefined; readonly why: string | undefined },
  { terminal }: CommandContext,
): void {
  for (const line of priceLines(quote)) terminal.writeError(`stint: ${printable(line)}\n`);
  const isNone = quote.items.every(({ starts }) => starts.length === 0);
  const instead = why ?? "ask for less, or without --start";
  if (isNone)
    terminal.writeError(
      `stint: there is no such slot${why === undefined ? ";" : ":"} ${printable(instead)}\n`,
    );
  else if (chosen === undefined) terminal.writeError("stint: none of these can be reserved by you\n");
  if (offer !== undefined) terminal.writeResult(`${offerText(offer, terminal.nowMs())}\n`);
}

function notWithSnapshot(name: string): Fault {
  return new Fault({
    kind: "badInput",
    code: "optionMisplaced",
    what: `--${name} does not go with --snapshot`,
    why: "a snapshot describes one pool of processors, and nothing can be reserved in it",
    remedy: "omit one of the two",
  });
}

/** Requests and prints quotes; sets exit code 5 where no site has one. */
async function quoteVirtualReservation(
  options: VirtualReservationOptions & { readonly output: OutputForm },
  context: CommandContext,
): Promise<void> {
  const { terminal } = context;
  const request = virtualReservationRequest(options, terminal.nowMs);
  const quote = await (await context.client()).quoteVirtualReservation(request);
  const items = virtualReservationRows(quote);
  await writeItems({ items, form: options.output, value: quote }, VIRTUAL_LISTING, terminal);
  if (isForPeople(options.output)) {
    for (const line of virtualReservationLines(items, request.startAt))
      terminal.writeError(`stint: ${printable(line)}\n`);
  }
  if (quote.chosen === null) context.endWith(EXIT_CODES.refused);
}
