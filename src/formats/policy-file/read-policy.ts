/**
 * Reads one policy, as a tuple or in the long form, into a draft.
 */
import { type Notations, policyBetweenShape, policyShape, type Read } from "../../contract/files/index.ts";
import type { CalendarUnit, EpochWindow } from "../../model/index.ts";
import { type NamedValue, readValue, shown, type Value, type Words, wrongType } from "../yaml/index.ts";
import type { DraftContext, PolicyDraft } from "./draft.ts";
import { shareOf } from "./share-text.ts";
import { looksLikeTuple, type TupleText, tupleWords } from "./tuple.ts";

const example = "{ resource: cpu, provider: site1, consumer: vo0, epoch: { interval: 1h, share: 20% } }";

/** Policies, each as a tuple or in words. */
export function readPolicyList(
  { name, value, notes }: NamedValue,
  context: DraftContext,
): readonly PolicyDraft[] {
  if (value.kind !== "list") {
    notes.problem(value.at, wrongType(name, value, 'policies: ["CPU, Site1, VO0, (3600, 20)"]'));
    return [];
  }
  return value.items.flatMap(
    (item, index) => readPolicy({ name: `${name}[${index}]`, value: item, notes }, context) ?? [],
  );
}

/** A policy of a list: a tuple as a text or as a list, or a mapping; undefined, with a problem. */
function readPolicy(named: NamedValue, context: DraftContext): PolicyDraft | undefined {
  const { name, value, notes } = named;
  if (value.kind === "mapping") return readWords(named, context);
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
  const draft = readWords({ name: "", value: words.policy, notes: text.notes }, context, true);
  return draft && { ...draft, label: words.label };
}

function readWords(named: NamedValue, context: DraftContext, isTuple = false): PolicyDraft | undefined {
  const { notes, value } = named;
  const { source, offsetMs } = context;
  const before = notes.problemCount();
  const shape = context.provider === null ? policyShape : policyBetweenShape;
  const { said, at } = readValue(named, shape, { example });
  if (said === undefined) return undefined;
  const { resource, epoch, burst, rule, mode, carry } = said;
  const within = (word: string) => (named.name === "" ? word : `${named.name}.${word}`);
  const shareIn = (pair: { readonly share: string }, word: string) => {
    const written = { name: within(`${word}.share`), text: pair.share.trim(), at: at(pair, "share") };
    return shareOf(written, { notes, resource, isTuple });
  };
  const share = shareIn(epoch, "epoch");
  const most = burst && shareIn(burst, "burst");
  const window = windowOf(epoch, within("epoch.interval"), offsetMs);
  if ("code" in window) notes.problem(at(epoch, "interval"), window);
  const party = (end: "provider" | "consumer") => {
    const text = said[end]?.trim();
    return text === undefined ? context[end] : { text, at: at(said, end) };
  };
  const [provider, consumer] = [party("provider"), party("consumer")];
  if (notes.problemCount() > before || "code" in window) return undefined;
  if (provider === null || consumer === null || share === undefined) return undefined;
  return {
    ...{ at: value.at, notes, source, label: null, resource, provider, consumer, rule, mode, carry },
    epoch: { window, share },
    burst: burst === undefined || most === undefined ? null : { bucketMs: burst.bucketMs, share: most },
    fromMs: (said.from && instantOf(said.from, offsetMs)) ?? context.fromMs,
    untilMs: (said.until && instantOf(said.until, offsetMs)) ?? context.untilMs,
  };
}

/** The instant of a date by a clock that is so far ahead of UTC. */
export function instantOf({ atMs, isDay }: Notations["date"], offsetMs: number): number {
  return isDay ? atMs - offsetMs : atMs;
}

const HOUR_MS = 3_600_000;
const CALENDAR: readonly (readonly [CalendarUnit, number | null])[] = [
  ["hour", HOUR_MS],
  ["day", 24 * HOUR_MS],
  ["week", 7 * 24 * HOUR_MS],
  ["month", null],
];

/** The window; the words for what is wrong where it is none. */
function windowOf(
  { interval, window: kind }: Read<typeof policyShape>["epoch"],
  name: string,
  offsetMs: number,
): EpochWindow | Words {
  const [unit, lengthMs] = CALENDAR.find((of) => of.includes(interval)) ?? [undefined, Number(interval)];
  if (kind === "sliding") return lengthMs === null ? monthSlides : { kind, lengthMs };
  return unit === undefined ? notOfCalendar(name) : { kind, unit, offsetMs };
}

function notOfCalendar(name: string): Words {
  return {
    code: "intervalNotOfCalendar",
    what: `${shown(name)}: no calendar window is so long`,
    why: "fixed windows are the hours, days, weeks and months of the calendar",
    remedy: "write hour, day, week or month, or window: sliding",
  };
}

const monthSlides: Words = {
  code: "monthSlides",
  what: "a month has no fixed length",
  why: "a sliding window has the same length at any time",
  remedy: "write 30d, or add window: fixed for the months of the calendar",
};

/** A tuple that YAML took apart, put together again. */
function tupleText(value: Value): string {
  if (value.kind === "scalar") return value.text;
  if (value.kind === "mapping") return "{}";
  return value.items
    .map((item) => (item.kind === "list" ? `(${tupleText(item)})` : tupleText(item)))
    .join(", ");
}
