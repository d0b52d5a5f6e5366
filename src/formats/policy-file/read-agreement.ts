/**
 * Reads an agreement: what one provider and one consumer have agreed, in versions with dates.
 */
import type { Agreement, AgreementDefinitions, AgreementVersion } from "../../model/index.ts";
import { clockOf, partsOf, ppmOf } from "../stint-yaml/index.ts";
import {
  type NamedValue,
  oneText,
  type ReadWord,
  readEntries,
  shown,
  type Word,
  wholeNumberOf,
  wordOf,
  wrongType,
} from "../yaml/index.ts";
import type { DraftContext, PolicyDraft } from "./draft.ts";
import type { ProviderCapacity } from "./known.ts";
import { amountWords } from "./read-names.ts";
import { consumerOf, placeOf, readPolicy } from "./read-policy.ts";
import { dateOf } from "./window-text.ts";

/** An agreement, with the policies of all its versions. */
export interface AgreementReading {
  readonly agreement: Agreement;
  readonly capacity: ProviderCapacity;
  readonly drafts: readonly PolicyDraft[];
}

const example =
  "{ agreement: name, provider: site1, consumer: vo0, versions: [{ from: 2026-01-01, policies: [] }] }";

/** What an agreement says; undefined, with a problem, where its two ends are not said. */
export function readAgreement(named: NamedValue, source: number): AgreementReading | undefined {
  const { value, notes } = named;
  const said = saidIn(
    named,
    ["agreement", "provider", "consumer", "contact", "clock", "definitions"],
    [...["prices", "validity", "versions", "policies"]],
  );
  const read = <Read>(word: string, reader: (it: NamedValue) => Read | undefined) => {
    const it = said.get(word);
    return it === undefined ? undefined : reader(it);
  };
  const provider = read("provider", placeOf);
  const consumer = read("consumer", consumerOf);
  const offsetMs = read("clock", clockOf) ?? 0;
  const capacity: Record<string, number> = {};
  const definitions = read("definitions", (it) => definitionsOf(it, capacity, offsetMs)) ?? DEFINITIONS;
  const validity = read("validity", (it) => validityOf(it, offsetMs)) ?? { fromMs: null, untilMs: null };
  for (const word of ["provider", "consumer"]) if (!said.has(word)) tellMissing(named, word);
  if (provider === undefined || consumer === undefined) return undefined;
  const context = { notes, source, offsetMs, provider, consumer, ...validity };
  const { versions, drafts } = versionsOf(said.get("versions"), said.get("policies"), context);
  if (!said.has("versions") && !said.has("policies")) tellMissing(named, "versions");
  const agreement: Agreement = {
    name: read("agreement", (it) => oneText(it, "agreement: site1-vo0")?.text) ?? "",
    provider: provider.text,
    consumer: consumer.text,
    contact: read("contact", contactOf) ?? { provider: null, consumer: null },
    offsetMs,
    definitions,
    prices: read("prices", pricesOf) ?? { unitPriceThousandths: null, penaltyPpm: null },
    ...{ ...validity, versions },
  };
  for (const draft of drafts) tellOtherParties(draft, { provider, consumer });
  return { agreement, capacity, drafts: value.kind === "mapping" ? drafts : [] };
}

/** What holds where the agreement says nothing. */
const DEFINITIONS: AgreementDefinitions = {
  downtime: "excluded",
  drain: "excluded",
  demand: "eligible",
  nodeFailure: "provider",
  time: "wall",
  benchmark: [],
};

/** The words of a mapping with their values, to be read in the order in which they depend on each other. */
function saidIn(
  named: NamedValue,
  words: readonly string[],
  more: readonly string[],
): ReadonlyMap<string, NamedValue> {
  const said = new Map<string, NamedValue>();
  const keep = (word: string) => [word, (it: NamedValue) => void said.set(word, it)] as const;
  readEntries(named, { example, words: new Map([...words, ...more].map(keep)) });
  return said;
}

