/**
 * What files of people are made of: each word once, with its limits, its default and its explanation.
 *
 * A shape is plain data, as a JSON Schema is, and says besides what a reader makes of what is written:
 * `1h30m` becomes milliseconds, 25 % parts per million. `docs/schemas` is generated from it, `formats/yaml`
 * reads by it, and the type of what was read follows from it ({@link Read}). Not TypeBox: every command that
 * reads a file would load it, which takes longer than all else that the command does.
 */

/** What a shape says to people, and in messages. */
interface Told {
  readonly description?: string;
  /** Values as they are written in YAML; messages show the first, editors all. */
  readonly examples?: readonly string[];
  /** What holds where it is left out, as it is written, where whoever reads it knows. */
  readonly default?: string;
  /** What the published schema says besides: keywords of JSON Schema for what is judged after reading. */
  readonly keywords?: Readonly<Record<string, unknown>>;
  /** Under this name the published schema has it once, in `$defs`. */
  readonly defined?: string;
}

/** What is wrong with a text that is not as it should be: `NAME: "TEXT" is no NOUN`. */
export interface Mismatch {
  readonly code: string;
  readonly noun: string;
  readonly why: string;
  /** Absent: to write the example. */
  readonly remedy?: string;
}

/** One text, as it was written; a number or a truth value counts as its characters. */
interface TextShape extends Told {
  readonly kind: "text";
  /** A regular expression, in Unicode mode. */
  readonly pattern?: string;
  readonly mismatch?: Mismatch;
}

/** One of a few words. */
interface WordShape extends Told {
  readonly kind: "word";
  readonly words: readonly string[];
  /** Whether capital letters are as good, and blanks around it. */
  readonly isAnyCase?: boolean;
}

interface FlagShape extends Told {
  readonly kind: "flag";
}

/** A whole number, the ends of its range included. */
interface CountShape extends Told {
  readonly kind: "count";
  readonly least: number;
  readonly most: number;
}

/** A number, the ends of its range included. */
interface NumberShape extends Told {
  readonly kind: "number";
  readonly least: number;
  readonly most: number;
  /** What it is, for messages: `a number of seconds`. Absent: a number. */
  readonly noun?: string;
  readonly code?: string;
  /** Whether the lower end of its range is not in it. */
  readonly isAbove?: boolean;
  /** Kept as a whole number of parts, so many of which are one: 1000 for thousandths. */
  readonly perOne?: number;
  /** Whether what is finer than a part is rounded rather than refused. */
  readonly isRounded?: boolean;
}

/**
 * A size in bytes, a rate in bytes per second, a length of time in milliseconds: a number, or with a unit.
 */
interface QuantityShape extends Told {
  readonly kind: "quantity";
  readonly unit: "size" | "rate" | "duration";
  /** Words that may stand there instead, in letters of any case. */
  readonly words?: readonly string[];
  /** The words where it is 0; absent where it may be. */
  readonly ifZero?: { readonly why: string; readonly remedy: string };
}

/** A text or a number in a notation of its own, which {@link Notations} give a value. */
interface NotationShape extends Told {
  readonly kind: "notation";
  readonly notation: keyof Notations;
  readonly pattern: string;
  /** The numbers that are of the notation; absent where only texts are. */
  readonly numbers?: { readonly least: number; readonly most: number };
  readonly mismatch: Mismatch;
}

/** The notations, and what is made of each. */
export interface Notations {
  /** Milliseconds ahead of UTC. */
  readonly clock: number;
  /** Milliseconds since the beginning of the day. */
  readonly timeOfDay: number;
  /** A day begins at midnight of a clock that is said elsewhere; here, of UTC. */
  readonly date: { readonly atMs: number; readonly isDay: boolean };
  /** Percent of what is delivered: to be met, or a bound. */
  readonly target: { readonly percent: number; readonly kind: "target" | "floor" | "ceiling" };
}

/** What is read elsewhere, as it was written. */
interface WrittenShape extends Told {
  readonly kind: "written";
  /** The shape by which it is read, for editors. */
  readonly of?: AnyShape;
}

/** A path on this machine, absolute; what is relative begins at the folder of the file. */
interface PathShape extends Told {
  readonly kind: "path";
  /** Where a file has to be there that can be read: what is told where it is not. */
  readonly unreadable?: { readonly code: string; readonly noun: string; readonly remedy: string };
}

interface ListShape extends Told {
  readonly kind: "list";
  readonly item: AnyShape;
  /** Whether a single value is a list of one. */
  readonly orOne?: boolean;
  readonly least?: number;
  readonly most?: number;
  /** Each once, in the order of its words. */
  readonly isSet?: boolean;
  /** The words where it has too few, or too many. */
  readonly wrongLength?: {
    readonly code: string;
    readonly what: string;
    readonly why: string;
    readonly remedy: string;
  };
}

