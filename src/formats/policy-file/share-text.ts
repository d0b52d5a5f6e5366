/**
 * Shares as people write them: `20%`, `32 nodes`, `4 GPUs`, `64 procs`, `512G`, `1000 SU`.
 */
import { parseSize } from "../../base/index.ts";
import type { SharedResource } from "../../model/index.ts";
import { echoText } from "../echo-text.ts";
import { type Notes, shown, type Word, type Words } from "../yaml/index.ts";
import type { AmountUnit, WrittenShare } from "./draft.ts";

/** A share as written in a policy. */
interface ShareText extends Word {
  readonly name: string;
}

/** Rules for a share: a number without a unit is percent in a tuple, and a problem elsewhere. */
interface ShareReading {
  readonly notes: Notes;
  readonly resource: SharedResource;
  readonly isTuple: boolean;
}

const MILLION = 1_000_000n;
const UNITS: Readonly<Record<string, Exclude<AmountUnit, "bytes">>> = {
  node: "nodes",
  nodes: "nodes",
  proc: "procs",
  procs: "procs",
  processors: "procs",
  gpu: "gpus",
  gpus: "gpus",
  su: "su",
};
const example = "share: 20%";

/** The share; undefined, with a problem, where it is none or not from 0 % to 100 %. */
export function shareOf(
  { name, text, at }: ShareText,
  { notes, resource, isTuple }: ShareReading,
): WrittenShare | undefined {
  const tell = (words: Words): undefined => {
    notes.problem(at, words);
    return undefined;
  };
  const match = /^([+-]?)(\d{1,30}(?:\.\d{1,30})?) *(%|[A-Za-z]*)$/.exec(text);
  if (match === null) return tell(noShare(name, text, "a share is a number and what it is in"));
  const [, sign, decimal, unit] = match;
  if (sign === "-" && /[1-9]/.test(decimal)) return tell(outOfRange(name, text));
  if (unit === "" && !isTuple) return tell(noUnit(name, text));
  if (unit === "%" || unit === "") {
    const ppm = ppmOfPercent(decimal);
    if (ppm === undefined) return tell(outOfRange(name, text));
    if (!ppm.isExact) notes.warning(at, rounded(name, text, ppm.ppm));
    return { kind: "ppm", at, text, ppm: ppm.ppm };
  }
  const amount = UNITS[unit.toLowerCase()];
  if (amount !== undefined) {
    return { kind: "amount", at, text, unit: amount, ...fractionOf(decimal) };
  }
  const size = parseSize(text);
  if (!size.ok || resource === "cpu" || resource === "gpu") {
    return tell(noShare(name, text, `${echoText(unit)} is nothing that shares of ${resource} come in`));
  }
  return { kind: "amount", at, text, unit: "bytes", count: BigInt(size.value), per: 1n };
}

/** A decimal as a fraction of two integers. */
function fractionOf(decimal: string): { readonly count: bigint; readonly per: bigint } {
  const [whole, fraction = ""] = decimal.split(".");
  return { count: BigInt(whole + fraction), per: 10n ** BigInt(fraction.length) };
}

/** Percent in parts per million, to the nearest; undefined above 100. */
function ppmOfPercent(decimal: string): { readonly ppm: number; readonly isExact: boolean } | undefined {
  const { count, per } = fractionOf(decimal);
  if (count > 100n * per) return undefined;
  const parts = count * (MILLION / 100n);
  return { ppm: Number((2n * parts + per) / (2n * per)), isExact: parts % per === 0n };
}

/** The words for a share that is less than nothing or more than everything. */
export function outOfRange(name: string, text: string): Words {
  return {
    code: "shareOutOfRange",
    what: `${shown(name)} cannot be ${echoText(text)}`,
    why: "a share is from 0 % to 100 % of what its provider has",
    remedy: `write for instance ${example}`,
  };
}

function noUnit(name: string, text: string): Words {
  return {
    code: "shareWithoutUnit",
    what: `${shown(name)}: ${echoText(text)} has no unit`,
    why: "it could be percent, a fraction, or processors",
    remedy: `write ${text}% if it is percent, or for instance 32 nodes`,
  };
}

function noShare(name: string, text: string, why: string): Words {
  return {
    code: "badShare",
    what: `${shown(name)}: ${echoText(text)} is not a share`,
    why,
    remedy: "write for instance 20%, 32 nodes, 4 GPUs, or 1000 SU",
  };
}

function rounded(name: string, text: string, ppm: number): Words {
  return {
    code: "shareRounded",
    what: `${shown(name)}: ${echoText(text)} counts as ${ppm / 10_000}%`,
    why: "shares are stored in parts per million",
    remedy: "write at most four digits after the point",
  };
}
