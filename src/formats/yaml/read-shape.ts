/**
 * Reads a value of a file by its shape (`contract/files`): the typed value, and all problems with their
 * positions. The format then checks what no shape can express (sums, references); a wrong word is omitted
 * there, and so is what depends on it.
 */
import { nearestWord } from "../../base/index.ts";
import { type AnyShape, caseOf, nothingSaid, type ShapeOf } from "../../contract/files/index.ts";
import {
  type Asked,
  expressionOf,
  mismatchWords,
  readCount,
  readFlag,
  readNotation,
  readNumber,
  readPath,
  readQuantity,
  readText,
  type Surroundings,
  tellWrongType,
} from "./read-single.ts";
import type { Words } from "./remark.ts";
import { mergeKey, shown, wrongType } from "./shapes.ts";
import type { Value } from "./value.ts";
import { wordOf } from "./word-values.ts";

/** Surroundings of a reading, and the positions that it records. */
export interface ReadingContext {
  readonly surroundings: Surroundings;
  /** Written values by the lists and mappings read from them; absent where positions are not needed. */
  readonly places?: WeakMap<object, Value>;
}

/** The value; undefined, with a problem, where it does not match the shape. */
export function readShape(asked: Asked, shape: AnyShape, context: ReadingContext): unknown {
  switch (shape.kind) {
    case "text":
      return readText(asked, shape);
    case "word":
      return wordOf(asked, shape.words, asked.example, shape.isAnyCase);
    case "flag":
      return readFlag(asked);
    case "count":
      return readCount(asked, shape);
    case "number":
      return readNumber(asked, shape);
    case "quantity":
      return readQuantity(asked, shape);
    case "notation":
      return readNotation(asked, shape);
    case "written":
      return asked.value;
    case "path":
      return readPath(asked, shape, context.surroundings);
    case "list":
      return readList(asked, shape, context);
    case "names":
      return readNames(asked, shape, context);
    case "mapping":
      return readMapping(asked, shape, context);
    case "cases":
      return readMapping(asked, caseOf(shape, tagIn(asked.value, shape)), context);
    case "either": {
      const of = shape.of[asked.value.kind];
      return of === undefined ? tellWrongType(asked) : readShape(asked, of, context);
    }
    case "none": {
      const { value } = asked;
      const isNone = value.kind === "scalar" && value.text === shape.word;
      return isNone ? null : readShape(asked, shape.or, context);
    }
  }
}

/** Valid example below this word, for messages. */
function exampleOf(word: string, shape: AnyShape): string {
  return `${shown(word)}: ${exampleValue(shape)}`;
}

const UNIT_EXAMPLES = { size: "4G", rate: "1Gbit/s", duration: "1h30m" } as const;

function exampleValue(shape: AnyShape): string {
  if (shape.examples !== undefined) return shape.examples[0];
  switch (shape.kind) {
    case "word":
      return shape.words[0];
    case "flag":
      return "true";
    case "count":
    case "number":
      return String(Math.min(Math.max(1, shape.least), shape.most));
    case "quantity":
      return UNIT_EXAMPLES[shape.unit];
    case "list":
      return `[${exampleValue(shape.item)}]`;
    case "none":
      return exampleValue(shape.or);
    case "mapping":
      return `{ ${Object.entries(shape.fields)
        .slice(0, 2)
        .map(([word, field]) => exampleOf(word, field))
        .join(", ")} }`;
    default:
      return "…";
  }
}

function readList(asked: Asked, shape: ShapeOf<"list">, context: ReadingContext): unknown {
  const { name, value, notes, example } = asked;
  const { item, orOne = false, least = 0, most = Number.POSITIVE_INFINITY, isSet, wrongLength } = shape;
  if (value.kind !== "list" && !orOne) return tellWrongType(asked);
  const items = value.kind === "list" ? value.items : [value];
  if (items.length < least || items.length > most) {
    notes.problem(value.at, wrongLength ?? wrongType(name, value, example));
    return undefined;
  }
  const read = items.flatMap((inner, at) => {
    const itemName = value.kind === "list" ? `${name}[${at}]` : name;
    const one = readShape({ name: itemName, value: inner, notes, example }, item, context);
    return one === undefined ? [] : [one];
  });
  const kept = isSet && item.kind === "word" ? item.words.filter((word) => read.includes(word)) : read;
  context.places?.set(kept, value);
  return kept;
}

