/**
 * Translation of the attributes of an ad to a job description (`jobShape`): each value is checked by the
 * pattern of its field, with its position.
 */
import { basename } from "node:path";
import { formatDuration, formatSize } from "../../base/index.ts";
import { type AnyShape, jobShape, outputDatum as outputShape } from "../../contract/files/index.ts";
import { echoText } from "../echo-text.ts";
import { shown, type Words } from "../yaml/index.ts";
import type { JdlAttribute } from "./jdl-ad.ts";
import type { JdlText } from "./jdl-text.ts";
import type { PlacedText, TypedValue } from "./typed-value.ts";

/** Words with their values, and the places of these. */
export interface SaidWords {
  readonly said: Record<string, unknown>;
  /** Offset of a word of `said`, or of an item of a list in it. */
  readonly at: (of: object, word?: string | number) => number;
  /** Sets the place of a word, or of an attribute without one. */
  readonly place: (word: string, at: number) => void;
  /** Sets a word from an attribute; false, with a problem, where its value is none of that word. */
  readonly say: (word: string, attribute: JdlAttribute, value: TypedValue) => boolean;
}

/** Begins the words of an ad. */
export function beginSaying(source: JdlText, adAt: number): SaidWords {
  const said: Record<string, unknown> = {};
  const places = new Map<string, number>();
  const lists = new WeakMap<object, readonly number[]>();
  const listOf = (items: readonly PlacedText[]): readonly string[] => {
    const texts = items.map(({ text }) => text);
    const offsets = items.map(({ at }) => at);
    lists.set(texts, offsets);
    return texts;
  };
  return {
    said,
    at: (of, word) => {
      if (typeof word === "number") return lists.get(of)?.[word] ?? adAt;
      return (word === undefined ? undefined : places.get(word)) ?? adAt;
    },
    place: (word, at) => places.set(word, at),
    say: (word, attribute, value) => {
      places.set(word, attribute.at);
      const read = wordValue(word, value, listOf);
      const wrong = misfit(word, value);
      if (wrong !== undefined) source.notes.problem(wrong.at ?? attribute.at, wrongText(attribute, wrong));
      else said[nameOf(word)] = read;
      return wrong === undefined;
    },
  };
}

function fieldOf(word: string): AnyShape | undefined {
  return Object.entries<AnyShape>(jobShape.fields).find(([name]) => name === word)?.[1];
}

function nameOf(word: string): string {
  return fieldOf(word)?.as ?? word;
}

function wordValue(
  word: string,
  value: TypedValue,
  listOf: (items: readonly PlacedText[]) => readonly string[],
): unknown {
  switch (value.kind) {
    case "text":
      return word === "stdInput" ? basename(value.text) : value.text;
    case "texts":
      // One text is a command line; a list is words.
      return word.toLowerCase().endsWith("arguments") && !value.isList
        ? value.items[0]?.text
        : listOf(value.items);
    case "number":
      if (word === "expiryTime") return { atMs: value.number * 1000, isDay: false };
      return word === "fuzzyRank" ? String(value.number) : value.number;
    case "flag":
      return word === "fuzzyRank" ? String(value.flag) : value.flag;
    case "ads":
      if (word === "outputData") return value.ads.map(outputDatum);
      return Object.fromEntries(value.ads[0] ?? []);
    case "expression":
      return value.text;
    case "anything":
      return undefined;
  }
}

/** A part of OutputData in the words of YAML; others of its attributes have no effect. */
function outputDatum(ad: ReadonlyMap<string, string>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    [...ad].flatMap(([name, text]) => {
      const word = OUTPUT_WORDS.get(name.toLowerCase());
      return word === undefined ? [] : [[word, word === "name" ? text.replace(/^lfn:/i, "") : text]];
    }),
  );
}

const OUTPUT_WORDS: ReadonlyMap<string, string> = new Map([
  ["outputfile", "file"],
  ["logicalfilename", "name"],
  ["storageelement", "store"],
]);

