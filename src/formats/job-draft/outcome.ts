/** Translation of one directive of another language. */
import { formatDuration, formatSize } from "../../base/index.ts";
import type { JobDescription } from "../../model/index.ts";
import { shown } from "../yaml/index.ts";
import type { Size } from "./size.ts";

/** Attributes that a directive sets. */
type Attributes = Partial<Omit<JobDescription, "procs" | "memoryBytes" | "gpus">>;

/**
 * What one directive comes to: attributes; nothing, because nothing is lost; nothing, although something is
 * lost; or a value that its own language refuses.
 */
export type Outcome =
  | {
      readonly kind: "translated";
      readonly sets?: Attributes;
      readonly size?: Size;
      readonly becomes?: string;
      readonly why?: string;
    }
  | { readonly kind: "noEffect"; readonly why: string }
  | { readonly kind: "notTranslated"; readonly why: string; readonly keeps?: Attribute }
  | { readonly kind: "wrong"; readonly why: string; readonly remedy: string };

/** An attribute beside those of the model. */
export interface Attribute {
  readonly name: string;
  readonly value: string | number | boolean;
}

/** Outcome of a directive that sets attributes. */
export function sets(attributes: Attributes, why?: string): Outcome {
  return { kind: "translated", sets: attributes, ...(why === undefined ? {} : { why }) };
}

/** Outcome of a directive that says something of the job's size. */
export function sizes(size: Size, why?: string): Outcome {
  return { kind: "translated", size, ...(why === undefined ? {} : { why }) };
}

/** Outcome of a directive whose loss changes nothing. */
export function noEffect(why: string): Outcome {
  return { kind: "noEffect", why };
}

/** Outcome of a directive without an equal; `keeps` is an attribute that remains of it. */
export function notTranslated(why: string, keeps?: Attribute): Outcome {
  return { kind: "notTranslated", why, ...(keeps === undefined ? {} : { keeps }) };
}

/** Outcome of a value that the language of the directive refuses itself. */
export function wrong(why: string, remedy: string): Outcome {
  return { kind: "wrong", why, remedy };
}

/** Attributes as they would be written in YAML: `wallTime: 1h, name: night`. */
export function asWritten(attributes: Readonly<Record<string, unknown>>): string {
  return Object.entries(attributes)
    .map(([name, value]) => `${renamed(name)}: ${valueText(name, value)}`)
    .join(", ");
}

const NAMES: Readonly<Record<string, string>> = { wallTimeMs: "wallTime", memoryBytes: "memory" };

function renamed(name: string): string {
  return NAMES[name] ?? name;
}

function valueText(name: string, value: unknown): string {
  if (name === "wallTimeMs") return formatDuration(Number(value));
  if (name === "memoryBytes") return formatSize(Number(value));
  if (typeof value === "string") return shown(value);
  if (Array.isArray(value)) return `[${value.map((one) => valueText("", one)).join(", ")}]`;
  if (typeof value === "object" && value !== null) return `{ ${asWritten({ ...value })} }`;
  return String(value);
}
