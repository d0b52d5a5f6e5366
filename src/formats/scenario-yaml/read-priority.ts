/**
 * Reads in which order a scenario's site serves its queue.
 */
import { PRIORITY_NAMES, type PriorityName, type ScenarioPriority } from "../../model/index.ts";
import { type NamedValue, type Surroundings, wordOf } from "../yaml/index.ts";
import { type Readers, readRecord } from "./record.ts";
import { NONE, readableFileOf } from "./values.ts";

/** The words of a priority that has rules of its own. */
export const PRIORITY_WORDS: readonly (keyof Said)[] = ["name", "config"];

const EXAMPLE = "priority: { name: slurm, config: slurm.yaml }";

interface Said {
  readonly name: PriorityName;
  readonly config: string;
}

/**
 * A name, or a name and a file of rules; undefined where it is `none`, and, with a problem, where something
 * is wrong with it.
 */
export function priorityOf(named: NamedValue, surroundings: Surroundings): ScenarioPriority | undefined {
  const { value, notes } = named;
  if (value.kind !== "mapping") {
    const name = wordOf(named, [...PRIORITY_NAMES, NONE], "priority: slurm");
    return name === undefined || name === NONE ? undefined : { name };
  }
  const readers: Readers<Said> = {
    name: (it) => wordOf(it, PRIORITY_NAMES, "name: slurm"),
    config: (it) => readableFileOf(it, surroundings, "config: slurm.yaml"),
  };
  const { name, config } = readRecord(named, readers, { example: EXAMPLE }) ?? {};
  if (!value.entries.some(({ key }) => key === "name")) {
    notes.problem(value.at, {
      code: "wordMissing",
      what: "this priority has no name",
      why: "its file has the rules of one of several",
      remedy: `write for instance ${EXAMPLE}`,
    });
  }
  if (name === undefined) return undefined;
  return { name, ...(config === undefined ? {} : { config }) };
}
