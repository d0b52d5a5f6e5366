/**
 * What virtual reservation somebody wants, from options: for `stint quote` and `stint reserve`.
 */
import { type Command, Option } from "commander";
import type { VirtualReservationQuoteRequest } from "../api/client/index.ts";
import { Fault } from "../base/index.ts";
import { millionthsOption } from "./option-values.ts";
import { type SlotOptions, slotMissing, slotRequest } from "./slot-options.ts";

/** What the options say. */
export interface VirtualReservationOptions extends SlotOptions {
  readonly virtual?: boolean;
  readonly combined?: boolean;
  readonly enough?: number;
}

/** Adds them to a command; only where something is made, both ways can be had at once. */
export function addVirtualReservationOptions(command: Command, isMaking: boolean): Command {
  const words = "submit a job early enough to run from --start on, where no reservation is had";
  command.option("--virtual", words);
  const combined = new Option("--combined", "a reservation and a virtual one, of which the cheaper is kept");
  if (isMaking) command.addOption(combined.conflicts("virtual"));
  return command.option(
    "--enough <part>",
    "with --virtual, submit at the last moment that is so sure, as 0.9 (default: the surest)",
    millionthsOption("--enough"),
  );
}

/**
 * The question of them.
 *
 * @throws Fault `slotMissing`, `optionMisplaced`, `optionValueWrong`
 */
export function virtualReservationRequest(
  options: VirtualReservationOptions,
  nowMs: () => number,
): VirtualReservationQuoteRequest {
  const { at, from, alpha, fastest, cheapest, for: consumer, virtual, enough } = options;
  const unfit = { at, from, for: consumer, ...(virtual === true ? { alpha, fastest, cheapest } : {}) };
  demandNone(unfit);
  const { procs, durationSec, startAt, memoryBytes, sites } = slotRequest(options, nowMs);
  if (procs === undefined) throw slotMissing;
  if (startAt === undefined) throw startMissing;
  return {
    ...{ procs, durationSec, startAt },
    ...(memoryBytes === undefined ? {} : { memoryBytes }),
    ...(sites === undefined ? {} : { sites }),
    ...(enough === undefined ? {} : { enough }),
  };
}

/** @throws Fault `optionMisplaced` where --enough is said without what it is about */
export function demandVirtualReservation({ virtual, combined, enough }: VirtualReservationOptions): void {
  if (enough === undefined || virtual === true || combined === true) return;
  throw new Fault({
    kind: "badInput",
    code: "optionMisplaced",
    what: "--enough is for virtual reservations",
    why: "it says how surely its job is to have started",
    remedy: "say --virtual too, or leave it out",
  });
}

/** @throws Fault `optionMisplaced` for the first of these options that is said beside --virtual */
export function demandNone(options: Readonly<Record<string, unknown>>): void {
  const [name] = Object.entries(options).find(([, value]) => value !== undefined) ?? [];
  if (name !== undefined) throw notWithVirtual(name);
}

const startMissing = new Fault({
  kind: "badInput",
  code: slotMissing.code,
  what: "it is not said from when on",
  why: "a virtual reservation is a job that is submitted early enough to run then",
  remedy: "say it, for instance --start 6h",
});

function notWithVirtual(name: string): Fault {
  return new Fault({
    kind: "badInput",
    code: "optionMisplaced",
    what: `--${name} is not for a virtual reservation`,
    why: "it is a job of yours at one site, from --start on",
    remedy: "leave one of the two out",
  });
}
