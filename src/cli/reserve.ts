/** `stint reserve`: chooses a slot, holds it as an offer, and accepts it; or accepts an existing offer. */
import { randomUUID } from "node:crypto";
import { Command } from "commander";
import type {
  CoReservationQuoteView,
  CoReservationView,
  QuoteView,
  ReservationView,
} from "../api/client/index.ts";
import { Fault, suText } from "../base/index.ts";
import { acceptIfAgreed, type Consent, demandAnswer, demandWithin } from "./accept-offer.ts";
import { hindranceTexts } from "./co-reservation-lines.ts";
import { type CommandContext, jsonText } from "./command-context.ts";
import { instantText } from "./instant-text.ts";
import { oneOf, suValue } from "./option-values.ts";
import { priceRows } from "./price-lines.ts";
import { costText, slotText } from "./reservation-table.ts";
import { acceptCoReservation, reserveCoReservation, writeCoReservation } from "./reserve-at-several-sites.ts";
import { programOf, reserveBeside, reserveVirtually, writeVirtualReservation } from "./reserve-virtually.ts";
import {
  addSlotOptions,
  coReservationOf,
  coReservationRequest,
  offerRequest,
  slotRequest,
} from "./slot-options.ts";
import { oneTicket, withTickets } from "./slot-tickets.ts";
import { printable } from "./text-table.ts";
import {
  addVirtualReservationOptions,
  demandVirtualReservation,
  type VirtualReservationOptions,
  virtualReservationRequest,
} from "./virtual-reservation-options.ts";
import { whyNone } from "./why-none.ts";

interface ReserveOptions extends VirtualReservationOptions, Consent {
  readonly output: (typeof FORMATS)[number];
}

const FORMATS = ["table", "json", "name"] as const;
const EXAMPLES = `
Examples:
  $ stint reserve -n 64 -t 4h --fastest
  $ stint reserve -n 64 -t 4h --from 6h --most 300 --yes -o name
  $ stint reserve --at far:64 --at near:32 -t 4h
  $ stint reserve --at far/scratch=50G -t 4h --yes
  $ stint reserve --ticket spring.txt -n 64 -t 4h --yes
  $ stint reserve --virtual -n 64 -t 4h --start 12h -- ./simulate
  $ stint reserve 7f3a                  an offer that stint quote --keep made

Chooses one of the slots that stint quote shows, holds it as an offer, shows its
price and asks for confirmation. --yes accepts the price without asking. Without
--yes and without a terminal nothing is reserved. Then submit jobs into it:
stint run --reservation ID -- ./simulate. stint unreserve cancels a reservation
before it begins, stint relinquish ends it after that.

With --virtual the site need not sell reservations: the command becomes a job,
submitted early enough to have its processors by --start with the probability
shown. It idles until then. If it has not started by then, it is not run. With
--combined a reservation is made as well; when the job starts, the more
expensive of the two is cancelled.

With --ticket the reservation uses that ticket (see stint ticket): what it needs
is deducted from the ticket, and if it is cancelled or ended early the rest is
returned to the ticket. Jobs in the reservation need no ticket.

With --at, slots of several sites, stores and links are reserved together, all
or none; stint unreserve of one cancels all. A share of a store or of a link can
also be reserved alone: --at far/scratch=50G, --at far/uplink=100Mbit/s.
`;

