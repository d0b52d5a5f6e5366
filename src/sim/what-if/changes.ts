/**
 * Changes of the rules, parsed from `what=value`.
 */
import { Fault, nearestWord, parseSize } from "../../base/index.ts";
import type { PoolEntry } from "../../formats/workload-jsonl/index.ts";
import {
  DISCIPLINES,
  ESTIMATE_RULES,
  OVERRUN_RULES,
  type SimulatedPolicies,
  type SimulationRequest,
  STOPPED_RULES,
} from "../../model/index.ts";
import type { PoolChange } from "../workload/prepare.ts";

/** The changed rules. */
export interface ChangedRules {
  readonly simulation: SimulationRequest;
  readonly changePools: PoolChange;
}

const WORDS = { discipline: DISCIPLINES, estimates: ESTIMATE_RULES, overrun: OVERRUN_RULES } as const;
const AMOUNTS = ["procs", "memory", "gpus", "nodes"] as const;
type Amount = (typeof AMOUNTS)[number];

/**
 * The rules with all changes made. Files of policies take the place of those in force today, all together.
 *
 * @throws Fault `changeUnknown`, `changeValue`; and `changePool` when the pools are changed
 */
export function changedRules(simulation: SimulationRequest, changes: readonly string[]): ChangedRules {
  let changed = simulation;
  const pools: PoolChange[] = [];
  const policies: string[] = [];
  for (const change of changes) {
    const at = change.indexOf("=");
    const what = change.slice(0, Math.max(0, at)).trim();
    const value = change.slice(at + 1).trim();
    const pool = /^pool\.(.+)\.([a-z]+)$/.exec(what);
    if (pool !== null) pools.push(poolChange(change, { pool: pool[1], amount: pool[2], value }));
    else if (what === "policies") policies.push(value);
    else changed = { ...changed, ...ruleChange(change, what, value) };
  }
  if (policies.length > 0) changed = { ...changed, policies: changedPolicies(simulation, policies) };
  return {
    simulation: changed,
    changePools: (entries) => pools.reduce<readonly PoolEntry[]>((kept, make) => make(kept), entries),
  };
}

/** Files that replace today's policies; `none` stands for no policies. */
function changedPolicies(
  { policies: { owners, form } = { files: [], form: "ours" } }: SimulationRequest,
  values: readonly string[],
): SimulatedPolicies {
  const empty = values.find((value) => value === "" || (value === "none" && values.length > 1));
  if (empty !== undefined) {
    const why =
      empty === "" ? "no file is named" : "none means no policies, but other changes name policy files";
    throw badValue(`policies=${empty}`, why, "write policies=FILE for each file, or policies=none alone");
  }
  const files = values.filter((value) => value !== "none");
  return { files, form, ...(owners === undefined ? {} : { owners }) };
}

function ruleChange(change: string, what: string, value: string): Partial<SimulationRequest> {
  switch (what) {
    case "discipline":
      if (value.startsWith("exec:")) return { discipline: `exec:${value.slice("exec:".length)}` };
      return { discipline: wordIn(change, value, WORDS.discipline) };
    case "estimates":
      return { estimates: wordIn(change, value, WORDS.estimates) };
    case "overrun":
      return { overrun: wordIn(change, value, WORDS.overrun) };
    case "on-outage":
      return { stoppedJobs: wordIn(change, value, STOPPED_RULES) };
    default:
      throw unknown(change, what);
  }
}

function wordIn<Word extends string>(change: string, value: string, words: readonly Word[]): Word {
  const known = words.find((word) => word === value);
  if (known !== undefined) return known;
  const nearest = nearestWord(value, words);
  const remedy = nearest === undefined ? "choose one of these" : `do you mean ${nearest}?`;
  throw badValue(change, `it is one of ${words.join(", ")}`, remedy);
}

interface PoolWords {
  readonly pool: string;
  readonly amount: string;
  readonly value: string;
}

function poolChange(change: string, { pool, amount, value }: PoolWords): PoolChange {
  const known = AMOUNTS.find((word) => word === amount);
  if (known === undefined) throw unknown(change, amount);
  const count = amountIn(change, known, value);
  return (entries) => {
    if (!entries.some(({ name }) => name === pool)) throw noPool(change, pool, entries);
    return entries.map((entry) => (entry.name === pool ? { ...entry, ...amountOf(known, count) } : entry));
  };
}

function amountOf(amount: Amount, count: number): Partial<PoolEntry> {
  return amount === "memory" ? { memoryBytes: count } : { [amount]: count };
}

function amountIn(change: string, amount: Amount, value: string): number {
  const least = amount === "gpus" ? 0 : 1;
  if (amount === "memory") {
    const size = parseSize(value);
    if (size.ok && size.value > 0) return size.value;
    throw badValue(change, "it is a size above zero", "write for instance 512G");
  }
  const count = /^\d{1,15}$/.test(value) ? Number(value) : -1;
  if (count >= least) return count;
  throw badValue(change, `it is a whole number, ${least} or more`, `write for instance ${amount}=128`);
}

function unknown(change: string, what: string): Fault {
  const words = [
    ...Object.keys(WORDS),
    "on-outage",
    "policies",
    ...AMOUNTS.map((amount) => `pool.NAME.${amount}`),
  ];
  const nearest = nearestWord(what, words);
  return new Fault({
    kind: "badInput",
    code: "changeUnknown",
    what: `--what-if "${change.slice(0, 60)}": this cannot be changed`,
    why: `these can be changed: ${words.join(", ")}, each written as NAME=value`,
    remedy: nearest === undefined ? "write for instance discipline=conservative" : `do you mean ${nearest}?`,
  });
}

function badValue(change: string, why: string, remedy: string): Fault {
  const what = `--what-if "${change.slice(0, 60)}": this value cannot be`;
  return new Fault({ kind: "badInput", code: "changeValue", what, why, remedy });
}

function noPool(change: string, pool: string, entries: readonly PoolEntry[]): Fault {
  const names = entries.map(({ name }) => name);
  return new Fault({
    kind: "badInput",
    code: "changePool",
    what: `--what-if "${change.slice(0, 60)}": there is no pool ${pool}`,
    why: names.length === 0 ? "the file has no lines of pools" : `the file has ${names.join(", ")}`,
    remedy: names.length === 0 ? "describe the site in the file" : "name one of them",
  });
}
