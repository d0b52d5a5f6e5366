/**
 * The words of a site's price rules: `reservations.prices`.
 */
import { offsetText } from "../../base/index.ts";
import {
  isConsumerPath,
  type PriceRule,
  SLOT_KINDS,
  type SlotKind,
  WEEKDAYS,
  type Weekday,
} from "../../model/index.ts";
import { echoText } from "../echo-text.ts";
import {
  type NamedValue,
  oneText,
  type ReadWord,
  readEntries,
  shown,
  textList,
  valueUnknown,
  wrongType,
} from "../yaml/index.ts";
import { clockOf, timeOfDay, timeOfDayText } from "./clock-of.ts";
import { partsOf } from "./shares.ts";

const DAY_MS = 86_400_000;
const PROC_MS_PER_SU = 3_600_000;
const EXAMPLE = '{ name: night, from: "22:00", until: "06:00", unitPrice: 1 }';
const MOST_RULES = 100;

/** c of a site or a rule, in thousandths. */
export function unitPriceOf(named: NamedValue): number | undefined {
  return partsOf(named, {
    ...{ perOne: 1000, least: 1, most: 1000 },
    ...{ noun: "a number from 1 to 1000, what an SU of a reservation costs", example: "unitPrice: 1.5" },
  });
}

/** f₀ of a site or a rule, in processor-milliseconds. */
export function transactionOf(named: NamedValue): number | undefined {
  return partsOf(named, {
    ...{ perOne: PROC_MS_PER_SU, least: 0, most: 1_000_000 },
    ...{ noun: "an amount of SU from 0 to 1000000", example: "transaction: 0.5" },
  });
}

/** Consumer paths; undefined, with a problem, where any is none. */
export function consumersOf(named: NamedValue): readonly string[] | undefined {
  const written = textList(named, "consumers: [cms, atlas/higgs]");
  const wrong = written?.find(({ text }) => !isConsumerPath(text));
  if (wrong === undefined) return written?.map(({ text }) => text);
  named.notes.problem(wrong.at, {
    code: "badConsumer",
    what: `${shown(named.name)}: ${echoText(wrong.text)} is no consumer path`,
    why: "a path is up to eight names with / between them, of letters, digits and _ . @ + -",
    remedy: "write for instance consumers: [cms, atlas/higgs], or leave it out for everybody",
  });
  return undefined;
}

/** The rules, the first that fits counting; undefined, with problems, where something is wrong. */
export function pricesOf(named: NamedValue): readonly PriceRule[] | undefined {
  const { name, value, notes } = named;
  if (value.kind !== "list" || value.items.length > MOST_RULES) {
    const wrong = value.kind === "list" ? tooMany : wrongType(name, value, `prices: [${EXAMPLE}]`);
    notes.problem(value.at, wrong);
    return undefined;
  }
  const before = notes.problemCount();
  const rules: PriceRule[] = [];
  for (const item of value.items) {
    const rule = ruleOf({ name, value: item, notes });
    if (rule === undefined) continue;
    const wrong = whyNotAfter(rules, rule);
    if (wrong === undefined) rules.push(rule);
    else notes.problem(item.at, wrong);
  }
  return notes.problemCount() > before ? undefined : rules;
}

const tooMany = {
  code: "tooManyRules",
  what: "these are too many price rules",
  why: `a site has ${MOST_RULES} at most: whoever is to pay by them must be able to read them`,
  remedy: "say what is usual with unitPrice and transaction, and only what differs as rules",
};

type Draft = { -readonly [Word in keyof PriceRule]?: PriceRule[Word] };

function ruleOf(named: NamedValue): PriceRule | undefined {
  const draft: Draft = {};
  const words = new Map<string, ReadWord>([
    ["name", (it) => keep(draft, { name: nameOf(it) })],
    ["clock", (it) => keep(draft, { clockMs: clockOf(it) })],
    ["from", (it) => keep(draft, { fromMs: timeOfDay(it, 'from: "22:00"') })],
    ["until", (it) => keep(draft, { untilMs: timeOfDay(it, 'until: "06:00"') })],
    ["days", (it) => keep(draft, { days: wordsOf(it, WEEKDAYS, "days: [mon, tue]") })],
    ["consumers", (it) => keep(draft, { consumers: someOf(it, consumersOf(it)) })],
    ["slots", (it) => keep(draft, { slots: wordsOf(it, SLOT_KINDS, "slots: [reservation]") })],
    ["unitPrice", (it) => keep(draft, { unitPriceThousandths: unitPriceOf(it) })],
    ["transaction", (it) => keep(draft, { transactionProcMs: transactionOf(it) })],
  ]);
  const before = named.notes.problemCount();
  if (!readEntries(named, { words, example: EXAMPLE })) return undefined;
  if (named.notes.problemCount() > before) return undefined;
  const { name } = draft;
  const rule = { ...USUAL, ...draft };
  if (name === undefined) named.notes.problem(named.value.at, noName);
  else if (rule.fromMs === rule.untilMs || rule.fromMs === DAY_MS || rule.untilMs === 0) {
    named.notes.problem(named.value.at, noTime(name));
  } else return { ...rule, name };
  return undefined;
}