/** What is told about a word that belongs elsewhere; without `what`, that it is not known here. */
interface Stranger {
  readonly code: string;
  readonly what?: string;
  readonly why: string;
  readonly remedy: string;
}

/** A mapping of known words. */
interface MappingShape extends Told {
  readonly kind: "mapping";
  readonly fields: Readonly<Record<string, AnyShape>>;
  /** The words that must be there, each with why. */
  readonly required: Readonly<Record<string, string>>;
  /** Whether words that are not known are passed over. */
  readonly isOpen?: boolean;
  /** Whether what is usual is not written. */
  readonly isBrief?: boolean;
  /** Words that people will look for, and what is told about each. */
  readonly strangers?: Readonly<Record<string, Stranger>>;
}

/** A mapping from names, which are the user's own, to values of one shape. */
interface NamesShape extends Told {
  readonly kind: "names";
  readonly value: AnyShape;
  readonly keys?: { readonly pattern: string; readonly mismatch: Mismatch };
}

/** A value whose shape depends on whether it is a single one, a list or a mapping. */
interface EitherShape extends Told {
  readonly kind: "either";
  readonly of: { readonly [Kind in "scalar" | "list" | "mapping"]?: AnyShape };
}

/** A word that stands for nothing, or a value. */
interface NoneShape extends Told {
  readonly kind: "none";
  readonly word: string;
  readonly or: AnyShape;
}

/** A mapping whose words depend on one of them. */
interface CasesShape extends Told {
  readonly kind: "cases";
  readonly tag: string;
  readonly cases: Readonly<Record<string, MappingShape>>;
  /** What they are: a … site. */
  readonly noun: string;
  /** Of each case, why others do not have the words that it alone has. */
  readonly ownWords: Readonly<Record<string, { readonly code: string; readonly why: string }>>;
}

/** Any shape as data. */
export type AnyShape = (
  | TextShape
  | WordShape
  | FlagShape
  | CountShape
  | NumberShape
  | QuantityShape
  | NotationShape
  | PathShape
  | WrittenShape
  | ListShape
  | MappingShape
  | NamesShape
  | EitherShape
  | NoneShape
  | CasesShape
) & {
  /** What it is called in what was read, where that is not the word of the file. */
  readonly as?: string;
  /** What holds where it is left out, as it would have been read. */
  readonly usual?: unknown;
};

/** Shapes by their kind. */
export type ShapeOf<Kind extends AnyShape["kind"]> = Extract<AnyShape, { readonly kind: Kind }>;

/** A shape whose value, read, has this type. */
export type Shape<Value, Kind extends AnyShape["kind"] = AnyShape["kind"]> = ShapeOf<Kind> & {
  /** For the type alone; never there. */
  readonly reads?: () => Value;
};

/** What is read by a shape. */
export type Read<Of> = Of extends { readonly reads?: () => infer Value } ? Value : never;

type Options<Kind extends AnyShape["kind"], Set extends string = never> = Omit<
  ShapeOf<Kind>,
  "kind" | "as" | "usual" | Set
>;

/** One text. */
export const text = (options: Options<"text">): Shape<string, "text"> => ({ kind: "text", ...options });
/** One of these words. */
export const word = <const Word extends string>(
  words: readonly Word[],
  options: Options<"word", "words"> = {},
): Shape<Word, "word"> => ({ kind: "word", words, ...options });
/** True or false. */
export const flag = (options: Options<"flag">): Shape<boolean, "flag"> => ({ kind: "flag", ...options });
/** A whole number. */
export const count = (options: Options<"count">): Shape<number, "count"> => ({ kind: "count", ...options });
/** A number. */
export const number = (options: Options<"number">): Shape<number, "number"> => ({
  kind: "number",
  ...options,
});
/** Something with a unit. */
export const quantity = (
  unit: QuantityShape["unit"],
  options: Options<"quantity", "unit">,
): Shape<number, "quantity"> => ({ kind: "quantity", unit, ...options });
/** A length of time, or one of these words. */
export const durationOr = <const Word extends string>(
  words: readonly Word[],
  options: Options<"quantity", "unit" | "words">,
): Shape<number | Word, "quantity"> => ({ kind: "quantity", unit: "duration", words, ...options });
/** A notation of its own. */
export const notation = <Name extends keyof Notations>(
  name: Name,
  options: Options<"notation", "notation">,
): Shape<Notations[Name], "notation"> => ({ kind: "notation", notation: name, ...options });
/** What is read elsewhere. */
export const asWritten = (options: Options<"written">): Shape<unknown, "written"> => ({
  kind: "written",
  ...options,
});
/** A path. */
export const path = (options: Options<"path">): Shape<string, "path"> => ({ kind: "path", ...options });
/** A list. */
export const list = <Value>(
  item: Shape<Value>,
  options: Options<"list", "item"> = {},
): Shape<readonly Value[], "list"> => ({ kind: "list", item, ...options });
/** A mapping by names. */
export const names = <Value>(
  value: Shape<Value>,
  options: Options<"names", "value"> = {},
): Shape<Readonly<Record<string, Value>>, "names"> => ({ kind: "names", value, ...options });
/** A shape for a single value, another for a list, another for a mapping. */
export const either = <Of extends { readonly [Kind in "scalar" | "list" | "mapping"]?: Shape<unknown> }>(
  of: Of,
  options: Options<"either", "of"> = {},
): Shape<Read<Of[keyof Of]>, "either"> => ({ kind: "either", of, ...options });
/** `none` (or another word), which is read as null, or a value. */
export const orNone = <Value>(
  or: Shape<Value>,
  options: Options<"none", "or" | "word"> & { readonly word?: string } = {},
): Shape<Value | null, "none"> => ({ kind: "none", word: "none", or, ...options });

