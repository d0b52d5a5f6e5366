/**
 * Reads one policy, as a tuple or in the long form, into a draft.
 */
import {
  isConsumerPath,
  POLICY_DEFAULTS,
  type PolicyCarry,
  type PolicyMode,
  type PolicyRule,
  SHARED_RESOURCES,
  type SharedResource,
} from "../../model/index.ts";
import { echoText } from "../echo-text.ts";
import {
  type NamedValue,
  numberOrText,
  readEntries,
  shown,
  type Value,
  type Word,
  wordOf,
  wrongType,
} from "../yaml/index.ts";
import type { DraftContext, PolicyDraft, WrittenBurst, WrittenEpoch } from "./draft.ts";
import { type ShareReading, shareOf } from "./share-text.ts";
import { looksLikeTuple, type TuplePair, type TupleText, tupleWords } from "./tuple.ts";
import { dateOf, intervalOf, windowOf } from "./window-text.ts";

const example = "{ resource: cpu, provider: site1, consumer: vo0, epoch: { interval: 1h, share: 20% } }";

/** A policy of a list: a tuple as a text or as a list, or a mapping; undefined, with a problem. */
export function readPolicy(named: NamedValue, context: DraftContext): PolicyDraft | undefined {
  const { name, value, notes } = named;
  if (value.kind === "mapping") return readLongForm(named, context);
  if (value.kind === "list")
    return readTuple({ text: tupleText(value), at: value.at, notes, isWritten: false }, context);
  if (typeof value.value === "string" && looksLikeTuple(value.text)) {
    return readTuple({ text: value.text, at: value.at, notes }, context);
  }
  notes.problem(value.at, wrongType(name, value, `CPU, Site1, VO0, (3600, 20), (5, 60), or ${example}`));
  return undefined;
}

/** A tuple with seconds and percent, or with units. */
export function readTuple(text: TupleText, context: DraftContext): PolicyDraft | undefined {
  const words = tupleWords(text);
  if (words === undefined) return undefined;
  const { notes } = text;
  const name = (part: string, word: Word): NamedValue => ({ name: part, value: scalarOf(word), notes });
  const resource = resourceOf(name("resource", words.resource));
  const provider = placeOf(name("provider", words.provider));
  const consumer = consumerOf(name("consumer", words.consumer));
  const how = { resource: resource ?? POLICY_DEFAULTS.resource, isTuple: true };
  const epoch = epochOf(namedPair("epoch", words.epoch, notes), how, context);
  const burst = words.burst === null ? null : burstOf(namedPair("burst", words.burst, notes), how);
  if (resource === undefined || provider === undefined || consumer === undefined) return undefined;
  if (epoch === undefined || burst === undefined) return undefined;
  const { rule, mode, carry } = POLICY_DEFAULTS;
  const { source, fromMs, untilMs } = context;
  return {
    ...{ at: text.at, notes, source, label: words.label, resource, provider, consumer },
    ...{ epoch, burst, rule, mode, carry, fromMs, untilMs },
  };
}

/** The parts of a share with its interval. */
interface NamedPair {
  readonly interval: NamedValue | undefined;
  readonly share: NamedValue | undefined;
  readonly window?: NamedValue | undefined;
}

function namedPair(name: string, { interval, share }: TuplePair, notes: NamedValue["notes"]): NamedPair {
  return {
    interval: { name: `${name}.interval`, value: interval, notes },
    share: { name: `${name}.share`, value: share, notes },
  };
}