const USUAL = {
  clockMs: 0,
  fromMs: 0,
  untilMs: DAY_MS,
  days: null,
  consumers: null,
  slots: null,
  unitPriceThousandths: 1000,
  transactionProcMs: 0,
} as const satisfies Omit<PriceRule, "name">;

function keep(
  draft: Draft,
  said: { readonly [Word in keyof PriceRule]?: PriceRule[Word] | undefined },
): void {
  const [[, value]] = Object.entries(said);
  if (value !== undefined) Object.assign(draft, said);
}

const noName = {
  code: "wordMissing",
  what: "this price rule has no name",
  why: "quotes say by it what they were priced by",
  remedy: `write for instance ${EXAMPLE}`,
};

function noTime(name: string) {
  return {
    code: "noTime",
    what: `price rule ${shown(name)} holds at no time`,
    why: "its day ends where it begins",
    remedy: 'leave from and until out for whole days; a night is from: "22:00", until: "06:00"',
  };
}

/** What keeps a rule from ever counting, or from being told from another. */
function whyNotAfter(rules: readonly PriceRule[], { name }: PriceRule) {
  if (rules.some((it) => it.name === name)) {
    return {
      code: "nameTwice",
      what: `there are two price rules called ${shown(name)}`,
      why: "quotes say by the name what they were priced by",
      remedy: "give one of them another name",
    };
  }
  const always = rules.find(fitsAlways);
  if (always === undefined) return undefined;
  return {
    code: "ruleUnreached",
    what: `price rule ${shown(name)} would never count`,
    why: `the first rule that fits counts, and ${shown(always.name)} before it always fits`,
    remedy: `write it before ${shown(always.name)}, or take it out`,
  };
}

function fitsAlways({ fromMs, untilMs, days, consumers, slots }: PriceRule): boolean {
  return fromMs === 0 && untilMs === DAY_MS && days === null && consumers === null && slots === null;
}

function nameOf(named: NamedValue): string | undefined {
  const written = oneText(named, "name: night");
  if (written === undefined || /^[A-Za-z0-9_][A-Za-z0-9_. -]{0,63}$/.test(written.text)) return written?.text;
  named.notes.problem(written.at, {
    code: "badName",
    what: `a price rule cannot be called ${echoText(written.text)}`,
    why: "a name is up to 64 letters, digits, blanks and . _ -, and begins with a letter, a digit or _",
    remedy: "choose a name like night or weekend",
  });
  return undefined;
}

/** Some of a few words, each once, in their own order. */
function wordsOf<Word extends Weekday | SlotKind>(
  named: NamedValue,
  known: readonly Word[],
  example: string,
): readonly Word[] | undefined {
  const written = textList(named, example);
  if (written === undefined) return undefined;
  const wrong = written.find(({ text }) => !known.some((word) => word === text));
  if (wrong === undefined) {
    return someOf(
      named,
      known.filter((word) => written.some(({ text }) => text === word)),
    );
  }
  named.notes.problem(wrong.at, valueUnknown(named.name, wrong.text, known, example));
  return undefined;
}

/** None would fit nothing. */
function someOf<Item>(named: NamedValue, items: readonly Item[] | undefined): readonly Item[] | undefined {
  if (items === undefined || items.length > 0) return items;
  named.notes.problem(named.value.at, {
    code: "ruleFitsNothing",
    what: `${shown(named.name)} is empty`,
    why: "a price rule for none of them would never count",
    remedy: "leave it out for all of them, or name some",
  });
  return undefined;
}

/** A rule as `stint.yaml` writes it: the inverse of reading; what is usual is left out. */
export function writtenPrice(rule: PriceRule): Readonly<Record<string, unknown>> {
  const { name, clockMs, fromMs, untilMs, days, consumers, slots } = rule;
  return {
    name,
    ...(clockMs === USUAL.clockMs ? {} : { clock: offsetText(clockMs) }),
    ...(fromMs === USUAL.fromMs ? {} : { from: timeOfDayText(fromMs) }),
    ...(untilMs === USUAL.untilMs ? {} : { until: timeOfDayText(untilMs) }),
    ...(days === null ? {} : { days }),
    ...(consumers === null ? {} : { consumers }),
    ...(slots === null ? {} : { slots }),
    unitPrice: rule.unitPriceThousandths / 1000,
    transaction: rule.transactionProcMs / PROC_MS_PER_SU,
  };
}
