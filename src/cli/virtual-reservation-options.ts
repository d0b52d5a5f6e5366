/** Options that describe a virtual reservation, for `stint quote` and `stint reserve`. */
import { type Command, Option } from "commander";
import type { VirtualReservationQuoteRequest } from "../api/client/index.ts";
import { Fault } from "../base/index.ts";
import { millionthsOption } from "./option-values.ts";
import { type SlotOptions, slotMissing, slotRequest } from "./slot-options.ts";

/** Values of the options, as parsed. */
export interface VirtualReservationOptions extends SlotOptions {
  readonly virtual?: boolean;
  readonly combined?: boolean;
  readonly enough?: number;
}

/** Adds the options to a command; `--combined` only to commands that reserve. */
export function addVirtualReservationOptions(command: Command, isMaking: boolean): Command {
  const words = "use a job that is submitted early enough to run from --start on, instead of a reservation";
  command.option("--virtual", words);
  const combined = new Option(
    "--combined",
    "make a reservation and a virtual reservation, and keep the cheaper one",
  );
  if (isMaking) command.addOption(combined.conflicts("virtual"));
  return command.option(
    "--enough <fraction>",
    "with --virtual: minimum probability of a start in time, such as 0.9 (default: the highest possible)",
    millionthsOption("--enough"),
  );
}

/** Request from the options. @throws Fault `slotMissing`, `optionMisplaced`, `optionValueWrong` */
export function virtualReservationRequest(
  options: VirtualReservationOptions,
  nowMs: () => number,
): VirtualReservationQuoteRequest {
  const { at, from, alpha, fastest, cheapest, for: consumer, virtual, enough } = options;
  const unfit = { at, from, for: consumer, ...(virtual === true ? { alpha, fastest, cheapest } : {}) };
  demandNone(unfit);
  const { procs, durationSec, startAt, memoryBytes, gpus, sites } = slotRequest(options, nowMs);
  if (procs === undefined) throw slotMissing;
  if (startAt === undefined) throw startMissing;
  return {
    ...{ procs, durationSec, startAt },
    ...(memoryBytes === undefined ? {} : { memoryBytes }),
    ...(gpus === undefined ? {} : { gpus }),
    ...(sites === undefined ? {} : { sites }),
    ...(enough === undefined ? {} : { enough }),
  };
}

/** @throws Fault `optionMisplaced` where --enough is given without --virtual */
export function demandVirtualReservation({ virtual, combined, enough }: VirtualReservationOptions): void {
  if (enough === undefined || virtual === true || combined === true) return;
  throw new Fault({
    kind: "badInput",
    code: "optionMisplaced",
    what: "--enough is for virtual reservations",
    why: "it sets the probability that its job has started in time",
    remedy: "add --virtual, or leave it out",
  });
}

/** @throws Fault `optionMisplaced` for the first of these options that is given beside --virtual */
export function demandNone(options: Readonly<Record<string, unknown>>): void {
  const [name] = Object.entries(options).find(([, value]) => value !== undefined) ?? [];
  if (name !== undefined) throw notWithVirtual(name);
}

const startMissing = new Fault({
  kind: "badInput",
  code: slotMissing.code,
  what: "no start was given",
  why: "a virtual reservation is a job that is submitted early enough to run from then on",
  remedy: "add it, for instance --start 6h",
});

function notWithVirtual(name: string): Fault {
  return new Fault({
    kind: "badInput",
    code: "optionMisplaced",
    what: `--${name} cannot be used with a virtual reservation`,
    why: "a virtual reservation is a job at one site that should run from --start on",
    remedy: "omit one of the two",
  });
}
