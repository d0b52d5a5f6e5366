/**
 * Shares from 0 to 1, and other decimals that are kept as whole numbers of small parts.
 */
import { echoText } from "../echo-text.ts";
import { type NamedValue, shown, wrongType } from "../yaml/index.ts";

/** How a decimal is kept, and where it has to lie. */
export interface Parts {
  /** So many parts are one: 1000 for thousandths. */
  readonly perOne: number;
  readonly least: number;
  readonly most: number;
  /** What it is, for messages: `a share from 0 (never) to 1 (always)`. */
  readonly noun: string;
  readonly example: string;
}

/** A share from 0 to 1 in parts per million. */
export function ppmOf(named: NamedValue, example: string): number | undefined {
  const noun = "a share from 0 (never) to 1 (always)";
  return partsOf(named, { perOne: 1_000_000, least: 0, most: 1, noun, example });
}

/** A decimal as a whole number of parts; undefined, with a problem, where it is none. */
export function partsOf(
  { name, value, notes }: NamedValue,
  { perOne, least, most, noun, example }: Parts,
): number | undefined {
  if (value.kind !== "scalar" || typeof value.value !== "number") {
    notes.problem(value.at, wrongType(name, value, example));
    return undefined;
  }
  const parts = value.value * perOne;
  const whole = Math.round(parts);
  const isInRange = value.value >= least && value.value <= most;
  // The nearest double to a decimal that comes out even is that near; one that does not is not.
  if (isInRange && Math.abs(parts - whole) < 1e-6 * Math.max(1, value.value)) return whole;
  notes.problem(value.at, {
    code: "notFraction",
    what: `${shown(name)}: ${echoText(value.text)} is not such a ${most === 1 ? "share" : "number"}`,
    why: isInRange ? `it is finer than ${FINEST[perOne] ?? "can be counted"}` : `it is ${noun}`,
    remedy: `write for instance ${example}`,
  });
  return undefined;
}

const FINEST: Readonly<Record<number, string>> = { 1000: "a thousandth", 1000000: "a millionth" };