function readLongForm(named: NamedValue, context: DraftContext): PolicyDraft | undefined {
  const { notes, value } = named;
  const before = notes.problemCount();
  const said = new Map<string, NamedValue>();
  const keep = (word: string) => [word, (it: NamedValue) => void said.set(word, it)] as const;
  const words = [
    "resource",
    "provider",
    "consumer",
    "epoch",
    "burst",
    "rule",
    "mode",
    "carry",
    "from",
    "until",
  ];
  readEntries(named, { example, words: new Map(words.map(keep)) });
  const read = <Read>(word: string, reader: (it: NamedValue) => Read | undefined) => {
    const it = said.get(word);
    return it === undefined ? undefined : reader(it);
  };
  const resource = read("resource", resourceOf) ?? POLICY_DEFAULTS.resource;
  const how = { resource, isTuple: false };
  const provider = read("provider", placeOf) ?? context.provider;
  const consumer = read("consumer", consumerOf) ?? context.consumer;
  const epoch = read("epoch", (it) => epochOf(pairOf(it, ["window"]), how, context));
  const burst = read("burst", (it) => burstOf(pairOf(it, []), how)) ?? null;
  const rule = read("rule", (it) => wordOf<PolicyRule>(it, ["entitlement", "cap"], "rule: entitlement"));
  const mode = read("mode", (it) =>
    wordOf<PolicyMode>(it, ["shared", "preempting", "dedicated"], "mode: shared"),
  );
  const carry = read("carry", (it) => wordOf<PolicyCarry>(it, ["forgive", "repay"], "carry: forgive"));
  const fromMs = read("from", (it) => dateOf(it, context.offsetMs)) ?? context.fromMs;
  const untilMs = read("until", (it) => dateOf(it, context.offsetMs)) ?? context.untilMs;
  for (const [word, isThere] of Object.entries({ provider, consumer, epoch })) {
    if (isThere === null || (isThere === undefined && !said.has(word))) tellMissing(named, word);
  }
  if (notes.problemCount() > before) return undefined;
  if (provider === null || consumer === null || epoch === undefined) return undefined;
  return {
    ...{
      at: value.at,
      notes,
      source: context.source,
      label: null,
      resource,
      provider,
      consumer,
      epoch,
      burst,
      fromMs,
      untilMs,
    },
    rule: rule ?? POLICY_DEFAULTS.rule,
    mode: mode ?? POLICY_DEFAULTS.mode,
    carry: carry ?? POLICY_DEFAULTS.carry,
  };
}

/** `{ interval: 1h, share: 20% }`, with further words where they mean something. */
function pairOf(named: NamedValue, more: readonly "window"[]): NamedPair {
  const pair = new Map<string, NamedValue>();
  const keep = (word: string) => [word, (it: NamedValue) => void pair.set(word, it)] as const;
  const example = "{ interval: 1h, share: 20% }";
  const before = named.notes.problemCount();
  readEntries(named, { example, words: new Map(["interval", "share", ...more].map(keep)) });
  for (const word of ["interval", "share"]) {
    if (!pair.has(word) && named.notes.problemCount() === before) tellMissing(named, word);
  }
  return { interval: pair.get("interval"), share: pair.get("share"), window: pair.get("window") };
}

function epochOf(pair: NamedPair, how: ShareReading, context: DraftContext): WrittenEpoch | undefined {
  const share = pair.share && shareOf(pair.share, how);
  if (pair.interval === undefined) return undefined;
  const { offsetMs } = context;
  const window = windowOf({ interval: pair.interval, window: pair.window, offsetMs });
  return share === undefined || window === undefined ? undefined : { window, share };
}

function burstOf({ interval, share: written }: NamedPair, how: ShareReading): WrittenBurst | undefined {
  const share = written && shareOf(written, how);
  const bucketMs = interval && intervalOf(interval);
  return share === undefined || bucketMs === undefined ? undefined : { bucketMs, share };
}

/** A resource in any letters; undefined, with a problem, where there is no such. */
function resourceOf(named: NamedValue): SharedResource | undefined {
  const { value } = named;
  if (value.kind !== "scalar") return wordOf(named, SHARED_RESOURCES, "resource: cpu");
  const text = value.text.trim().toLowerCase();
  const known = SHARED_RESOURCES.find((resource) => resource === text);
  return known ?? wordOf(named, SHARED_RESOURCES, "resource: cpu");
}

/** The name of a site, of a pool of it, or of a consumer. */
export function placeOf(named: NamedValue): Word | undefined {
  return pathOf(named, "provider: site1");
}

/** A consumer path. */
export function consumerOf(named: NamedValue): Word | undefined {
  return pathOf(named, "consumer: vo0/group");
}

function pathOf(named: NamedValue, example: string): Word | undefined {
  const written = numberOrText(named, example);
  if (written === undefined) return undefined;
  const text = written.text.trim();
  if (isConsumerPath(text)) return { at: written.at, text };
  named.notes.problem(written.at, {
    code: "badName",
    what: `${shown(named.name)}: ${echoText(text)} is no name`,
    why: "it is up to eight names with / between them, of letters, digits and _ . @ + -",
    remedy: `write for instance ${example}`,
  });
  return undefined;
}

function tellMissing({ name, value, notes }: NamedValue, word: string): void {
  notes.problem(value.at, {
    code: "wordMissing",
    what: `${name === "" ? "" : `${shown(name)}.`}${word} is missing`,
    why: "without it the policy says nothing",
    remedy: `write for instance ${example}`,
  });
}

function scalarOf({ text, at }: Word): Value {
  return { kind: "scalar", at, text, value: text };
}

/** A tuple that YAML took apart, put together again. */
function tupleText(value: Value): string {
  if (value.kind === "scalar") return value.text;
  if (value.kind === "mapping") return "{}";
  return value.items
    .map((item) => (item.kind === "list" ? `(${tupleText(item)})` : tupleText(item)))
    .join(", ");
}