/** Part of a value that its field does not allow. */
interface Misfit {
  readonly text: string;
  readonly at?: number;
  readonly noun: string;
  readonly why: string;
  readonly code: string;
}

const NUL: Omit<Misfit, "text"> = {
  code: "textWithNul",
  noun: "text for this",
  why: "it contains a NUL character, which no program can be given",
};

/** A part of OutputData with a text that is none of its word. */
function strangeOutput(value: TypedValue): Misfit | undefined {
  if (value.kind !== "ads") return undefined;
  for (const ad of value.ads) {
    for (const [name, text] of Object.entries(outputDatum(ad))) {
      const shape = Object.entries<AnyShape>(outputShape.fields).find(([word]) => word === name)?.[1];
      const wrong = shape === undefined ? undefined : unlike(shape, { text });
      if (wrong !== undefined) return wrong;
    }
  }
  return undefined;
}

function textsIn(value: TypedValue): readonly PlacedText[] {
  if (value.kind === "text") return [value];
  return value.kind === "texts" ? value.items : [];
}

function misfit(word: string, value: TypedValue): Misfit | undefined {
  const field = fieldOf(word);
  if (field?.kind === "word" && value.kind === "text" && !field.words.includes(value.text)) {
    const why = `it is one of ${field.words.join(", ")}`;
    return { text: value.text, at: value.at, noun: "word for this", why, code: "wordUnknown" };
  }
  if (word === "outputData") return strangeOutput(value);
  const shape = textShape(field, value);
  for (const { text, at } of textsIn(value)) {
    if (text.includes("\0")) return { ...NUL, text, at };
    const tested = word === "stdInput" ? basename(text) : text;
    const wrong = shape === undefined ? undefined : unlike(shape, { text: tested, at });
    if (wrong !== undefined) return { ...wrong, text };
  }
  return undefined;
}

/** Problem for a text that does not match the pattern of a shape; undefined if it does. */
function unlike(shape: AnyShape, { text, at }: { readonly text: string; readonly at?: number }) {
  if (shape.kind !== "text" || shape.pattern === undefined) return undefined;
  if (new RegExp(shape.pattern, "u").test(text)) return undefined;
  const {
    code = "badText",
    noun = "text for this",
    why = "it has characters that are not allowed",
  } = shape.mismatch ?? {};
  return { text, noun, why, code, ...(at === undefined ? {} : { at }) };
}

function textShape(
  field: AnyShape | undefined,
  value: TypedValue,
): Extract<AnyShape, { kind: "text" }> | undefined {
  if (field?.kind === "text") return field;
  if (field?.kind === "list") return textShape(field.item, value);
  if (field?.kind === "either") return textShape(field.of.list, value);
  return undefined;
}

function wrongText({ name }: JdlAttribute, { text, noun, why, code }: Misfit): Words {
  const remedy = `correct it, or leave ${name} out`;
  return { code, what: `${name}: ${echoText(text)} is no ${noun}`, why, remedy };
}

/** A word of a job as a description in YAML writes it: `wallTime: 1h`. */
export function inYaml(said: Readonly<Record<string, unknown>>, word: string): string {
  return `${word}: ${valueText(word, said[nameOf(word)])}`;
}

function valueText(word: string, value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((item) => valueText("", item)).join(", ")}]`;
  const field = fieldOf(word);
  if (field?.kind === "quantity" && field.unit !== "rate") {
    return field.unit === "size" ? formatSize(Number(value)) : formatDuration(Number(value));
  }
  if (word === "expiryTime") {
    const { atMs } = value as { readonly atMs: number };
    return new Date(atMs).toISOString();
  }
  if (typeof value === "object" && value !== null) {
    const pairs = Object.entries(value).map(([name, text]) => `${shown(name)}: ${shown(String(text))}`);
    return `{ ${pairs.join(", ")} }`;
  }
  return shown(String(value));
}
