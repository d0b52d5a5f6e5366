/**
 * A word that is yes or no.
 */
import { type NamedValue, wrongType } from "../yaml/index.ts";

/** True or false; else a problem is noted, with a right way to write it. @param example `readOnly: false` */
export function yesOrNo({ name, value, notes }: NamedValue, example: string): boolean | undefined {
  if (value.kind === "scalar" && typeof value.value === "boolean") return value.value;
  notes.problem(value.at, wrongType(name, value, example));
  return undefined;
}
