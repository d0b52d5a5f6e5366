/** Job descriptions as texts: what all forms have in common. */
import { type AnyShape, jobShape } from "../../contract/files/index.ts";
import { JOB_DEFAULTS, type JobDescription } from "../../model/index.ts";
import { writtenAs } from "../yaml/index.ts";

/** A job as a text of one form, and what the form cannot say of it. */
export interface WrittenJob {
  readonly text: string;
  /** Keys and values as YAML has them, or a sentence. */
  readonly unsaid: readonly string[];
}

/** Words of a job in the order of its shape, with values as YAML writes them; defaults are left out. */
export function wordsOf(description: JobDescription): ReadonlyMap<string, unknown> {
  const fields = Object.entries<AnyShape>(jobShape.fields);
  const described = new Map<string, unknown>(Object.entries(description));
  const usual = new Map<string, unknown>(Object.entries(JOB_DEFAULTS));
  const instant = described.get("expiryTimeMs");
  if (typeof instant === "number") described.set("expiryTime", new Date(instant).toISOString());
  const words = new Map<string, unknown>();
  for (const [word, field] of fields) {
    const name = field.as ?? word;
    const value = described.get(name);
    if (value === undefined || JSON.stringify(value) === JSON.stringify(usual.get(name))) continue;
    words.set(word, plainly(field, value));
  }
  return words;
}

function plainly(field: AnyShape, value: unknown): unknown {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  if (field.kind === "either" || field.kind === "notation") return value;
  return field.kind === "text" ? String(value) : writtenAs(field, value);
}

/** Comment lines, each of one line whatever the text has in it. */
export function commentLines(texts: readonly string[]): string {
  return texts.map((text) => `# ${oneLine(text)}\n`).join("");
}

/** A value on one line, at most 300 characters of it. */
function oneLine(text: string): string {
  const harmless = text.replace(/[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu, " ");
  return harmless.length > 300 ? `${harmless.slice(0, 300)}…` : harmless;
}
