/**
 * A YAML document as our readers need it: scalars, lists and mappings that know where they stand.
 *
 * Aliases are resolved, tags and comments are gone. A scalar keeps the characters that were written,
 * because what YAML takes for a number or a truth value is often a word: `executable: true`.
 */

/** A single value. */
export interface ScalarValue {
  readonly kind: "scalar";
  /** Offset into the text. */
  readonly at: number;
  /** Text as written, with quotes and escapes resolved. */
  readonly text: string;
  /** Value by the core schema of YAML 1.2. */
  readonly value: string | number | boolean | null;
}

/** A sequence. */
interface ListValue {
  readonly kind: "list";
  readonly at: number;
  readonly items: readonly Value[];
}

/** A mapping; keys are unique. */
export interface MappingValue {
  readonly kind: "mapping";
  readonly at: number;
  readonly entries: readonly Entry[];
}

/** A key and its value. */
export interface Entry {
  readonly key: string;
  readonly keyAt: number;
  readonly value: Value;
}

/** Any of them. */
export type Value = ScalarValue | ListValue | MappingValue;

/** The value as plain data, for unknown words. */
export function plainValue(value: Value): unknown {
  switch (value.kind) {
    case "scalar":
      return value.value;
    case "list":
      return value.items.map(plainValue);
    case "mapping":
      return Object.fromEntries(value.entries.map((entry) => [entry.key, plainValue(entry.value)]));
  }
}
