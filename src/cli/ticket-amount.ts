/** Amounts of tickets on the command line: SU, a time of one unit, or an amount for a time. */
import { Fault, parseRate, parseSize } from "../base/index.ts";
import { type TicketResource, ticketNeed } from "../model/index.ts";
import { suValue } from "./option-values.ts";
import { durationValue } from "./quantity-values.ts";

/** Unit of an amount, which depends on the ticket's resource. */
export type TicketAmount =
  | { readonly kind: "hours"; readonly ms: number }
  | { readonly kind: "product"; readonly much: string; readonly ms: number };

const SECOND_MS = 1000;
const SU_MS = 3_600_000;

/**
 * Parses `100SU`, `100`: hours of a processor (or GPU); `36h`: a time of one; `64x4h`, `50Gx7d`: an amount
 * for a time.
 */
export function ticketAmountValue(option: string): (text: string) => TicketAmount {
  return (text) => {
    const [, much = "", time = ""] = /^(.*\S)\s*x\s*(\S.*)$/.exec(text) ?? [];
    if (much !== "") return { kind: "product", much, ms: durationValue(option)(time) };
    const su = /^(\d[\d.]*)(?: ?SU)?$/.exec(text)?.[1];
    return {
      kind: "hours",
      ms: su === undefined ? durationValue(option)(text) : suValue(option)(su) * SU_MS,
    };
  };
}

/** Amount as a ticket has it: whole seconds of the unit, as ms. @throws Fault `ticketAmountWrong` */
export function ticketAmountMs(resource: TicketResource, amount: TicketAmount): number {
  const exactMs = amount.kind === "hours" ? hoursOf(resource, amount.ms) : productOf(resource, amount);
  const whole = Math.round(exactMs / SECOND_MS) * SECOND_MS;
  if (whole > 0 && Number.isSafeInteger(whole)) return whole;
  throw wrongAmount(resource, "it is less than a second, or more than can be counted");
}

function hoursOf(resource: TicketResource, ms: number): number {
  if (resource === "cpu" || resource === "gpu") return ms;
  throw wrongAmount(resource, `of ${resource} it is so much for so long`);
}

function productOf(
  resource: TicketResource,
  { much, ms }: Extract<TicketAmount, { kind: "product" }>,
): number {
  const amount = amountIn(resource, much);
  if (amount === undefined) throw wrongAmount(resource, `"${much.slice(0, 40)}" is no amount of ${resource}`);
  return ticketNeed(resource, amount) * ms;
}

function amountIn(resource: TicketResource, much: string): number | undefined {
  if (resource === "cpu" || resource === "gpu") return /^\d{1,9}$/.test(much) ? Number(much) : undefined;
  const read = resource === "network" ? parseRate(much) : parseSize(much);
  return read.ok ? read.value : undefined;
}

const EXAMPLES: Readonly<Record<TicketResource, string>> = {
  cpu: "100SU",
  gpu: "9h",
  memory: "64Gx8h",
  storage: "50Gx7d",
  network: "100Mbit/sx2h",
};

function wrongAmount(resource: TicketResource, why: string): Fault {
  return new Fault({
    kind: "badInput",
    code: "ticketAmountWrong",
    what: "--amount is not an amount of this ticket",
    why,
    remedy: `write for instance --amount ${EXAMPLES[resource]}`,
  });
}
