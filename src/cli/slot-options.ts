/**
 * What slot somebody wants, from options: for `stint quote` and `stint reserve`.
 */
import type { Command } from "commander";
import type {
  CoReservationPartRequest,
  CoReservationQuoteRequest,
  OfferRequestView,
  QuoteRequest,
} from "../api/client/index.ts";
import { Fault, MS_PER_SECOND } from "../base/index.ts";
import { millionthsOption, positiveInteger } from "./option-values.ts";
import { aloneOf, demandSeveral, partValue } from "./part-value.ts";
import { durationValue, instantAheadValue, sizeValue, slotSeconds } from "./quantity-values.ts";
import { type TicketOptions, ticketValues } from "./slot-tickets.ts";

/** What the options say; instants as they were typed. */
export interface SlotOptions extends TicketOptions {
  readonly procs?: number;
  readonly time?: number;
  readonly mem?: number;
  readonly site?: readonly string[];
  /** At several sites together; then nothing else says where and how wide. */
  readonly at?: readonly CoReservationPartRequest[];
  readonly start?: string;
  readonly from?: string;
  readonly alpha?: number;
  readonly fastest?: boolean;
  readonly cheapest?: boolean;
  readonly for?: string;
}

/** Neither time nor cost alone. */
const USUAL_ALPHA = 0.5;

/** Adds them to a command. */
export function addSlotOptions(command: Command): Command {
  return command
    .option("-n, --procs <n>", "how many processors", positiveInteger("-n"))
    .option("-t, --time <time>", "for how long: 1h30m, 01:30:00", durationValue("-t"))
    .option("--mem <size>", "memory in all: 512M, 4G", sizeValue("--mem"))
    .option("--site <name...>", "these sites alone (default: all)")
    .option(
      "--at <slot>",
      "instead of -n: far:64, far/scratch=50G, far/uplink=100Mbit/s; several are had together",
      partValue,
    )
    .option("--start <when>", "exactly then: 6h (from now), 2026-05-31T14:00Z")
    .option("--from <when>", "from then on")
    .option(
      "--alpha <part>",
      "from 0, only time matters, to 1, only cost (default: 0.5)",
      millionthsOption("--alpha"),
    )
    .option("--fastest", "the same as --alpha 0")
    .option("--cheapest", "the same as --alpha 1")
    .option("--for <path>", "whose it would be: vo/group/user (default: yours)")
    .option(
      "--ticket <ticket>",
      "the ticket that it is under: its file, or its line; may be repeated with --at",
      ticketValues,
    );
}

/** The question of them. @throws Fault `slotMissing`, `optionMisplaced`, `optionValueWrong` */
export function slotRequest(
  options: SlotOptions,
  nowMs: () => number,
): QuoteRequest & { readonly alpha: number } {
  const { procs, time, mem, site, at = [] } = options;
  const alone = aloneOf(at);
  if (alone?.resource !== undefined) return resourceRequest(options, alone, nowMs);
  if (procs === undefined || time === undefined) throw slotMissing;
  return {
    procs,
    durationSec: slotSeconds("-t", time),
    ...askRequest(options, nowMs),
    ...(mem === undefined ? {} : { memoryBytes: mem }),
    ...(site === undefined ? {} : { sites: site }),
  };
}

/** The question of a part of a store or of a link alone. */
function resourceRequest(
  options: SlotOptions,
  { site, resource }: CoReservationPartRequest,
  nowMs: () => number,
) {
  demandNotWithAt(options);
  if (options.time === undefined) throw timeMissing;
  const of = resource === undefined ? {} : { resource };
  return {
    ...of,
    durationSec: slotSeconds("-t", options.time),
    ...askRequest(options, nowMs),
    sites: [site],
  };
}

function demandNotWithAt({ procs, mem, site }: SlotOptions): void {
  const [name] = Object.entries({ procs, mem, site }).find(([, value]) => value !== undefined) ?? [];
  if (name !== undefined) throw notWithAt(name);
}

