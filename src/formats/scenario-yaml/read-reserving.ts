/**
 * Reads which jobs of a scenario's site reserve, and how they choose.
 */
import type { ReservingRules } from "../../model/index.ts";
import { type NamedValue, shown, type Words, wordOf, wrongType } from "../yaml/index.ts";
import { type Readers, readRecord } from "./record.ts";
import { NONE, numberOf } from "./values.ts";

/** The words of reserving. */
export const RESERVING_WORDS: readonly (keyof Said)[] = ["share", "alpha"];

const EXAMPLE = "reserving: { share: 0.1, alpha: 0.5 }";
const MILLION = 1_000_000;
const RANDOM = "random";

interface Said {
  readonly share: number;
  readonly alpha: number | "random";
}

const readers: Readers<Said> = {
  share: (it) => millionthsOf(it, "share: 0.1"),
  alpha: alphaOf,
};

/** The rules; undefined where it is `none`, and, with a problem, where something is wrong with it. */
export function reservingOf(named: NamedValue): ReservingRules | undefined {
  const { name, value, notes } = named;
  if (value.kind !== "mapping") {
    wordOf(named, [NONE], EXAMPLE);
    return undefined;
  }
  if (value.entries.length === 0) notes.problem(value.at, wrongType(name, value, EXAMPLE));
  else tellMissing(named);
  const { share, alpha } = readRecord(named, readers, { example: EXAMPLE }) ?? {};
  return share === undefined || alpha === undefined ? undefined : { sharePpm: share, alphaPpm: alpha };
}

function tellMissing({ value, notes }: NamedValue): void {
  if (value.kind !== "mapping") return;
  const without = RESERVING_WORDS.find((word) => !value.entries.some(({ key }) => key === word));
  if (without !== undefined) notes.problem(value.at, missing(without));
}

function alphaOf(named: NamedValue): number | "random" | undefined {
  const { value } = named;
  if (value.kind === "scalar" && value.text === RANDOM) return RANDOM;
  return millionthsOf(named, "alpha: 0.5");
}

/** A number from 0 to 1, in millionths. */
function millionthsOf(named: NamedValue, example: string): number | undefined {
  const value = numberOf(named, example);
  if (value === undefined || (value >= 0 && value <= 1)) {
    return value === undefined ? undefined : Math.round(value * MILLION);
  }
  named.notes.problem(named.value.at, {
    code: "badFraction",
    what: `${shown(named.name)}: ${value} is no fraction`,
    why: "it is from 0 to 1",
    remedy: `write for instance ${example}`,
  });
  return undefined;
}

function missing(word: keyof Said): Words {
  return {
    code: "wordMissing",
    what: `reserving has no ${word}`,
    why: word === "share" ? "somebody has to say how many jobs reserve" : "a job chooses by it",
    remedy: `write for instance ${EXAMPLE}`,
  };
}
