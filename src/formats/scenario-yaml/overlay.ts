/**
 * Lays other values over a site as it was written, before anybody reads it.
 *
 * A word replaces the whole of what stood there; a path (`workload.load`) replaces one thing in it. So a
 * variant is read by the same reader as the site, and what is wrong with it is told where the variant
 * says it (rule FO-42).
 */
import type { Entry, MappingValue } from "../yaml/index.ts";
import { isLines } from "./read-workload.ts";

/** Words of which a site has one: to give the one takes the other away. */
const INSTEAD_OF: Readonly<Record<string, string>> = { procs: "pools", pools: "procs" };

/** The site with these entries laid over it, in their order. */
export function overlaid(site: MappingValue, entries: readonly Entry[]): MappingValue {
  const whole = entries.reduce((under, entry) => laidOver(under, entry, entry.key.split(".")), site);
  return bringsItsMachine(entries) ? withoutMachine(whole, entries) : whole;
}

/** Whether the workload that is laid over describes pools itself, in place of those of the site. */
function bringsItsMachine(entries: readonly Entry[]): boolean {
  const traces = entries.flatMap(({ key, value }) => {
    if (key === "workload.trace") return [value];
    if (key !== "workload" || value.kind !== "mapping") return [];
    return value.entries.filter((inner) => inner.key === "trace").map((inner) => inner.value);
  });
  return traces.some((trace) => trace.kind === "scalar" && isLines(trace.text));
}

function withoutMachine(site: MappingValue, laid: readonly Entry[]): MappingValue {
  const isKept = ({ key }: Entry): boolean => !(key in INSTEAD_OF) || laid.some((entry) => entry.key === key);
  return { ...site, entries: site.entries.filter(isKept) };
}

function laidOver(under: MappingValue, entry: Entry, [word, ...path]: readonly string[]): MappingValue {
  const others = under.entries.filter(({ key }) => key !== word && key !== INSTEAD_OF[word]);
  const there = under.entries.find(({ key }) => key === word)?.value;
  const { keyAt, value } = entry;
  if (path.length === 0) return { ...under, entries: [...others, { key: word, keyAt, value }] };
  const inner: MappingValue = there?.kind === "mapping" ? there : { kind: "mapping", at: keyAt, entries: [] };
  return { ...under, entries: [...others, { key: word, keyAt, value: laidOver(inner, entry, path) }] };
}