/** Command definition of `stint reserve`. */
export function reserveCommand(context: CommandContext): Command {
  const command = new Command("reserve")
    .summary("reserve a slot, or accept an offer")
    .description("Reserves a slot: chooses one, holds it as an offer, and accepts it at its price.")
    .argument("[words...]", "an offer to accept, by its id; with --virtual or --combined the command to run");
  return addVirtualReservationOptions(addSlotOptions(command), true)
    .option("--most <su>", "only if it costs at most this many SU in total", suValue("--most"))
    .option("-y, --yes", "accept without asking", false)
    .option("-o, --output <format>", FORMATS.join(", "), oneOf("-o", FORMATS), "table")
    .addHelpText("after", EXAMPLES)
    .action(async (words: readonly string[], options: ReserveOptions) => {
      const { virtual, combined } = options;
      const at = coReservationOf(options);
      demandVirtualReservation(options);
      if (virtual === true || combined === true) {
        await reserveToRun(words, options, context);
        return;
      }
      const [offer] = words;
      if (words.length > 1) throw tooManyWords(words);
      if (offer === undefined && at !== undefined) {
        const { nowMs, directory } = context.terminal;
        const request = coReservationRequest(
          { ...options, at: await withTickets(at, options, directory) },
          nowMs,
        );
        const all = await withFreshPrices(context, () => reserveCoReservation(request, options, context));
        if (all !== undefined) writeCoReservation(all, options.output, context);
        return;
      }
      const reserved = await withFreshPrices(context, () =>
        offer === undefined ? choose(options, context) : acceptKept(offer, options, context),
      );
      if (reserved === undefined) return;
      if ("items" in reserved) writeCoReservation(reserved, options.output, context);
      else write(reserved, options, context);
    });
}

/** A job that starts at an instant: as a virtual reservation, or beside a priced one. */
async function reserveToRun(
  words: readonly string[],
  given: ReserveOptions,
  context: CommandContext,
): Promise<void> {
  // Read once: it may come from stdin.
  const { ticket } = await oneTicket(given, context.terminal.directory);
  const options = { ...given, ...(ticket === undefined ? {} : { ticket: [ticket] }) };
  const { output } = options;
  if (options.combined === true) {
    programOf(words, context);
    virtualReservationRequest(options, context.terminal.nowMs);
    const { priced, isNone } = await choosePriced(options, context);
    if (priced === undefined && !isNone) return;
    if (priced !== undefined) {
      if (output === "table") write(priced, options, context);
      writeVirtualReservation(
        await reserveBeside({ options, words, priced }, context),
        output,
        context,
        priced,
      );
      return;
    }
  }
  const job = await reserveVirtually({ options, words }, context);
  if (job !== undefined) writeVirtualReservation(job, output, context);
}

/**
 * The priced reservation of `--combined`; undefined where there is none, and the virtual one stands alone.
 */
async function choosePriced(options: ReserveOptions, context: CommandContext) {
  try {
    return { priced: await choose(options, context), isNone: false };
  } catch (error) {
    if (!(error instanceof Fault) || error.code !== "nothingToReserve") throw error;
    context.terminal.writeError(`stint: without a reservation beside it: ${printable(error.why)}\n`);
    return { priced: undefined, isNone: true };
  }
}

function write(reserved: ReservationView, { output }: ReserveOptions, { terminal }: CommandContext): void {
  if (output === "json") terminal.writeResult(jsonText(reserved));
  else if (output === "name") terminal.writeResult(`${reserved.id}\n`);
  else {
    const { id } = reserved;
    const text = `reservation ${id}: ${slotText(reserved, terminal.nowMs())}, ${costText(reserved)}`;
    terminal.writeResult(`${printable(text)}\n`);
  }
}

/** Accepts an offer, with all parts of a co-reservation. */
async function acceptKept(
  id: string,
  options: ReserveOptions,
  context: CommandContext,
): Promise<ReservationView | CoReservationView> {
  const client = await context.client();
  const { procs, time, mem, site, at, start, from, alpha, fastest, cheapest, ticket } = options;
  const whose = { for: options.for, ticket };
  const slot = { procs, time, mem, site, at, start, from, alpha, fastest, cheapest, ...whose };
  const [name] = Object.entries(slot).find(([, value]) => value !== undefined) ?? [];
  if (name !== undefined) throw notWithOffer(name);
  const offer = await client.reservation(id);
  if (offer.together !== null)
    return await acceptCoReservation({ ...offer, together: offer.together }, options, client);
  demandWithin(offer, options.most);
  return await client.accept(offer.id);
}

