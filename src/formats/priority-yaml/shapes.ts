/**
 * The shapes of priority files: a mapping of known words, a mapping by free names, numbers in a range.
 */
import { echoText } from "../echo-text.ts";
import { readEntries } from "../stint-yaml/index.ts";
import { type NamedValue, shown, wrongType } from "../yaml/index.ts";

/** Reads one value; undefined, with a problem, where it is not what it should be. */
export type Read<Value> = (named: NamedValue) => Value | undefined;

/** Who reads the value of each word. */
export type Readers<Said> = { readonly [Word in keyof Said]-?: Read<NonNullable<Said[Word]>> };

/** A mapping of these words, each of which may be left out. */
export function wordsOf<Said extends object>(readers: Readers<Said>, example: string): Read<Partial<Said>> {
  return (named) => {
    const said: Partial<Said> = {};
    const into = <Word extends keyof Said>(word: Word, it: NamedValue): void => {
      const value = readers[word](it);
      if (value !== undefined) said[word] = value;
    };
    const words = new Map(
      Object.keys(readers).map((word) => [word, (it: NamedValue) => into(word as keyof Said, it)]),
    );
    return readEntries(named, { words, example }) ? said : undefined;
  };
}

/** A mapping from names, which are the user's own, to values of one kind. */
export function namesOf<Value>(read: Read<Value>, example: string): Read<Readonly<Record<string, Value>>> {
  return ({ name, value, notes }) => {
    if (value.kind !== "mapping") {
      notes.problem(value.at, wrongType(name, value, example));
      return undefined;
    }
    const entries = value.entries.map(
      ({ key, value: inner }) => [key, read({ name: `${name}.${key}`, value: inner, notes })] as const,
    );
    const good = entries.filter((entry): entry is readonly [string, Value] => entry[1] !== undefined);
    return Object.fromEntries(good);
  };
}

/** Where a number has to lie. */
export interface Range {
  readonly least: number;
  readonly most?: number;
  readonly example: string;
}

/** A number within a range, the ends included. */
export function numberIn({ least, most = Number.MAX_SAFE_INTEGER, example }: Range): Read<number> {
  return ({ name, value, notes }) => {
    if (value.kind !== "scalar" || typeof value.value !== "number") {
      notes.problem(value.at, wrongType(name, value, example));
      return undefined;
    }
    if (value.value >= least && value.value <= most) return value.value;
    const range = most === Number.MAX_SAFE_INTEGER ? `${least} or more` : `from ${least} to ${most}`;
    notes.problem(value.at, {
      code: "outOfRange",
      what: `${shown(name)}: ${echoText(value.text)} is out of range`,
      why: `it is a number, ${range}`,
      remedy: `write for instance ${example}`,
    });
    return undefined;
  };
}
