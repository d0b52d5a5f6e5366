/**
 * The facts of refusals, causes and hindrances as the API writes them.
 */
import { FACT_INSTANTS, type FactsView } from "../contract/index.ts";
import { isoInstant } from "./iso-instant.ts";

/** Facts with instants as text and lengths in seconds, at any depth; other values are unchanged. */
export function factsView<Facts>(facts: Facts): FactsView<Facts>;
export function factsView(facts: unknown): unknown {
  if (Array.isArray(facts)) return facts.map((item) => factsView(item));
  if (typeof facts !== "object" || facts === null) return facts;
  return Object.fromEntries(Object.entries(facts).map(([name, value]) => factOf(name, value)));
}

const instants: ReadonlyMap<string, string> = new Map(Object.entries(FACT_INSTANTS));

function factOf(name: string, value: unknown): readonly [string, unknown] {
  const instant = instants.get(name) ?? (name.endsWith("AtMs") ? name.slice(0, -2) : undefined);
  if (instant !== undefined) return [instant, typeof value === "number" ? isoInstant(value) : value];
  if (!name.endsWith("Ms") || name.endsWith("ProcMs")) return [name, factsView(value)];
  return [`${name.slice(0, -2)}Sec`, typeof value === "number" ? value / 1000 : value];
}
