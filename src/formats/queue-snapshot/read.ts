/**
 * Reads a queue that somebody wrote down (`stint quote --snapshot`): JSON, or YAML with the same words.
 *
 * Everything that is wrong is told at once, with its place; docs/schemas/queue-snapshot.schema.json says the
 * same for editors, and a test holds the two together. Words that are not known are passed over: a snapshot
 * is usually written by a program, which may say more than is asked. But not where one of the lists is
 * missing and nearly said, since prices would come out wrong without a word.
 */
import { MS_PER_SECOND, nearestWord } from "../../base/index.ts";
import { DISCIPLINES, type QueueSnapshot } from "../../model/index.ts";
import { echoText } from "../echo-text.ts";
import { wordOf } from "../stint-yaml/index.ts";
import {
  type MappingValue,
  type NamedValue,
  oneText,
  type Remark,
  type Value,
  wholeNumberOf,
  wrongType,
  yamlDocuments,
} from "../yaml/index.ts";
import { checkConsistency } from "./together.ts";

/** A snapshot, where nothing is wrong with it. */
export interface SnapshotReading {
  readonly snapshot: QueueSnapshot | undefined;
  readonly problems: readonly Remark[];
}

/** Reads the text of a snapshot (rules FO-80 … FO-82). */
export function readQueueSnapshot(text: string): SnapshotReading {
  const { notes, documents } = yamlDocuments(text);
  const [document, second] = documents();
  if (second !== undefined) notes.problem(second.value.at, secondDocument);
  const snapshot =
    document === undefined ? undefined : wholeSnapshot({ name: "", value: document.value, notes });
  if (document === undefined && notes.problemCount() === 0) notes.problem(0, nothingThere);
  const { problems } = notes.collected();
  return { snapshot: problems.length === 0 ? snapshot : undefined, problems };
}

const MOST_PROCS = 100_000_000;
/** A thousand years, so that sums of milliseconds stay exact. */
const MOST_SECONDS = 31_556_952_000;

function wholeSnapshot(named: NamedValue): QueueSnapshot | undefined {
  const said = mappingOf(named, "{ nowSec: 0, procs: 64, discipline: easy, … }");
  if (said === undefined) return undefined;
  checkListWords(said);
  const snapshot = {
    nowMs: secondsIn(said, "nowSec", 0),
    procs: procsIn(said),
    discipline: disciplineIn(said),
    running: listIn(said, "running", (it) => ({ ...jobIn(it), endMs: secondsIn(it, "endSec", 0) })),
    queued: listIn(said, "queued", (it) => ({ ...jobIn(it), estimateMs: lengthIn(it, "estimateSec") })),
    reservations: listIn(said, "reservations", (it) => ({
      ...jobIn(it),
      startMs: secondsIn(it, "startSec", 0),
      durationMs: lengthIn(it, "durationSec"),
    })),
  };
  const { notes } = named;
  if (notes.problemCount() === 0)
    checkConsistency(snapshot, (list, at, words) => notes.problem(placeIn(said, list, at), words));
  return snapshot;
}

const LISTS = ["running", "queued", "reservations"];

function checkListWords({ entries, values, notes }: Said): void {
  const missing = LISTS.filter((list) => !values.has(list));
  for (const { key: word, keyAt } of entries) {
    const near = WORDS.includes(word) ? undefined : nearestWord(word, missing);
    if (near === undefined) continue;
    notes.problem(keyAt, {
      code: "snapshotWord",
      what: `${echoText(word)} is no word of a snapshot`,
      why: `what it says would not count; its lists are ${LISTS.join(", ")}`,
      remedy: `do you mean ${near}? If not, give it another name`,
    });
  }
}

const WORDS = ["nowSec", "procs", "discipline", ...LISTS];

/** The words of one mapping. */
interface Said {
  readonly at: number;
  readonly prefix: string;
  readonly entries: MappingValue["entries"];
  readonly values: ReadonlyMap<string, Value>;
  readonly notes: NamedValue["notes"];
}

function mappingOf({ name, value, notes }: NamedValue, example: string): Said | undefined {
  if (value.kind !== "mapping") {
    notes.problem(value.at, wrongType(name === "" ? "a snapshot" : name, value, example));
    return undefined;
  }
  const { at, entries } = value;
  const values = new Map(entries.map((entry) => [entry.key, entry.value]));
  return { at, prefix: name === "" ? "" : `${name}.`, entries, values, notes };
}

/** The value of a word that must be there; undefined, with a problem, where it is not. */
function wanted({ at, prefix, values, notes }: Said, word: string, example: string): NamedValue | undefined {
  const value = values.get(word);
  if (value !== undefined) return { name: `${prefix}${word}`, value, notes };
  notes.problem(at, {
    code: "wordMissing",
    what: `${prefix}${word} is missing`,
    why: "a quote needs to know it",
    remedy: `write for instance ${example}`,
  });
  return undefined;
}

function procsIn(said: Said): number {
  const example = '"procs": 64';
  const named = wanted(said, "procs", example);
  return (named && wholeNumberOf(named, { least: 1, most: MOST_PROCS, example })) ?? 1;
}

function disciplineIn(said: Said) {
  const example = '"discipline": "easy"';
  const named = wanted(said, "discipline", example);
  return (named && wordOf(named, DISCIPLINES, example)) ?? DISCIPLINES[0];
}

function jobIn(said: Said) {
  const named = wanted(said, "id", '"id": "17"');
  return { id: (named && oneText(named, '"id": "17"')?.text) ?? "", procs: procsIn(said) };
}

function lengthIn(said: Said, word: string): number {
  return secondsIn(said, word, 1 / MS_PER_SECOND);
}

/** A number of seconds, fractions allowed, in whole milliseconds. */
function secondsIn(said: Said, word: string, least: number): number {
  const example = `"${word}": 3600`;
  const named = wanted(said, word, example);
  if (named === undefined) return 0;
  const { name, value, notes } = named;
  if (value.kind !== "scalar" || typeof value.value !== "number") {
    notes.problem(value.at, wrongType(name, value, example));
    return 0;
  }
  if (value.value >= least && value.value <= MOST_SECONDS) return Math.round(value.value * MS_PER_SECOND);
  notes.problem(value.at, {
    code: "outOfRange",
    what: `${name} cannot be ${value.text}`,
    why: least === 0 ? "it is a number of seconds, 0 or more" : "it is a length of time above 0, in seconds",
    remedy: `write for instance ${example}`,
  });
  return 0;
}

/** Everything that a list says; one that is left out is empty. */
function listIn<Item>(said: Said, word: string, read: (item: Said) => Item): readonly Item[] {
  const value = said.values.get(word);
  if (value === undefined) return [];
  if (value.kind !== "list") {
    said.notes.problem(value.at, wrongType(word, value, `"${word}": []`));
    return [];
  }
  return value.items.flatMap((item, at) => {
    const each = mappingOf({ name: `${word}[${at}]`, value: item, notes: said.notes }, "{ … }");
    return each === undefined ? [] : [read(each)];
  });
}

function placeIn({ at: whole, values }: Said, list: string, at: number): number {
  const value = values.get(list);
  return value?.kind === "list" ? (value.items[at]?.at ?? value.at) : whole;
}

const secondDocument = {
  code: "secondDocument",
  what: "a second document begins here",
  why: "a snapshot is one document, and only one of two could be meant",
  remedy: "put each into a file of its own",
};
const nothingThere = {
  code: "nothingThere",
  what: "there is nothing in it",
  why: "a snapshot says at least nowSec, procs and discipline",
  remedy: 'write for instance { "nowSec": 0, "procs": 64, "discipline": "easy" }',
};
