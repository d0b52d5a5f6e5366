/**
 * Reads the one document of a text by its shape.
 */
import { type AnyShape, nothingSaid, type Read, type ShapeOf } from "../../contract/files/index.ts";
import { yamlDocuments } from "./documents.ts";
import { readShape } from "./read-shape.ts";
import type { Surroundings } from "./read-single.ts";
import type { Notes, Remark, Words } from "./remark.ts";
import { type NamedValue, wrongType } from "./shapes.ts";
import type { Value } from "./value.ts";

/** Properties of a file besides its shape. */
export interface DocumentRules {
  /** Name of the file's content in messages: `a scenario`. */
  readonly noun: string;
  /** Valid example of the whole. */
  readonly example: string;
  /** Message for an empty text; absent where it is valid. */
  readonly ifEmpty?: Words;
  /** Absent where no path is read. */
  readonly surroundings?: Surroundings;
}

/** Receiver of remarks on a text, and positions of its values. */
interface Placed {
  readonly notes: Notes;
  /** Position of a word, of an item, or of the whole. */
  readonly at: (of: object, word?: string | number) => number;
  /** Value as written. */
  readonly valueAt: (of: object, word?: string) => Value | undefined;
  /** The words that a mapping was written with; none where it was left out. */
  readonly words: (of: object) => readonly string[];
  /** Lines of the values in a mapping and in those below it, by path: `losses.failed`. */
  readonly linesIn: (of: object, shape: ShapeOf<"mapping">) => readonly (readonly [string, number])[];
  readonly problems: () => readonly Remark[];
}

/** One document of several. */
interface ReadDocument<Said> {
  readonly written: Value;
  /** True for valid YAML. */
  readonly isSound: boolean;
  /** Undefined where what is wrong leaves none; words that are wrong are left out. */
  readonly read: () => Said | undefined;
}

/** The one document of a text. */
export interface DocumentReading<Said> extends Placed {
  /** Undefined where what is wrong leaves none; words that are wrong are left out. */
  readonly said: Said | undefined;
  /** The whole as it was written; undefined where there is nothing. */
  readonly written: Value | undefined;
}

const NOWHERE: Surroundings = { folder: "/", fileState: () => "missing" };

/** The documents of a text, each read on request; the format checks their content. */
export function readDocuments<Of extends AnyShape>(
  text: string,
  shape: Of,
  { noun, example, surroundings = NOWHERE }: Omit<DocumentRules, "ifEmpty">,
): Placed & { readonly each: () => Iterable<ReadDocument<Read<Of>>> } {
  const { notes, documents } = yamlDocuments(text);
  const places = new WeakMap<object, Value>();
  const read = (value: Value): unknown => {
    if (shape.kind === "mapping" && value.kind !== "mapping") {
      notes.problem(value.at, wrongType(noun, value, example));
      return undefined;
    }
    return readShape({ name: "", value, notes, example }, shape, { surroundings, places });
  };
  function* each(): Generator<ReadDocument<Read<Of>>> {
    for (const { value, isSound } of documents()) {
      yield { written: value, isSound, read: () => read(value) as Read<Of> | undefined };
    }
  }
  return { each, ...placedBy(notes, places) };
}

function placedBy(notes: Notes, places: WeakMap<object, Value>): Placed {
  return {
    notes,
    at: (of, word) => placeOf(places.get(of), word),
    valueAt: (of, word) => (word === undefined ? places.get(of) : entryOf(places.get(of), word)),
    words: (of) => wordsOf(places.get(of)),
    linesIn: (of, within) =>
      flatEntries(within, places.get(of)).map(([path, value]) => [path, notes.lineOf(value.at)]),
    problems: () => {
      const { problems, warnings } = notes.collected();
      return [...problems, ...warnings];
    },
  };
}

/** Reads one value of a document by a shape; undefined where what is wrong leaves none. */
export function readValue<Of extends AnyShape>(
  named: NamedValue,
  shape: Of,
  { example, surroundings = NOWHERE }: Pick<DocumentRules, "example" | "surroundings">,
): Placed & { readonly said: Read<Of> | undefined } {
  const places = new WeakMap<object, Value>();
  const said = readShape({ ...named, example }, shape, { surroundings, places }) as Read<Of> | undefined;
  return { said, ...placedBy(named.notes, places) };
}

/** Reads one value without positions; fast enough for one line among many. */
export function readUnplaced<Of extends AnyShape>(
  named: NamedValue,
  shape: Of,
  example: string,
): Read<Of> | undefined {
  return readShape({ ...named, example }, shape, { surroundings: NOWHERE }) as Read<Of> | undefined;
}

/** Reads the one document of `text`; never throws on its content. Words without effect are problems. */
export function readDocument<Of extends AnyShape>(
  text: string,
  shape: Of,
  { ifEmpty, ...rules }: DocumentRules,
): DocumentReading<Read<Of>> {
  const { each, ...placed } = readDocuments(text, shape, rules);
  const { notes } = placed;
  let said: Read<Of> | undefined;
  let written: Value | undefined;
  let count = 0;
  for (const document of each()) {
    count++;
    if (count === 2) notes.problem(document.written.at, secondDocument(rules.noun));
    if (count > 1) continue;
    written = document.written;
    said = document.read();
  }
  const saysNothing = count === 0 && ifEmpty === undefined && shape.kind === "mapping";
  if (saysNothing) said = nothingSaid(shape) as Read<Of>;
  if (count === 0 && ifEmpty !== undefined && notes.problemCount() === 0) notes.problem(0, ifEmpty);
  return { ...placed, said, written };
}

function placeOf(value: Value | undefined, word: string | number | undefined): number {
  if (value?.kind === "list" && typeof word === "number") return value.items[word]?.at ?? value.at;
  return entryOf(value, word)?.at ?? value?.at ?? 0;
}

function entryOf(value: Value | undefined, word: string | number | undefined): Value | undefined {
  return value?.kind === "mapping" ? value.entries.find(({ key }) => key === word)?.value : undefined;
}

function wordsOf(value: Value | undefined): readonly string[] {
  return value?.kind === "mapping" ? value.entries.map(({ key }) => key) : [];
}

function flatEntries(
  shape: ShapeOf<"mapping">,
  value: Value | undefined,
): readonly (readonly [string, Value])[] {
  if (value?.kind !== "mapping") return [];
  return value.entries.flatMap(({ key, value: inner }): (readonly [string, Value])[] => {
    const field = shape.fields[key];
    if (field?.kind !== "mapping") return [[key, inner]];
    return flatEntries(field, inner).map(([path, at]) => [`${key}.${path}`, at]);
  });
}

function secondDocument(noun: string): Words {
  return {
    code: "secondDocument",
    what: "a second document begins here",
    why: `${noun} is one document, and it is not clear which of two is intended`,
    remedy: "put each into a file of its own, or all of it into one without a line of three dashes",
  };
}
