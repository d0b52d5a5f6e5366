/** Careful access to data whose shape another program decides: what is of another type counts as absent. */

/** A mapping as JSON and YAML have them. */
export type Json = Readonly<Record<string, unknown>>;

/** The mapping, or an empty one. */
export function mappingOf(value: unknown): Json {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : {};
}

/** The list, or an empty one. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The text or number as a text, or an empty one. */
export function textOf(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}

/** The number, also where it is written in quotes. */
export function numberOf(value: unknown): number | undefined {
  if (typeof value === "string" && value.trim() !== "") return Number(value);
  return typeof value === "number" ? value : undefined;
}
