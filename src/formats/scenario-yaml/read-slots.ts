/**
 * Reads how often the free slots of a scenario's site are looked at.
 */
import { durationOf, type NamedValue, wordOf, wrongType } from "../yaml/index.ts";
import { type Readers, readRecord } from "./record.ts";
import { NONE } from "./values.ts";

/** The words of a sampling. */
export const SLOTS_WORDS: readonly (keyof Said)[] = ["every"];

const EXAMPLE = "slots: { every: 1h }";

interface Said {
  readonly every: number;
}

const readers: Readers<Said> = {
  every: (it) =>
    durationOf(it, {
      example: "every: 1h",
      ifZero: { why: "a site is looked at at instants that go on", remedy: "write for instance every: 1h" },
    }),
};

/** Milliseconds; undefined where it is `none`, and, with a problem, where something is wrong with it. */
export function slotsOf(named: NamedValue): number | undefined {
  const { name, value, notes } = named;
  if (value.kind !== "mapping") {
    wordOf(named, [NONE], EXAMPLE);
    return undefined;
  }
  if (value.entries.length === 0) notes.problem(value.at, wrongType(name, value, EXAMPLE));
  return readRecord(named, readers, { example: EXAMPLE })?.every;
}
