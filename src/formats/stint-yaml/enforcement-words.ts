/**
 * The words of a site's `enforcement`: how far its usage policies are enforced.
 */
import {
  ENFORCEMENT_DEFAULTS,
  ENFORCEMENT_STEPS,
  type EnforcementRules,
  type EnforcementStep,
} from "../../model/index.ts";
import { durationOf, type NamedValue, textList, valueUnknown, wholeNumberOf, wordOf } from "../yaml/index.ts";
import type { Said } from "./configuration.ts";
import { ppmOf } from "./shares.ts";

/** What can be said of enforcement at any site, in the units of `EnforcementRules`. */
export interface EnforcementWords {
  readonly "enforcement.grant": readonly EnforcementStep[];
  readonly "enforcement.form": EnforcementRules["form"];
  readonly "enforcement.minRun": number;
  readonly "enforcement.maxSuspensions": number;
  readonly "enforcement.actionsPerHour": number;
  readonly "enforcement.suspendedShare": number;
  readonly "enforcement.lease": number;
}

/** The rule that each word says. */
const RULES = {
  "enforcement.grant": "granted",
  "enforcement.form": "form",
  "enforcement.minRun": "minRunMs",
  "enforcement.maxSuspensions": "maxSuspensions",
  "enforcement.actionsPerHour": "actionsPerHour",
  "enforcement.suspendedShare": "suspendedPpm",
  "enforcement.lease": "leaseMs",
} as const satisfies Record<keyof EnforcementWords, keyof EnforcementRules>;

type ReadWords = {
  readonly [Path in keyof EnforcementWords]: (named: NamedValue) => EnforcementWords[Path] | undefined;
};

const GRANT_EXAMPLE = "grant: [hold, suspend]";
const FORMS = ["ours", "literal"] as const;

/** Who reads each of them. */
export const ENFORCEMENT_WORDS: ReadWords = {
  "enforcement.grant": stepsOf,
  "enforcement.form": (named) => wordOf(named, FORMS, "form: ours"),
  "enforcement.minRun": (named) => durationOf(named, { example: "minRun: 1m" }),
  "enforcement.maxSuspensions": (named) =>
    wholeNumberOf(named, { least: 0, most: 1_000_000, example: "maxSuspensions: 3" }),
  "enforcement.actionsPerHour": (named) =>
    wholeNumberOf(named, { least: 0, most: 1_000_000_000, example: "actionsPerHour: 600" }),
  "enforcement.suspendedShare": (named) => ppmOf(named, "suspendedShare: 0.5"),
  "enforcement.lease": (named) => durationOf(named, { example: "lease: 5m", ifZero: noLease }),
};

const noLease = {
  why: "what is held would be let go before it is held",
  remedy: "leave it out for five minutes, or write for instance lease: 5m",
};

/** The rules of what was said, the others being the careful defaults; nothing where nothing was said. */
export function enforcementFrom(
  draft: {
    readonly [Path in keyof EnforcementWords]?: Said<EnforcementWords[Path]>;
  },
): { readonly enforcement?: EnforcementRules } {
  const paths = Object.keys(RULES) as (keyof EnforcementWords)[];
  const said = paths.flatMap((path) => {
    const value = draft[path]?.value;
    return value === undefined ? [] : [[RULES[path], value] as const];
  });
  if (said.length === 0) return {};
  return { enforcement: { ...ENFORCEMENT_DEFAULTS, ...Object.fromEntries(said) } };
}

/** What a word of the file says of rules: the inverse of reading. */
export function writtenEnforcement(
  path: keyof EnforcementWords,
  rules: EnforcementRules,
  timeText: (ms: number) => string,
): string | number | readonly string[] {
  const rule: string = RULES[path];
  const value = rules[RULES[path]];
  if (typeof value !== "number") return value;
  if (rule.endsWith("Ppm")) return value / 1_000_000;
  return rule.endsWith("Ms") ? timeText(value) : value;
}

/** Each step once, from the mildest on; none is `watch`. */
function stepsOf(named: NamedValue): readonly EnforcementStep[] | undefined {
  const written = textList(named, GRANT_EXAMPLE);
  if (written === undefined) return undefined;
  const isStep = (text: string): boolean => ENFORCEMENT_STEPS.some((step) => step === text);
  const wrong = written.find(({ text }) => !isStep(text));
  if (wrong !== undefined) {
    named.notes.problem(wrong.at, valueUnknown(named.name, wrong.text, ENFORCEMENT_STEPS, GRANT_EXAMPLE));
    return undefined;
  }
  const granted = ENFORCEMENT_STEPS.filter((step) => written.some(({ text }) => text === step));
  return granted.length === 0 ? ENFORCEMENT_DEFAULTS.granted : granted;
}
