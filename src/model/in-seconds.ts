/**
 * Records of the engine as they cross a border, and back: lengths are seconds there, milliseconds here.
 *
 * Every field `…Ms` becomes `…Sec` at any depth and nothing else changes; money in `…ProcMs` is no length,
 * and neither is a rate in `…PerSec`.
 * Only for records without instants, which are text at a border: a field `…Ms` of an instant is wrong here.
 * Seconds may be fractions, and no millisecond is lost on the way there and back below {@link MOST_MS}.
 */

/** The longest length that comes back as it went: more than 70,000 years. */
export const MOST_MS = 2 ** 51;

/** Fields whose value has names that people chose for its own: `delayBudgets` by consumer, stores by name. */
export const NAMED_BY_PEOPLE = [
  "delayBudgets",
  "consumers",
  "stores",
  "links",
  "applications",
  "ads",
] as const;

type IsNamedByPeople<Value> = string extends keyof NonNullable<Value> ? true : false;
type Kept<Name, Value> = Name extends (typeof NAMED_BY_PEOPLE)[number] ? Value : never;
type Plain = string | number | boolean | null | undefined;

type SecondsName<Name> = Name extends `${string}ProcMs`
  ? Name
  : Name extends `${infer Stem}Ms`
    ? `${Stem}Sec`
    : Name;
type MillisecondsName<Name> = Name extends `${string}PerSec`
  ? Name
  : Name extends `${infer Stem}Sec`
    ? `${Stem}Ms`
    : Name;

/** A record with its lengths in seconds. A field with names of people that is not listed has no type. */
export type InSeconds<Value> = Value extends Plain
  ? Value
  : Value extends readonly (infer Item)[]
    ? readonly InSeconds<Item>[]
    : {
        readonly [Name in keyof Value as SecondsName<Name>]: IsNamedByPeople<Value[Name]> extends true
          ? Kept<Name, Value[Name]>
          : InSeconds<Value[Name]>;
      };

/** A record with its lengths in milliseconds. */
export type InMilliseconds<Value> = Value extends Plain
  ? Value
  : Value extends readonly (infer Item)[]
    ? readonly InMilliseconds<Item>[]
    : {
        readonly [Name in keyof Value as MillisecondsName<Name>]: IsNamedByPeople<Value[Name]> extends true
          ? Kept<Name, Value[Name]>
          : InMilliseconds<Value[Name]>;
      };

/** The record as it is written at a border. */
export function inSeconds<Value>(record: Value): InSeconds<Value>;
export function inSeconds(record: unknown): unknown {
  return renamed(record, (name, value) =>
    name.endsWith("Ms") && !name.endsWith("ProcMs")
      ? [`${name.slice(0, -2)}Sec`, typeof value === "number" ? value / 1000 : value]
      : [name, value],
  );
}

/** Values from outside in the engine's units, to the millisecond. */
export function inMilliseconds<Value>(given: Value): InMilliseconds<Value>;
export function inMilliseconds(given: unknown): unknown {
  return renamed(given, (name, value) =>
    name.endsWith("Sec") && !name.endsWith("PerSec")
      ? [`${name.slice(0, -3)}Ms`, typeof value === "number" ? Math.round(value * 1000) : value]
      : [name, value],
  );
}

const namedByPeople: ReadonlySet<string> = new Set(NAMED_BY_PEOPLE);

function renamed(value: unknown, rename: (name: string, value: unknown) => [string, unknown]): unknown {
  if (Array.isArray(value)) return value.map((item) => renamed(item, rename));
  if (typeof value !== "object" || value === null) return value;
  const fields = Object.entries(value).map(([name, field]) =>
    namedByPeople.has(name) && !Array.isArray(field) ? [name, field] : rename(name, renamed(field, rename)),
  );
  return Object.fromEntries(fields);
}
