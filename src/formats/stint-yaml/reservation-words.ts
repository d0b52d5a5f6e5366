/**
 * The words of a site's `reservations`: who may reserve how much of it, and what that costs.
 */

import {
  isConsumerPath,
  type PriceRule,
  RESERVATION_DEFAULTS,
  type ReservationRules,
} from "../../model/index.ts";
import { echoText } from "../echo-text.ts";
import { durationOf, type NamedValue, shown, wholeNumberOf, wrongType } from "../yaml/index.ts";
import type { Said } from "./configuration.ts";
import { consumersOf, pricesOf, transactionOf, unitPriceOf, writtenPrice } from "./price-words.ts";
import type { SettingValue } from "./setting-value.ts";
import { ppmOf } from "./shares.ts";
import { yesOrNo } from "./yes-or-no.ts";

/** What can be said of reservations at any site, in the units of `ReservationRules`. */
export interface ReservationWords {
  readonly "reservations.consumers": readonly string[];
  readonly "reservations.ahead": number;
  readonly "reservations.longest": number;
  readonly "reservations.notice": number;
  readonly "reservations.share": number;
  readonly "reservations.consumerShare": number;
  readonly "reservations.far": number;
  readonly "reservations.farShare": number;
  readonly "reservations.offer": number;
  readonly "reservations.offerShare": number;
  readonly "reservations.unitPrice": number;
  readonly "reservations.transaction": number;
  readonly "reservations.prices": readonly PriceRule[];
  readonly "reservations.penalty": number;
  readonly "reservations.basePenalty": number;
  readonly "reservations.freeWasted": number;
  readonly "reservations.delayBudgets": Readonly<Record<string, number>>;
  readonly "reservations.virtual": boolean;
}

/** The rule that each word says. */
const RULES = {
  "reservations.consumers": "consumers",
  "reservations.ahead": "aheadMs",
  "reservations.longest": "longestMs",
  "reservations.notice": "noticeMs",
  "reservations.share": "sharePpm",
  "reservations.consumerShare": "consumerSharePpm",
  "reservations.far": "farMs",
  "reservations.farShare": "farSharePpm",
  "reservations.offer": "offerMs",
  "reservations.offerShare": "offerSharePpm",
  "reservations.unitPrice": "unitPriceThousandths",
  "reservations.transaction": "transactionProcMs",
  "reservations.prices": "prices",
  "reservations.penalty": "penaltyPpm",
  "reservations.basePenalty": "basePenaltyPpm",
  "reservations.freeWasted": "freeWasted",
  "reservations.delayBudgets": "delayBudgets",
  "reservations.virtual": "virtual",
} as const satisfies Record<keyof ReservationWords, keyof ReservationRules>;

type ReadWords = {
  readonly [Path in keyof ReservationWords]: (named: NamedValue) => ReservationWords[Path] | undefined;
};

const PROC_MS_PER_SU = 3_600_000;

/** Who reads each of them. */
export const RESERVATION_WORDS: ReadWords = {
  "reservations.consumers": consumersOf,
  "reservations.ahead": (named) => durationOf(named, { example: "ahead: 14d" }),
  "reservations.longest": (named) => durationOf(named, { example: "longest: 2d", ifZero: noTime }),
  "reservations.notice": (named) => durationOf(named, { example: "notice: 10m" }),
  "reservations.share": (named) => ppmOf(named, "share: 0.5"),
  "reservations.consumerShare": (named) => ppmOf(named, "consumerShare: 0.25"),
  "reservations.far": (named) => durationOf(named, { example: "far: 2d" }),
  "reservations.farShare": (named) => ppmOf(named, "farShare: 0.1"),
  "reservations.offer": (named) => durationOf(named, { example: "offer: 60s", ifZero: noTime }),
  "reservations.offerShare": (named) => ppmOf(named, "offerShare: 0.25"),
  "reservations.unitPrice": unitPriceOf,
  "reservations.transaction": transactionOf,
  "reservations.prices": pricesOf,
  "reservations.penalty": (named) => ppmOf(named, "penalty: 0.1"),
  "reservations.basePenalty": (named) => ppmOf(named, "basePenalty: 0.05"),
  "reservations.freeWasted": (named) =>
    wholeNumberOf(named, { least: 0, most: 1_000_000, example: "freeWasted: 5" }),
  "reservations.delayBudgets": delayBudgetsOf,
  "reservations.virtual": (named) => yesOrNo(named, "virtual: false"),
};

const noTime = { why: "nothing fits into no time", remedy: "leave it out for what is usual" };

/** The rules of what was said, the others being the careful defaults; nothing where nothing was said. */
export function rulesFrom(
  draft: {
    readonly [Path in keyof ReservationWords]?: Said<ReservationWords[Path]>;
  },
): { readonly reservations?: ReservationRules } {
  const paths = Object.keys(RULES) as (keyof ReservationWords)[];
  const said = paths.flatMap((path) => {
    const value = draft[path]?.value;
    return value === undefined ? [] : [[RULES[path], value] as const];
  });
  if (said.length === 0) return {};
  return { reservations: { ...RESERVATION_DEFAULTS, ...Object.fromEntries(said) } };
}

/** What a word of the file says of rules: the inverse of reading; null where it says nothing. */
export function writtenRule(
  path: keyof ReservationWords,
  rules: ReservationRules,
  timeText: (ms: number) => string,
): SettingValue | null {
  if (path === "reservations.prices") return rules.prices?.map(writtenPrice) ?? null;
  const value = rules[RULES[path]] ?? null;
  if (value === null || typeof value === "object" || typeof value === "boolean") return value as SettingValue;
  const rule: string = RULES[path];
  if (rule.endsWith("Ppm")) return value / 1_000_000;
  if (rule.endsWith("Thousandths")) return value / 1000;
  if (rule.endsWith("ProcMs")) return value / PROC_MS_PER_SU;
  return rule.endsWith("Ms") ? timeText(value) : value;
}

const EXAMPLE = "delayBudgets: { cms: 64, cms/higgs: 16 }";
const MOST_SU_PER_HOUR = 1_000_000_000;

/** SU for an hour of delay, by consumer path; undefined, with problems, where something is wrong. */
function delayBudgetsOf(named: NamedValue): Readonly<Record<string, number>> | undefined {
  const { name, value, notes } = named;
  if (value.kind !== "mapping") {
    notes.problem(value.at, wrongType(name, value, EXAMPLE));
    return undefined;
  }
  const before = notes.problemCount();
  const budgets = value.entries.flatMap(({ key, keyAt, value: amount }): [string, number][] => {
    if (!isConsumerPath(key)) {
      notes.problem(keyAt, {
        code: "badConsumer",
        what: `${shown(name)}: ${echoText(key)} is no consumer path`,
        why: "a path is up to eight names with / between them, of letters, digits and _ . @ + -",
        remedy: `write for instance ${EXAMPLE}`,
      });
      return [];
    }
    const bounds = { least: 0, most: MOST_SU_PER_HOUR, example: "cms: 64" };
    const suPerHour = wholeNumberOf({ name: `${name}.${key}`, value: amount, notes }, bounds);
    return suPerHour === undefined ? [] : [[key, suPerHour]];
  });
  return notes.problemCount() > before ? undefined : Object.fromEntries(budgets);
}
