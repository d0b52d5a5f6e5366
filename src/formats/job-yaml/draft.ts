/**
 * A description while it is being read: what each attribute adds to it, and the shapes values may have.
 */
import type { JobDescription } from "../../model/index.ts";
import { echoText } from "../echo-text.ts";
import type { Notes, Words } from "./remark.ts";
import type { ListValue, MappingValue, ScalarValue, Value } from "./value.ts";

/** What is said so far. */
export type Draft = { -readonly [Name in keyof JobDescription]?: JobDescription[Name] };

/** What a file looks like to whoever would send it. */
export type FileState = "readable" | "missing" | "directory" | "notReadable";

/** The world around a description. */
export interface Surroundings {
  /** Where relative paths begin: the folder of the description. */
  readonly folder: string;
  /** What is there under a path (as this process sees it). */
  readonly fileState: (path: string) => FileState;
}

/** One attribute's value, with its name and what is needed to judge it. */
export interface Given {
  readonly name: string;
  readonly value: Value;
  readonly draft: Draft;
  readonly notes: Notes;
  readonly surroundings: Surroundings;
}

/** A word with its place. */
export interface Word {
  readonly at: number;
  readonly text: string;
}

/** The value as one text, as it was written; undefined, with a problem, where it is none. */
export function oneText({ name, value, notes }: Given, example: string): Word | undefined {
  return textOf(value, { name, notes, example });
}

/** The value as a list of texts, a single one being a list of one; undefined where any is none. */
export function textList({ name, value, notes }: Given, example: string): Word[] | undefined {
  if (value.kind === "mapping") {
    notes.problem(value.at, wrongType(name, value, example));
    return undefined;
  }
  const items = value.kind === "list" ? value.items : [value];
  const texts = items.map((item) => textOf(item, { name, notes, example }));
  return texts.every((text) => text !== undefined) ? texts : undefined;
}

/** The entries of a mapping, each value a text; undefined where it is no mapping. */
export function textMapping(given: Given, value: MappingValue, example: string): [Word, string][] {
  const { name, notes } = given;
  return value.entries.flatMap((entry): [Word, string][] => {
    const text = textOf(entry.value, { name: `${name}.${entry.key}`, notes, example });
    return text === undefined ? [] : [[{ at: entry.keyAt, text: entry.key }, text.text]];
  });
}

interface Asked {
  readonly name: string;
  readonly notes: Notes;
  readonly example: string;
}

function textOf(value: Value, { name, notes, example }: Asked): Word | undefined {
  if (value.kind !== "scalar" || value.value === null) {
    notes.problem(value.at, wrongType(name, value, example));
    return undefined;
  }
  if (value.text.includes("\0")) {
    notes.problem(value.at, {
      code: "textWithNul",
      what: `${shown(name)} contains a NUL character`,
      why: "no program can be given one",
      remedy: "take it out",
    });
    return undefined;
  }
  return { at: value.at, text: value.text };
}

/** The words for a value of the wrong sort; `example` is what would be right. */
export function wrongType(name: string, value: Value, example: string): Words {
  if (value.kind === "scalar" && value.value === null) {
    return {
      code: "valueMissing",
      what: `${shown(name)} has no value`,
      why: value.text === "" ? "nothing stands there" : `${echoText(value.text)} means nothing in YAML`,
      remedy: `write for instance ${example}, or leave it out; an empty text is ""`,
    };
  }
  return {
    code: "wrongType",
    what: `${shown(name)} cannot be ${sortOf(value)}`,
    why: "it is of another kind",
    remedy: `write for instance ${example}`,
  };
}

/** A word of the text in a message: as it is where it is plain, else quoted, short and harmless. */
export function shown(name: string): string {
  return /^[A-Za-z0-9_./+-]{1,60}$/.test(name) ? name : echoText(name);
}

function sortOf(value: ScalarValue | ListValue | MappingValue): string {
  if (value.kind === "list") return "a list";
  if (value.kind === "mapping") return "a mapping";
  return `the ${typeof value.value === "string" ? "text" : typeof value.value} ${echoText(value.text)}`;
}
