/**
 * A setting's value as `stint.yaml` writes it.
 */

/** A scalar, texts, a mapping of them, or (price rules) mappings. */
export type SettingValue =
  | string
  | number
  | boolean
  | readonly string[]
  | Readonly<Record<string, string | number>>
  | Readonly<Record<string, Readonly<Record<string, string>>>>
  | readonly Readonly<Record<string, unknown>>[];