function definitionsOf(
  named: NamedValue,
  capacity: Record<string, number>,
  offsetMs: number,
): AgreementDefinitions {
  const definitions: { -readonly [Word in keyof AgreementDefinitions]: AgreementDefinitions[Word] } = {
    ...DEFINITIONS,
  };
  const ofCapacity = (it: NamedValue) => {
    const counts = (word: "downtime" | "drain") =>
      [
        word,
        (inner: NamedValue) => {
          definitions[word] =
            wordOf(inner, ["counted", "excluded"] as const, `${word}: excluded`) ?? "excluded";
        },
      ] as const;
    const words = new Map<string, ReadWord>([...amountWords(capacity), counts("downtime"), counts("drain")]);
    readEntries(it, { example: "capacity: { procs: 128, downtime: excluded }", words });
  };
  const words = new Map<string, ReadWord>([
    ["capacity", ofCapacity],
    [
      "demand",
      (it) => {
        definitions.demand = wordOf(it, ["eligible"] as const, "demand: eligible") ?? "eligible";
      },
    ],
    [
      "nodeFailure",
      (it) => {
        const known = ["provider", "consumer"] as const;
        definitions.nodeFailure = wordOf(it, known, "nodeFailure: provider") ?? "provider";
      },
    ],
    ["unit", (it) => Object.assign(definitions, unitOf(it, offsetMs))],
  ]);
  readEntries(named, { example: "definitions: { nodeFailure: provider }", words });
  return definitions;
}

function unitOf(named: NamedValue, offsetMs: number): Pick<AgreementDefinitions, "time" | "benchmark"> {
  const unit: { time: "wall" | "cpu"; benchmark: { fromMs: number; thousandths: number }[] } = {
    time: "wall",
    benchmark: [],
  };
  const factor = { perOne: 1000, least: 0.001, most: 1000, noun: "a number from 0.001 to 1000" };
  const benchmark = (list: NamedValue) =>
    eachOf(list, "benchmark: [{ from: 2026-01-01, factor: 1.2 }]", (it) => {
      let [fromMs, thousandths]: [number | undefined, number | undefined] = [undefined, undefined];
      const words = new Map<string, ReadWord>([
        [
          "from",
          (inner) => {
            fromMs = dateOf(inner, offsetMs);
          },
        ],
        [
          "factor",
          (inner) => {
            thousandths = partsOf(inner, { ...factor, example: "factor: 1.2" });
          },
        ],
      ]);
      readEntries(it, { example: "{ from: 2026-01-01, factor: 1.2 }", words });
      if (fromMs !== undefined && thousandths !== undefined) unit.benchmark.push({ fromMs, thousandths });
    });
  const time = (it: NamedValue) => {
    unit.time = wordOf(it, ["wall", "cpu"] as const, "time: wall") ?? "wall";
  };
  const words = new Map<string, ReadWord>([
    ["time", time],
    ["benchmark", benchmark],
  ]);
  readEntries(named, { example: "unit: { time: wall }", words });
  return unit;
}

function validityOf(named: NamedValue, offsetMs: number): { fromMs: number | null; untilMs: number | null } {
  const validity: { fromMs: number | null; untilMs: number | null } = { fromMs: null, untilMs: null };
  const words = new Map<string, ReadWord>([
    [
      "from",
      (it) => {
        validity.fromMs = dateOf(it, offsetMs) ?? null;
      },
    ],
    [
      "until",
      (it) => {
        validity.untilMs = dateOf(it, offsetMs) ?? null;
      },
    ],
  ]);
  readEntries(named, { example: "validity: { from: 2026-01-01, until: 2027-01-01 }", words });
  return validity;
}

function contactOf(named: NamedValue): Agreement["contact"] {
  const contact: { provider: string | null; consumer: string | null } = { provider: null, consumer: null };
  const words = (["provider", "consumer"] as const).map((end): [string, ReadWord] => [
    end,
    (it) => {
      contact[end] = oneText(it, `${end}: ops@example.org`)?.text ?? null;
    },
  ]);
  readEntries(named, { example: "contact: { provider: ops@example.org }", words: new Map(words) });
  return contact;
}

function pricesOf(named: NamedValue): Agreement["prices"] {
  const prices: { -readonly [Word in keyof Agreement["prices"]]: Agreement["prices"][Word] } = {
    unitPriceThousandths: null,
    penaltyPpm: null,
  };
  const unitPrice = {
    ...{ perOne: 1000, least: 0, most: 1000 },
    ...{ noun: "a number from 0 to 1000, what an SU costs", example: "unitPrice: 1.5" },
  };
  const words = new Map<string, ReadWord>([
    [
      "unitPrice",
      (it) => {
        prices.unitPriceThousandths = partsOf(it, unitPrice) ?? null;
      },
    ],
    [
      "penalty",
      (it) => {
        prices.penaltyPpm = ppmOf(it, "penalty: 0.1") ?? null;
      },
    ],
  ]);
  readEntries(named, { example: "prices: { unitPrice: 1 }", words });
  return prices;
}

