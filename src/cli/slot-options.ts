/** Options that describe a slot, for `stint quote` and `stint reserve`. */
import type { Command } from "commander";
import type {
  CoReservationPartRequest,
  CoReservationQuoteRequest,
  OfferRequestView,
  QuoteRequest,
} from "../api/client/index.ts";
import { Fault, MS_PER_SECOND } from "../base/index.ts";
import { millionthsOption, positiveInteger, wholeNumber } from "./option-values.ts";
import { aloneOf, demandSeveral, partValue } from "./part-value.ts";
import { durationValue, instantAheadValue, sizeValue, slotSeconds } from "./quantity-values.ts";
import { type TicketOptions, ticketValues } from "./slot-tickets.ts";

/** Values of the options; instants as typed. */
export interface SlotOptions extends TicketOptions {
  readonly procs?: number;
  readonly time?: number;
  readonly mem?: number;
  readonly gpus?: number;
  readonly site?: readonly string[];
  /** Parts of a co-reservation; excludes other options for site and size. */
  readonly at?: readonly CoReservationPartRequest[];
  readonly start?: string;
  readonly from?: string;
  readonly alpha?: number;
  readonly fastest?: boolean;
  readonly cheapest?: boolean;
  readonly for?: string;
}

/** Default of α: time and cost count alike. */
const USUAL_ALPHA = 0.5;

/** Adds the options to a command. */
export function addSlotOptions(command: Command): Command {
  return command
    .option("-n, --procs <n>", "number of processors", positiveInteger("-n"))
    .option("-t, --time <time>", "duration: 1h30m, 01:30:00", durationValue("-t"))
    .option("--mem <size>", "total memory: 512M, 4G", sizeValue("--mem"))
    .option("--gpus <n>", "total GPUs", wholeNumber("--gpus"))
    .option("--site <name...>", "only these sites (default: all)")
    .option(
      "--at <slot>",
      "part of a co-reservation, instead of -n: far:64, far/scratch=50G, far/uplink=100Mbit/s; may be " +
        "repeated, all parts start together",
      partValue,
    )
    .option("--start <when>", "start at exactly this instant: 6h (from now), 2026-05-31T14:00Z")
    .option("--from <when>", "start at this instant or later")
    .option(
      "--alpha <fraction>",
      "trade-off from 0 (only time matters) to 1 (only cost matters) (default: 0.5)",
      millionthsOption("--alpha"),
    )
    .option("--fastest", "the same as --alpha 0")
    .option("--cheapest", "the same as --alpha 1")
    .option("--for <path>", "consumer that reserves: vo/group/user (default: yours)")
    .option(
      "--ticket <ticket>",
      "ticket to reserve under: a file, or the ticket itself; may be repeated with --at",
      ticketValues,
    );
}

/** Request from the options. @throws Fault `slotMissing`, `optionMisplaced`, `optionValueWrong` */
export function slotRequest(
  options: SlotOptions,
  nowMs: () => number,
): QuoteRequest & { readonly alpha: number } {
  const { procs, time, mem, gpus, site, at = [] } = options;
  const alone = aloneOf(at);
  if (alone?.resource !== undefined) return resourceRequest(options, alone, nowMs);
  if (procs === undefined || time === undefined) throw slotMissing;
  return {
    procs,
    durationSec: slotSeconds("-t", time),
    ...askRequest(options, nowMs),
    ...(mem === undefined ? {} : { memoryBytes: mem }),
    ...(gpus === undefined ? {} : { gpus }),
    ...(site === undefined ? {} : { sites: site }),
  };
}

/** Request for a part of a store or of a link alone. */
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

function demandNotWithAt({ procs, mem, gpus, site }: SlotOptions): void {
  const [name] = Object.entries({ procs, mem, gpus, site }).find(([, value]) => value !== undefined) ?? [];
  if (name !== undefined) throw notWithAt(name);
}

/** Part of a request that an offer takes, once site and start were chosen. */
export function offerRequest(
  { procs, memoryBytes, gpus, resource, durationSec, consumer, ticket }: QuoteRequest,
  chosen: { readonly site: string; readonly startAt: string },
): OfferRequestView {
  return {
    ...chosen,
    durationSec,
    ...(procs === undefined ? {} : { procs }),
    ...(memoryBytes === undefined ? {} : { memoryBytes }),
    ...(gpus === undefined ? {} : { gpus }),
    ...(resource === undefined ? {} : { resource }),
    ...(consumer === undefined ? {} : { consumer }),
    ...(ticket === undefined ? {} : { ticket }),
  };
}

/** Parts of a co-reservation; undefined for a single slot. */
export function coReservationOf({ at }: SlotOptions): readonly CoReservationPartRequest[] | undefined {
  return at === undefined || aloneOf(at) !== undefined ? undefined : at;
}

/**
 * Request for a co-reservation. @throws Fault `partAlone`, `slotMissing`, `optionMisplaced`,
 * `optionValueWrong`
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

/** Fault for a slot without processors or without a length. */
export const slotMissing: Fault = new Fault({
  kind: "badInput",
  code: "slotMissing",
  what: "no slot was given",
  why: "a slot has a number of processors and a length",
  remedy: "give both, for instance -n 64 -t 4h",
});

const timeMissing = new Fault({
  kind: "badInput",
  code: "slotMissing",
  what: "no length was given",
  why: "all slots of a co-reservation start and end together",
  remedy: "add it, for instance -t 4h",
});

function notWithAt(name: string): Fault {
  return new Fault({
    kind: "badInput",
    code: "optionMisplaced",
    what: `--${name} does not go with --at`,
    why: "--at already states the sites and the amount at each",
    remedy: "omit one of the two",
  });
}

/** Fault for `--start` beside `--from`. */
export const startAndFrom: Fault = new Fault({
  kind: "badInput",
  code: "optionMisplaced",
  what: "--start and --from exclude each other",
  why: "--start requests exactly that instant, --from that instant or a later one",
  remedy: "leave one of them out",
});

const twoAlphas = new Fault({
  kind: "badInput",
  code: "optionMisplaced",
  what: "--alpha, --fastest and --cheapest set the same value",
  why: "--fastest is --alpha 0, --cheapest is --alpha 1",
  remedy: "give one of them",
});
