/** Factors of priorities: `sprio`, a row for each waiting job and partition. */
import { eachMarkedRow } from "./rows.ts";
import { FIELD_END, ROW_END, saidNumber } from "./words.ts";

/** sprio's letters of the weighted factors, with their names in explanations. Source: sprio(1). */
const FACTORS = {
  site: "S",
  age: "A",
  association: "B",
  fairshare: "F",
  jobSize: "J",
  nice: "N",
  partition: "P",
  qos: "Q",
} as const;
const FIELDS = ["JobID", "PartitionName", "Priority", ...Object.keys(FACTORS)];
const LETTERS = ["i", "r", "Y", ...Object.values(FACTORS)];

/** The command that asks for them. */
export const PRIORITIES_COMMAND: readonly string[] = [
  "sprio",
  "--noheader",
  `--format=${LETTERS.map((letter) => `%${letter}`).join(FIELD_END)}${ROW_END}`,
];

/** The parts of the priority of each job, by its id; of several partitions those of the highest sum. */
export function readPriorities(text: string): ReadonlyMap<string, Readonly<Record<string, number>>> {
  const best = new Map<string, { readonly sum: number; readonly parts: Readonly<Record<string, number>> }>();
  eachMarkedRow(text, FIELDS.length, ([id, , priority, ...factors]) => {
    const job = id.trim();
    const sum = saidNumber(priority) ?? 0;
    if ((best.get(job)?.sum ?? Number.NEGATIVE_INFINITY) < sum)
      best.set(job, { sum, parts: partsOf(factors) });
  });
  return new Map([...best].map(([job, { parts }]) => [job, parts]));
}

/** @param factors in the order of FACTORS */
function partsOf(factors: readonly string[]): Readonly<Record<string, number>> {
  const parts = Object.keys(FACTORS).map((name, at) => [name, saidNumber(factors[at]) ?? 0] as const);
  // What nice takes away, sprio shows as a number above zero.
  return Object.fromEntries(parts.map(([name, value]) => [name, name === "nice" ? -value : value]));
}
