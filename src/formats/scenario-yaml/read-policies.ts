/**
 * Reads which usage policies a scenario's site has (rule FO-103).
 */
import type { ScenarioPolicies } from "../../model/index.ts";
import { type NamedValue, oneText, type Surroundings, wrongType } from "../yaml/index.ts";
import { NONE, readableFileOf } from "./values.ts";

/** Files and tuples, as they are written. */
export type WrittenPolicies = Pick<ScenarioPolicies, "files" | "tuples">;

const EXAMPLE = "policies: [west.policy.yaml]";

/**
 * A file, a tuple, or a list of these; undefined where it is `none`, and, with a problem, where something is
 * wrong with it. What the files say is read when the site is played.
 */
export function policiesOf(named: NamedValue, surroundings: Surroundings): WrittenPolicies | undefined {
  const { name, value, notes } = named;
  if (value.kind === "scalar" && value.text === NONE) return undefined;
  const items = value.kind === "list" ? value.items : [value];
  if (items.length === 0 || value.kind === "mapping") {
    notes.problem(value.at, wrongType(name, value, EXAMPLE));
    return undefined;
  }
  const before = notes.problemCount();
  const files: string[] = [];
  const tuples: string[] = [];
  for (const [at, item] of items.entries()) {
    const one = { name: value.kind === "list" ? `${name}[${at}]` : name, value: item, notes };
    const text = oneText(one, EXAMPLE)?.text;
    if (text === undefined) continue;
    if (isTuple(text)) tuples.push(text);
    else files.push(readableFileOf(one, surroundings, EXAMPLE) ?? "");
  }
  return notes.problemCount() > before ? undefined : { files, tuples };
}

/** The policies of a site with whose jobs are whose, and who keeps them; undefined where there are none. */
export function policiesWith(
  written: WrittenPolicies | undefined,
  { owners, pep = "ours" }: Partial<Pick<ScenarioPolicies, "owners" | "pep">>,
): ScenarioPolicies | undefined {
  if (written === undefined) return undefined;
  return { ...written, ...(owners === undefined ? {} : { owners }), pep };
}

/** A tuple has its parts in parentheses; no file has both a comma and these. */
function isTuple(text: string): boolean {
  return text.includes(",") && text.includes("(");
}