type AgreementContext = DraftContext & { readonly provider: Word; readonly consumer: Word };
interface Versions {
  readonly versions: readonly AgreementVersion[];
  readonly drafts: readonly PolicyDraft[];
}

/** `versions:`, each effective from its date until the next one is; or `policies:` of the only version. */
function versionsOf(
  list: NamedValue | undefined,
  alone: NamedValue | undefined,
  context: AgreementContext,
): Versions {
  const { fromMs, untilMs } = context;
  if (list === undefined) {
    const drafts = alone === undefined ? [] : policiesOf(alone, context);
    return { versions: [{ version: 1, fromMs, untilMs }], drafts };
  }
  if (alone !== undefined) context.notes.problem(alone.value.at, bothVersions);
  const said: { version: AgreementVersion; policies: NamedValue | undefined; at: number }[] = [];
  eachOf(list, example, (it) => {
    const words = saidIn(it, ["version", "from", "until", "policies"], []);
    const from = words.get("from");
    const until = words.get("until");
    const number = words.get("version");
    const bounds = { least: 1, most: 1_000_000, example: "version: 2" };
    const version = {
      version: (number && wholeNumberOf(number, bounds)) ?? said.length + 1,
      fromMs: (from && dateOf(from, context.offsetMs)) ?? fromMs,
      untilMs: (until && dateOf(until, context.offsetMs)) ?? null,
    };
    if (from === undefined && said.length > 0) tellMissing(it, "from");
    if (!words.has("policies")) tellMissing(it, "policies");
    said.push({ version, policies: words.get("policies"), at: it.value.at });
  });
  const versions = said.map(({ version, at }, index): AgreementVersion => {
    const next = said[index + 1]?.version.fromMs ?? null;
    const last = said[index - 1]?.version.fromMs ?? null;
    if (last !== null && version.fromMs !== null && version.fromMs <= last) {
      context.notes.problem(at, outOfOrder);
    }
    return { ...version, untilMs: version.untilMs ?? next ?? untilMs };
  });
  const drafts = said.flatMap(({ policies }, index) => {
    const { version: _, ...validity } = versions[index];
    return policies === undefined ? [] : policiesOf(policies, { ...context, ...validity });
  });
  return { versions, drafts };
}

function policiesOf(named: NamedValue, context: DraftContext): readonly PolicyDraft[] {
  const drafts: PolicyDraft[] = [];
  eachOf(named, 'policies: ["CPU, Site1, VO0, (3600, 20)"]', (it) => {
    const draft = readPolicy(it, context);
    if (draft !== undefined) drafts.push(draft);
  });
  return drafts;
}

/** Reads each item of a list; a problem where the value is none. */
export function eachOf(
  { name, value, notes }: NamedValue,
  listExample: string,
  read: (item: NamedValue) => void,
): void {
  if (value.kind !== "list") {
    notes.problem(value.at, wrongType(name, value, listExample));
    return;
  }
  for (const [index, item] of value.items.entries()) read({ name: `${name}[${index}]`, value: item, notes });
}

function tellMissing({ name, value, notes }: NamedValue, word: string): void {
  notes.problem(value.at, {
    code: "wordMissing",
    what: `${name === "" ? "" : `${shown(name)}.`}${word} is missing`,
    why: "an agreement says who agreed with whom, and on which policies",
    remedy: `write for instance ${example}`,
  });
}

function tellOtherParties(
  draft: PolicyDraft,
  { provider, consumer }: { readonly provider: Word; readonly consumer: Word },
): void {
  if (draft.provider.text === provider.text && draft.consumer.text === consumer.text) return;
  draft.notes.problem(draft.at, {
    code: "otherParties",
    what: `this policy is between ${shown(draft.provider.text)} and ${shown(draft.consumer.text)}`,
    why: `the agreement is between ${shown(provider.text)} and ${shown(consumer.text)}`,
    remedy: "put it into an agreement, or a policy file, of those two",
  });
}

const bothVersions = {
  code: "bothVersions",
  what: "policies: stands beside versions:",
  why: "it would not be clear when they hold",
  remedy: "put them into a version",
};
const outOfOrder = {
  code: "versionsOutOfOrder",
  what: "this version does not begin after the one before",
  why: "each version holds until the next begins",
  remedy: "put them in the order of their dates",
};