/** What of a question is kept aside, where and when that was chosen. */
export function offerRequest(
  { procs, memoryBytes, resource, durationSec, consumer, ticket }: QuoteRequest,
  chosen: { readonly site: string; readonly startAt: string },
): OfferRequestView {
  return {
    ...chosen,
    durationSec,
    ...(procs === undefined ? {} : { procs }),
    ...(memoryBytes === undefined ? {} : { memoryBytes }),
    ...(resource === undefined ? {} : { resource }),
    ...(consumer === undefined ? {} : { consumer }),
    ...(ticket === undefined ? {} : { ticket }),
  };
}

/** The slots that are wanted together; undefined where it is one alone, as others are. */
export function coReservationOf({ at }: SlotOptions): readonly CoReservationPartRequest[] | undefined {
  return at === undefined || aloneOf(at) !== undefined ? undefined : at;
}

/**
 * The question of several slots.
 *
 * @throws Fault `partAlone`, `slotMissing`, `optionMisplaced`, `optionValueWrong`
 */
export function coReservationRequest(
  options: SlotOptions & Required<Pick<SlotOptions, "at">>,
  nowMs: () => number,
): CoReservationQuoteRequest & { readonly alpha: number } {
  const { at: parts, time } = options;
  demandNotWithAt(options);
  demandSeveral(parts);
  if (time === undefined) throw timeMissing;
  return { parts, durationSec: slotSeconds("-t", time), ...askRequest(options, nowMs) };
}

function askRequest(options: SlotOptions, nowMs: () => number) {
  const startAt = instantOption("--start", options.start, nowMs);
  const fromAt = instantOption("--from", options.from, nowMs);
  if (startAt !== undefined && fromAt !== undefined) throw startAndFrom;
  return {
    alpha: alphaOf(options),
    ...(startAt === undefined ? {} : { startAt }),
    ...(fromAt === undefined ? {} : { fromAt }),
    ...(options.for === undefined ? {} : { consumer: options.for }),
  };
}

function instantOption(option: string, text: string | undefined, nowMs: () => number): string | undefined {
  if (text === undefined) return undefined;
  // Whole, as sites keep time: what is so far from now would else lie between two seconds.
  const nextSecond = (): number => MS_PER_SECOND * Math.ceil(nowMs() / MS_PER_SECOND);
  return new Date(instantAheadValue(option, nextSecond)(text)).toISOString();
}

function alphaOf({ alpha, fastest, cheapest }: SlotOptions): number {
  const said = [alpha, fastest === true ? 0 : undefined, cheapest === true ? 1 : undefined];
  const [first, ...others] = said.filter((value) => value !== undefined);
  if (others.length > 0) throw twoAlphas;
  return first ?? USUAL_ALPHA;
}

/** A slot is said by two options. */
export const slotMissing: Fault = new Fault({
  kind: "badInput",
  code: "slotMissing",
  what: "it is not said which slot",
  why: "a slot is so many processors for so long",
  remedy: "say both, for instance -n 64 -t 4h",
});

const timeMissing = new Fault({
  kind: "badInput",
  code: "slotMissing",
  what: "it is not said for how long",
  why: "all of the slots begin and end together",
  remedy: "say it, for instance -t 4h",
});

function notWithAt(name: string): Fault {
  return new Fault({
    kind: "badInput",
    code: "optionMisplaced",
    what: `--${name} is not for --at`,
    why: "--at says already at which sites, and how much of what at each",
    remedy: "leave one of the two out",
  });
}

/** The two ask for different things. */
export const startAndFrom: Fault = new Fault({
  kind: "badInput",
  code: "optionMisplaced",
  what: "--start and --from cannot both be said",
  why: "one asks for exactly then, the other for everything from then on",
  remedy: "leave one of them out",
});

const twoAlphas = new Fault({
  kind: "badInput",
  code: "optionMisplaced",
  what: "--alpha, --fastest and --cheapest say the same thing",
  why: "--fastest is --alpha 0, --cheapest is --alpha 1",
  remedy: "say one of them",
});
