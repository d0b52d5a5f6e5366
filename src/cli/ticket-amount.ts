/**
 * Amounts of tickets on the command line, and for people.
 */
import { Fault } from "../base/index.ts";
import { suValue } from "./option-values.ts";
import { durationValue } from "./quantity-values.ts";

const SECOND_MS = 1000;
const SU_MS = 3_600_000;

/** `100SU`, `100`: hours of a processor (or GPU); `36h`: a length of time of one. In whole seconds, as ms. */
export function ticketAmountValue(option: string): (text: string) => number {
  return (text) => {
    const su = /^(\d[\d.]*)(?: ?SU)?$/.exec(text)?.[1];
    const ms = su === undefined ? durationValue(option)(text) : suValue(option)(su) * SU_MS;
    const whole = Math.round(ms / SECOND_MS) * SECOND_MS;
    if (whole > 0 && Number.isSafeInteger(whole)) return whole;
    throw new Fault({
      kind: "badInput",
      code: "ticketAmountWrong",
      what: `${option}: "${text.slice(0, 40)}" is no amount of a ticket`,
      why: "it is less than a second, or more than can be counted",
      remedy: `write for instance ${option} 100SU`,
    });
  };
}