/** Reserves a slot. @returns undefined where the user declined */
async function choose(
  options: ReserveOptions,
  context: CommandContext,
): Promise<ReservationView | undefined> {
  const { most } = options;
  const { nowMs, directory } = context.terminal;
  const under = await oneTicket(options, directory);
  const request = {
    ...slotRequest(options, nowMs),
    ...under,
    ...(most === undefined ? {} : { mostSu: most }),
  };
  const client = await context.client();
  const quote = await client.quote(request);
  const chosen = priceRows(quote).find(({ isChosen }) => isChosen);
  if (chosen === undefined) {
    const isNone = quote.items.every(({ starts }) => starts.length === 0);
    const why = isNone ? await whyNone({ request, quote }, context) : undefined;
    throw nothingToChoose(quote, most, why);
  }
  const { site, startAt, effect } = chosen;
  demandAnswer({ price: chosen, slot: `at ${site} from ${instantText(startAt)}`, effect }, options, context);
  const offer = await client.offer(offerRequest(request, { site, startAt }), {
    idempotencyKey: randomUUID(),
  });
  const question = `${slotText(offer, nowMs())}: ${costText(offer)}; it ${effect}. Reserve it?`;
  return await acceptIfAgreed({ id: offer.id, price: offer, question }, options, context);
}

function nothingToChoose(quote: QuoteView, most: number | undefined, none: string | undefined): Fault {
  const starts = quote.items.flatMap(({ starts: some }) => some);
  const hindrance = starts.find((start) => start.hindrance !== null)?.hindrance;
  const trouble = quote.items.find((item) => item.trouble !== null)?.trouble;
  const free = starts.filter((start) => start.hindrance === null);
  const least = Math.min(...free.map(({ priceProcMs }) => priceProcMs));
  const tooDear =
    free.length === 0 ? undefined : `the cheapest costs ${suText(least)}, and you allow ${most} SU`;
  return new Fault({
    kind: "refused",
    code: "nothingToReserve",
    what: "no such slot can be reserved",
    why:
      tooDear ??
      hindrance?.text ??
      none ??
      trouble ??
      "no site has one that is free of running jobs and reservations",
    remedy: "see stint quote for the possible starts; request less, or another time",
  });
}

function tooManyWords(words: readonly string[]): Fault {
  return new Fault({
    kind: "badInput",
    code: "tooManyOffers",
    what: `${words.length} words were given instead of one offer id`,
    why: "one offer is accepted at a time, and only a virtual reservation takes a command",
    remedy: "give one id, or add --virtual or --combined",
  });
}

function notWithOffer(name: string): Fault {
  return new Fault({
    kind: "badInput",
    code: "optionMisplaced",
    what: `--${name} does not go with accepting an offer`,
    why: "the offer fixes the slot and its price",
    remedy: "omit one of the two",
  });
}

/** Largest number of new prices to list. */
const PRICES_TOLD = 3;

/** Where the slot is gone meanwhile, lists current prices of such slots before the error. */
async function withFreshPrices<Value>(
  { terminal }: CommandContext,
  act: () => Promise<Value>,
): Promise<Value> {
  try {
    return await act();
  } catch (error) {
    // Not by its class: what speaks HTTP is loaded when it is used.
    const isProblem = error instanceof Fault && "problem" in error;
    const { quotes, startsTogether } = Object(isProblem ? error.problem : undefined);
    if (Array.isArray(startsTogether)) {
      const items = startsTogether as CoReservationQuoteView["items"];
      const free = items.filter((start) => hindranceTexts(start).length === 0).slice(0, PRICES_TOLD);
      for (const { startAt, priceProcMs } of free) {
        const line = `now to be had together from ${instantText(startAt)}: ${suText(priceProcMs)}`;
        terminal.writeError(`stint: ${printable(line)}\n`);
      }
    }
    if (Array.isArray(quotes)) {
      const rows = priceRows({ items: quotes as QuoteView["items"], chosen: null });
      const free = rows.filter(({ hindrance }) => hindrance === null).slice(0, PRICES_TOLD);
      for (const { site, startAt, priceProcMs } of free) {
        const line = `now to be had at ${site} from ${instantText(startAt)}: ${suText(priceProcMs)}`;
        terminal.writeError(`stint: ${printable(line)}\n`);
      }
    }
    throw error;
  }
}