function readNames(asked: Asked, { value: of, keys }: ShapeOf<"names">, context: ReadingContext): unknown {
  const { name, value, notes, example } = asked;
  if (value.kind !== "mapping") return tellWrongType(asked);
  const read = value.entries.flatMap(({ key, keyAt, value: inner }): [string, unknown][] => {
    if (keys !== undefined && !expressionOf(keys.pattern).test(key)) {
      notes.problem(keyAt, mismatchWords(asked, key, keys.mismatch));
      return [];
    }
    const within = of.examples === undefined ? example : exampleOf(key, of);
    const one = readShape({ name: nameWithin(name, key), value: inner, notes, example: within }, of, context);
    return one === undefined ? [] : [[key, one]];
  });
  const by = Object.fromEntries(read);
  context.places?.set(by, value);
  return by;
}

/** Derived data of a mapping's shape, computed once. */
interface MappingPlan {
  /** Result for an empty mapping. */
  readonly nothing: object;
  readonly words: ReadonlyMap<string, WordPlan>;
  /** The words that must be there, with why. */
  readonly required: readonly (readonly [string, string, WordPlan])[];
}

/** Name of a word in messages and in the result, and a valid example. */
interface WordPlan {
  readonly field: AnyShape;
  readonly name: string;
  readonly as: string;
  readonly example: string;
}

const plans = new WeakMap<ShapeOf<"mapping">, MappingPlan>();

/** Made once for each shape: a file may have many lines of one. */
function planOf(shape: ShapeOf<"mapping">): MappingPlan {
  const known = plans.get(shape);
  if (known !== undefined) return known;
  const wordPlan = (word: string): WordPlan => {
    const field = shape.fields[word];
    return { field, name: shown(word), as: field.as ?? word, example: exampleOf(word, field) };
  };
  const plan = {
    nothing: nothingSaid(shape),
    words: new Map(Object.keys(shape.fields).map((word) => [word, wordPlan(word)])),
    required: Object.entries(shape.required).map(([word, why]) => [word, why, wordPlan(word)] as const),
  };
  plans.set(shape, plan);
  return plan;
}

function readMapping(asked: Asked, shape: ShapeOf<"mapping">, context: ReadingContext): object | undefined {
  const { name, value, notes } = asked;
  if (value.kind !== "mapping") return tellWrongType(asked);
  const { nothing, words, required } = planOf(shape);
  const within = name === "" ? "" : `${name}.`;
  const said: Record<string, unknown> = { ...nothing };
  for (const { key, keyAt, value: inner } of value.entries) {
    const word = words.get(key);
    if (word === undefined) tellStranger(asked, shape, { key, keyAt });
    else {
      const named = { name: `${within}${word.name}`, value: inner, notes, example: word.example };
      const read = readShape(named, word.field, context);
      if (read !== undefined) said[word.as] = read;
    }
  }
  let isWhole = true;
  for (const [key, why, word] of required) {
    isWhole &&= said[word.as] !== undefined;
    if (isWhole || value.entries.some((entry) => entry.key === key)) continue;
    const remedy = `write for instance ${word.example}`;
    const what = `${within}${word.name} is missing`;
    notes.problem(value.at, { code: "wordMissing", what, why, remedy });
  }
  if (!isWhole) return undefined;
  context.places?.set(said, value);
  return said;
}

/** A word that is not known here. */
function tellStranger(
  { name, notes }: Asked,
  { fields, strangers = {}, isOpen = false }: ShapeOf<"mapping">,
  { key, keyAt }: { readonly key: string; readonly keyAt: number },
): void {
  if (key === "<<") notes.problem(keyAt, mergeKey);
  else if (Object.hasOwn(strangers, key)) {
    notes.problem(keyAt, { what: `${shown(key)} is not known here`, ...strangers[key] });
  } else if (!isOpen) notes.problem(keyAt, unknownWord(key, name, Object.keys(fields)));
}

/** The value of the tag in a mapping. */
function tagIn(value: Value, { tag }: ShapeOf<"cases">): string | undefined {
  if (value.kind !== "mapping") return undefined;
  const said = value.entries.find(({ key }) => key === tag)?.value;
  return said?.kind === "scalar" ? said.text : undefined;
}

function nameWithin(name: string, word: string): string {
  return name === "" ? shown(word) : `${name}.${shown(word)}`;
}

function unknownWord(word: string, within: string, known: readonly string[]): Words {
  const nearest = nearestWord(word, known);
  return {
    code: "wordUnknown",
    what: `${shown(word)} is not known ${within === "" ? "here" : `in ${within}`}`,
    why: `known keys are ${known.join(", ")}`,
    remedy: nearest === undefined ? "take it out, or write one of these" : `did you mean ${nearest}?`,
  };
}