/** The fields of a mapping. */
type Fields = Readonly<Record<string, Shape<unknown>>>;
type NameOf<Name, Of> = Of extends { readonly as: infer Other extends string } ? Other : Name;
/** Whether a field is there whatever is written. */
type IsThere<Name, Of, Required> = Name extends Required
  ? true
  : Of extends { readonly usual: unknown }
    ? true
    : false;
/** What is there for a field: a value of it, or what holds where it is left out. */
type ValueOf<Of> = Read<Of> | (Of extends { readonly usual: infer Usual } ? Extract<Usual, null> : never);
type MappingOf<Of extends Fields, Required> = {
  readonly [Name in keyof Of as IsThere<Name, Of[Name], Required> extends true
    ? NameOf<Name, Of[Name]>
    : never]: ValueOf<Of[Name]>;
} & {
  readonly [Name in keyof Of as IsThere<Name, Of[Name], Required> extends true
    ? never
    : NameOf<Name, Of[Name]>]?: ValueOf<Of[Name]>;
};
/** A type with its properties written out. */
type Plain<Type> = { [Name in keyof Type]: Type[Name] };

/** A mapping of these words; those in `required` must be there, each with why. */
export function mapping<
  Of extends Fields,
  const Required extends { readonly [Name in keyof Of]?: string } = object,
>(
  fields: Of,
  options: Options<"mapping", "fields" | "required"> & { readonly required?: Required } = {},
): Shape<Plain<MappingOf<Of, keyof Required>>, "mapping"> {
  const { required = {}, ...others } = options;
  return { kind: "mapping", fields, required, ...others };
}

/** Mappings that are told apart by the word `tag`. */
export function cases<const Of extends Readonly<Record<string, Shape<object, "mapping">>>>(
  tag: string,
  of: Of,
  options: Options<"cases", "tag" | "cases">,
): Shape<{ [Name in keyof Of]: Read<Of[Name]> }[keyof Of], "cases"> {
  return { kind: "cases", tag, cases: of, ...options };
}

/** A shape whose value is called otherwise where it was read. */
export function as<const Name extends string, Of extends AnyShape>(
  name: Name,
  of: Of,
): Of & { readonly as: Name } {
  return { ...of, as: name };
}

/** A shape that may be left out, with what holds then: a value of it, or null. */
export function usually<Of extends Shape<unknown>, const Usual extends Read<Of> | null>(
  value: Usual,
  of: Of,
): Of & { readonly usual: Usual } {
  return { ...of, usual: value };
}

/** A mapping that is there even where it is left out, with what holds then of each word. */
export function filled<Of extends Shape<object, "mapping">>(of: Of): Of & { readonly usual: Read<Of> } {
  return { ...of, usual: nothingSaid(of) as Read<Of> };
}

/** What a mapping says that says nothing. */
export function nothingSaid({ fields }: ShapeOf<"mapping">): object {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([word, field]) =>
      "usual" in field ? [[field.as ?? word, field.usual] as const] : [],
    ),
  );
}

/** The mapping of a case; where it is none, with the words of all of them. */
export function caseOf(
  { tag, cases: of, noun, ownWords }: ShapeOf<"cases">,
  said: string | undefined,
): ShapeOf<"mapping"> {
  const all = Object.values(of);
  if (said === undefined || !Object.hasOwn(of, said)) {
    const required = Object.entries(all[0].required).filter(([name]) =>
      all.every((it) => name in it.required),
    );
    const fields = Object.assign({}, ...all.map((it) => it.fields), { [tag]: word(Object.keys(of)) });
    return { kind: "mapping", fields, required: Object.fromEntries(required) };
  }
  const others = Object.entries(of).flatMap(([owner, { fields }]) =>
    Object.keys(fields)
      .filter((name) => !(name in of[said].fields))
      .map((name) => {
        const { code, why } = ownWords[owner];
        const what = `a ${said} ${noun} has no ${name}`;
        return [name, { code, what, why, remedy: `take it out, or write ${tag}: ${owner}` }] as const;
      }),
  );
  return { ...of[said], strangers: Object.fromEntries(others) };
}
