/**
 * Values of options of workloads: loads, seeds, parameters of a model.
 */
import { Fault } from "../base/index.ts";
import { printable } from "./text-table.ts";

const MOST_LOAD = 100;

/** A load: a number above 0, 0.8 for four fifths of the machine. */
export function loadValue(text: string): number {
  const load = /^\d*\.?\d+$/.test(text) ? Number(text) : 0;
  if (load > 0 && load <= MOST_LOAD) return load;
  throw wrong("--load", text, {
    why: `it is a share of the machine above 0 and at most ${MOST_LOAD}`,
    remedy: "write for instance --load 0.8",
  });
}

/** A seed: a whole number from 0 to 2^32 − 1. */
export function seedValue(text: string): number {
  const seed = /^\d{1,10}$/.test(text) ? Number(text) : Number.POSITIVE_INFINITY;
  if (seed < 2 ** 32) return seed;
  throw wrong("--seed", text, {
    why: "it is a whole number from 0 to 4294967295",
    remedy: "write for instance --seed 1",
  });
}

/** Collects `name=number` by repeating the option; the last of a name counts. */
export function parameterValue(
  text: string,
  before: Readonly<Record<string, number>> = {},
): Record<string, number> {
  const [, name, number] = /^([A-Za-z]\w*)=(-?\d*\.?\d+(?:[eE][+-]?\d{1,3})?)$/.exec(text) ?? [];
  if (name !== undefined) return { ...before, [name]: Number(number) };
  throw wrong("--set", text, {
    why: "it is the name of a parameter, an equals sign and a number",
    remedy: "write for instance --set serialProb=0.3",
  });
}

function wrong(option: string, text: string, words: { why: string; remedy: string }): Fault {
  const shown = text.length > 40 ? `${text.slice(0, 40)}…` : text;
  return new Fault({
    kind: "badInput",
    code: "optionValueWrong",
    what: `${option}: "${printable(shown)}" was not understood`,
    ...words,
  });
}
