/**
 * The source's notation of a policy: `(1) CPU, Site1, VO0, (3600,20), (5,60)`, seconds and percent.
 *
 * Taken apart into the words of the long form with their places, nothing more; what these mean is read as
 * there.
 */
import { counted } from "../../base/index.ts";
import { echoText } from "../echo-text.ts";
import type { Entry, MappingValue, Notes, Value, Word, Words } from "../yaml/index.ts";

/** A tuple as a policy in words. */
export interface TupleWords {
  readonly label: string | null;
  readonly policy: MappingValue;
}

/** A text with the place at which it begins. */
export interface TupleText {
  readonly text: string;
  readonly at: number;
  readonly notes: Notes;
  /** False where the text does not stand like this in the file; then its beginning is its only place. */
  readonly isWritten?: boolean;
}

const example = "CPU, Site1, VO0, (3600, 20), (5, 60)";

/** True for a line that resembles a tuple, whose problems are then reported as those of a tuple. */
export function looksLikeTuple(line: string): boolean {
  return /^\s*(\(\s*\w{1,20}\s*\))?\s*[[(<⟨]?\s*[A-Za-z]\w{0,40}\s*,/.test(line) && !/^\s*[-{]/.test(line);
}

/** The words of a tuple; undefined, with a problem, where it is none. */
export function tupleWords({ text, at, notes, isWritten = true }: TupleText): TupleWords | undefined {
  const placed = (word: Word): Word => (isWritten ? word : { ...word, at });
  const label = /^\s*\(\s*(\w{1,20})\s*\)(?=\s*[^\s,])/.exec(text);
  const start = label?.[0].length ?? 0;
  const inner = withoutBrackets({ text: text.slice(start), at: at + start });
  const parts = splitAtCommas(inner)?.map(placed);
  if (parts === undefined || parts.length < 4 || parts.length > 5) {
    const count =
      parts === undefined
        ? "its brackets do not match"
        : `it has ${counted(parts.length, "part")}; a policy has 4 or 5`;
    notes.problem(at, noTuple(text, `${count}: resource, provider, consumer, epoch, and burst`));
    return undefined;
  }
  const [resource, provider, consumer, ...shares] = parts;
  const entries = [
    entryOf("resource", scalar(resourceWord(resource))),
    entryOf("provider", scalar(provider)),
    entryOf("consumer", scalar(pathWord(consumer))),
  ];
  for (const [index, share] of shares.entries()) {
    const pair = pairOf(share)?.map((word) => scalar(placed(word)));
    if (pair === undefined) {
      notes.problem(share.at, noPair(share));
      return undefined;
    }
    const [interval, of] = pair;
    const both = [entryOf("interval", interval), entryOf("share", of)];
    entries.push(entryOf(index === 0 ? "epoch" : "burst", { kind: "mapping", at: share.at, entries: both }));
  }
  return { label: label?.[1] ?? null, policy: { kind: "mapping", at, entries } };
}

function entryOf(key: string, value: Value): Entry {
  return { key, keyAt: value.at, value };
}

/** The source calls the network NET. */
function resourceWord({ text, at }: Word): Word {
  return { text: /^net$/i.test(text) ? "network" : text, at };
}

/** The source writes a group as `(vo-name, group-name)`. */
function pathWord({ text, at }: Word): Word {
  const inner = /^[([]([^()[\]]*)[)\]]$/.exec(text)?.[1];
  if (inner === undefined) return { text, at };
  const names = inner.split(",").map((name) => name.trim());
  return { text: names.join("/"), at };
}

/** `(3600, 20)`: an interval and a share. */
function pairOf({ text, at }: Word): readonly [Word, Word] | undefined {
  const match = /^([([])([^,()[\]]*),([^,()[\]]*)[)\]]$/.exec(text);
  if (match === null) return undefined;
  const [, bracket, interval, share] = match;
  const shareAt = at + bracket.length + interval.length + 1;
  return [trimmed({ text: interval, at: at + bracket.length }), trimmed({ text: share, at: shareAt })];
}

function scalar({ text, at }: Word): Value {
  return { kind: "scalar", at, text, value: text };
}

const CLOSING: Readonly<Record<string, string>> = { "(": ")", "[": "]", "<": ">", "⟨": "⟩" };

/** The word without enclosing brackets and without a comma or full stop at its end. */
function withoutBrackets(word: Word): Word {
  const { text, at } = trimmed({ text: word.text.replace(/[\s,;.]+$/, ""), at: word.at });
  const closing = CLOSING[text.charAt(0)];
  if (closing === undefined || !text.endsWith(closing)) return { text, at };
  return trimmed({ text: text.slice(1, -1), at: at + 1 });
}

/** The parts between the commas that stand in no bracket; undefined where brackets do not match. */
function splitAtCommas({ text, at }: Word): readonly Word[] | undefined {
  const parts: Word[] = [];
  let depth = 0;
  let begun = 0;
  for (let index = 0; index <= text.length; index++) {
    const character = text.charAt(index);
    if (character === "(" || character === "[") depth++;
    if (character === ")" || character === "]") depth--;
    if (depth < 0) return undefined;
    const isEnd = index === text.length || (character === "," && depth === 0);
    if (!isEnd) continue;
    parts.push(trimmed({ text: text.slice(begun, index), at: at + begun }));
    begun = index + 1;
  }
  return depth === 0 ? parts : undefined;
}

function trimmed({ text, at }: Word): Word {
  const front = text.length - text.trimStart().length;
  return { text: text.trim(), at: at + front };
}

function noTuple(text: string, why: string): Words {
  return {
    code: "badTuple",
    what: `${echoText(text.trim())} is no policy`,
    why,
    remedy: `write for instance ${example}`,
  };
}

function noPair({ text }: Word): Words {
  return {
    code: "badPair",
    what: `${echoText(text)} is not an interval with a share`,
    why: "interval and share must be in parentheses, separated by a comma",
    remedy: "write for instance (3600, 20), or (3600s, 20%)",
  };
}
