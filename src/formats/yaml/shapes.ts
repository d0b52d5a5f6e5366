/**
 * The shapes that a value may be asked to have: a text, a list of texts, a mapping; with the words for
 * one that has another.
 */
import { echoText } from "../echo-text.ts";
import type { Notes, Words } from "./remark.ts";
import type { Value } from "./value.ts";

/** A value with the name that it has in messages, and where remarks about it go. */
export interface NamedValue {
  readonly name: string;
  readonly value: Value;
  readonly notes: Notes;
}

/** A word with its place. */
export interface Word {
  readonly at: number;
  readonly text: string;
}

/** The value as one text, as it was written; undefined, with a problem, where it is none. */
export function oneText({ name, value, notes }: NamedValue, example: string): Word | undefined {
  if (value.kind !== "scalar" || value.value === null) {
    notes.problem(value.at, wrongType(name, value, example));
    return undefined;
  }
  if (value.text.includes("\0")) {
    notes.problem(value.at, {
      code: "textWithNul",
      what: `${shown(name)} contains a NUL character`,
      why: "an argument of a program cannot contain it",
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
      why:
        value.text === "" ? "the value is missing" : `${echoText(value.text)} is not a valid value in YAML`,
      remedy: `write for instance ${example}, or leave it out; an empty text is ""`,
    };
  }
  return {
    code: "wrongType",
    what: `${shown(name)} cannot be ${sortOf(value)}`,
    why: "a value of another type is required there",
    remedy: `write for instance ${example}`,
  };
}

/** The words for `<<`, which no reader of ours takes for merging. */
export const mergeKey: Words = {
  code: "mergeKey",
  what: "<< is not supported",
  why: "merge keys are not part of YAML 1.2, and implementations differ",
  remedy: "write out the merged keys",
};

/** A word of the text in a message: as it is where it is plain, else quoted, short and harmless. */
export function shown(name: string): string {
  return /^[A-Za-z0-9_./+[\]-]{1,60}$/.test(name) ? name : echoText(name);
}

function sortOf(value: Value): string {
  if (value.kind === "list") return "a list";
  if (value.kind === "mapping") return "a mapping";
  return `the ${typeof value.value === "string" ? "text" : typeof value.value} ${echoText(value.text)}`;
}
