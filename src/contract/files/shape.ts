/**
 * Shapes of files that people write: each word once, with its limits, its default and its explanation. A
 * shape is plain data, like a JSON Schema, and also says how a reader converts what is written: `1h30m`
 * becomes milliseconds, 25 % parts per million. `docs/schemas` is generated from it, `formats/yaml` reads by
 * it, and the type of the read value follows from it ({@link Read}). Not TypeBox: every command that reads a
 * file would load it, which takes longer than all else that the command does.
 */

/** Explanation, default and messages of a shape. */
interface Told {
  readonly description?: string;
  /** Values as they are written in YAML; messages show the first, editors all. */
  readonly examples?: readonly string[];
  /** Default as it would be written, where readers know it. */
  readonly default?: string;
  /** Further keywords of the published JSON Schema, for checks after reading. */
  readonly keywords?: Readonly<Record<string, unknown>>;
  /** Name in `$defs` of the published schema. */
  readonly defined?: string;
}

/** Message about an invalid text: `NAME: "TEXT" is no NOUN`. */
export interface Mismatch {
  readonly code: string;
  readonly noun: string;
  readonly why: string;
  /** Absent: the remedy shows the example. */
  readonly remedy?: string;
}

/** A text as written; a number or a truth value counts as its characters. */
interface TextShape extends Told {
  readonly kind: "text";
  /** Of values that are no text, accepts whole numbers only. */
  readonly isStrict?: boolean;
  /** A regular expression in Unicode mode. */
  readonly pattern?: string;
  readonly mismatch?: Mismatch;
}

/** One of a few words. */
interface WordShape extends Told {
  readonly kind: "word";
  readonly words: readonly string[];
  /** True where case and surrounding blanks do not count. */
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
  /** Noun for messages: `a number of seconds`. Absent: a number. */
  readonly noun?: string;
  readonly code?: string;
  /** True where the range excludes its lower end. */
  readonly isAbove?: boolean;
  /** Number of parts in one: the value is kept as a whole number of parts, such as 1000 for thousandths. */
  readonly perOne?: number;
  /** True where finer values are rounded rather than refused. */
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
  /** Message about 0; absent where 0 is allowed. */
  readonly ifZero?: { readonly why: string; readonly remedy: string };
}

/** A text or a number in a notation of its own, parsed as {@link Notations} say. */
interface NotationShape extends Told {
  readonly kind: "notation";
  readonly notation: keyof Notations;
  readonly pattern: string;
  /** Numbers allowed in the notation; absent where only texts are. */
  readonly numbers?: { readonly least: number; readonly most: number };
  readonly mismatch: Mismatch;
}

/** Notations, with the type of their values. */
export interface Notations {
  /** Milliseconds ahead of UTC. */
  readonly clock: number;
  /** Milliseconds since the beginning of the day. */
  readonly timeOfDay: number;
  /** Milliseconds on the clock of the file; a length of time counts from its start. */
  readonly instant: number;
  /** An instant, or a day from its midnight in UTC; readers with another clock shift it. */
  readonly date: { readonly atMs: number; readonly isDay: boolean };
  /** Percent of the delivered amount: a target or a bound. */
  readonly target: { readonly percent: number; readonly kind: "target" | "floor" | "ceiling" };
}

/** A value as written, for a reader elsewhere. */
interface WrittenShape extends Told {
  readonly kind: "written";
  /** The shape by which it is read, for editors. */
  readonly of?: AnyShape;
}

/** A path on this machine, made absolute from the folder of the file. */
interface PathShape extends Told {
  readonly kind: "path";
  /** Message where no readable file is there, for files that must exist. */
  readonly unreadable?: { readonly code: string; readonly noun: string; readonly remedy: string };
}

interface ListShape extends Told {
  readonly kind: "list";
  readonly item: AnyShape;
  /** True where a single value is a list of one. */
  readonly orOne?: boolean;
  readonly least?: number;
  readonly most?: number;
  /** Distinct words, in the order of the shape. */
  readonly isSet?: boolean;
  /** Message about too few or too many items. */
  readonly wrongLength?: {
    readonly code: string;
    readonly what: string;
    readonly why: string;
    readonly remedy: string;
  };
}

/** Message about a word that belongs elsewhere; without `what`, that it is unknown here. */
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
  /** Required words, each with the reason. */
  readonly required: Readonly<Record<string, string>>;
  /** True where unknown words are ignored. */
  readonly isOpen?: boolean;
  /** True where the published schema omits the default. */
  readonly isBrief?: boolean;
  /** Unsupported words that users will look for, each with a message. */
  readonly strangers?: Readonly<Record<string, Stranger>>;
}

/** A mapping from names, chosen by the user, to values of one shape. */
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

/** The word `none`, or a value. */
interface NoneShape extends Told {
  readonly kind: "none";
  readonly word: string;
  readonly or: AnyShape;
}

/** A mapping whose words depend on the value of one of them. */
interface CasesShape extends Told {
  readonly kind: "cases";
  readonly tag: string;
  readonly cases: Readonly<Record<string, MappingShape>>;
  /** Noun of the cases: a … site. */
  readonly noun: string;
  /** For each case, the reason why others lack the words that only it has. */
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
  /** Name in the read value, where it differs from the word of the file. */
  readonly as?: string;
  /** Default as it would have been read. */
  readonly usual?: unknown;
};

/** Shapes by their kind. */
export type ShapeOf<Kind extends AnyShape["kind"]> = Extract<AnyShape, { readonly kind: Kind }>;

/** A shape whose value, read, has this type. */
export type Shape<Value, Kind extends AnyShape["kind"] = AnyShape["kind"]> = ShapeOf<Kind> & {
  /** Carries the type; never present. */
  readonly reads?: () => Value;
};

/** Type of the value read by a shape. */
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
/** A shape for a value that is read elsewhere. */
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
/** True where a field is always present. */
type IsThere<Name, Of, Required> = Name extends Required
  ? true
  : Of extends { readonly usual: unknown }
    ? true
    : false;
/** Type of a field: a value of its shape, or its default. */
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

/** Mappings distinguished by the word `tag`. */
export function cases<const Of extends Readonly<Record<string, Shape<object, "mapping">>>>(
  tag: string,
  of: Of,
  options: Options<"cases", "tag" | "cases">,
): Shape<{ [Name in keyof Of]: Read<Of[Name]> }[keyof Of], "cases"> {
  return { kind: "cases", tag, cases: of, ...options };
}

/** A shape whose value has another name once read. */
export function as<const Name extends string, Of extends AnyShape>(
  name: Name,
  of: Of,
): Of & { readonly as: Name } {
  return { ...of, as: name };
}

/** An optional shape with its default: a value of it, or null. */
export function usually<Of extends Shape<unknown>, const Usual extends Read<Of> | null>(
  value: Usual,
  of: Of,
): Of & { readonly usual: Usual } {
  return { ...of, usual: value };
}

/** A mapping that is present even where it is left out, with the default of each word. */
export function filled<Of extends Shape<object, "mapping">>(of: Of): Of & { readonly usual: Read<Of> } {
  return { ...of, usual: nothingSaid(of) as Read<Of> };
}

/** The mapping without any words. */
export function nothingSaid({ fields }: ShapeOf<"mapping">): object {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([word, field]) =>
      "usual" in field ? [[field.as ?? word, field.usual] as const] : [],
    ),
  );
}

/** Mapping of a case; for an unknown case, with the words of all. */
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
