/**
 * Reads a mapping whose words are known: each to who reads it, an unknown one with the nearest known.
 */
import { nearestWord } from "../../base/index.ts";
import type { Words } from "./remark.ts";
import { mergeKey, type NamedValue, shown, wrongType } from "./shapes.ts";

/** Reads the value of one word; what is wrong goes to its notes. */
export type ReadWord = (named: NamedValue) => void;

/**
 * A mapping with the words that it may have; `refuse` has the words for one that belongs elsewhere, and
 * others are passed over where it is open.
 */
export interface Entries {
  readonly words: ReadonlyMap<string, ReadWord>;
  readonly example: string;
  readonly refuse?: (word: string) => Words | undefined;
  readonly isOpen?: boolean;
}

/** Reads every entry; false, with a problem, where the value is no mapping. */
export function readEntries(
  { name, value, notes }: NamedValue,
  { words, example, refuse, isOpen = false }: Entries,
): boolean {
  if (value.kind !== "mapping") {
    notes.problem(value.at, wrongType(name, value, example));
    return false;
  }
  for (const { key, keyAt, value: inner } of value.entries) {
    const read = words.get(key);
    if (read !== undefined) read({ name: name === "" ? key : `${name}.${key}`, value: inner, notes });
    else if (key === "<<") notes.problem(keyAt, mergeKey);
    else if (!isOpen) notes.problem(keyAt, refuse?.(key) ?? unknownWord(key, name, [...words.keys()]));
  }
  return true;
}

function unknownWord(word: string, within: string, known: readonly string[]): Words {
  const nearest = nearestWord(word, known);
  return {
    code: "wordUnknown",
    what: `${shown(word)} is not known ${within === "" ? "here" : `in ${within}`}`,
    why: `what is known there is ${known.join(", ")}`,
    remedy: nearest === undefined ? "take it out, or write one of these" : `did you mean ${nearest}?`,
  };
}
