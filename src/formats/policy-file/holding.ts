/** The policies of a reading that a broker is to apply from an instant on, at its sites. */
import { networkBytesPerSecOf, storageBytesOf } from "../../model/index.ts";
import type { Remark } from "../yaml/index.ts";
import { excessNowAndLater, type OverProvisionRow } from "./over-provisioned.ts";
import { type PolicyReading, policiesAt } from "./read.ts";
import type { WrittenPolicy } from "./settle.ts";
import type { NamedSite } from "./site-remarks.ts";

/** A site that policies may name; the capacity of another broker's site is unknown here. */
export interface HeldPlace {
  readonly name: string;
  readonly procs?: number;
  readonly memory?: number;
  /** Total of its stores, in bytes, and of its links, in bytes per second; absent where it declares none. */
  readonly storage?: number;
  readonly network?: number;
}

/** The policies in force at an instant, with problems and warnings in the order of the texts. */
export interface Holding extends Pick<PolicyReading, "remarks"> {
  readonly policies: readonly WrittenPolicy[];
  readonly overProvisioned: readonly OverProvisionRow[];
}

/** A site as a place of policies. */
export function heldPlace({ name, spec }: NamedSite): HeldPlace {
  const [storage, network] = [storageBytesOf(spec), networkBytesPerSecOf(spec)];
  return {
    ...{ name, procs: spec.procs, memory: spec.memoryBytes },
    ...(storage > 0 && { storage }),
    ...(network > 0 && { network }),
  };
}

/** Policies in force at the instant, and warnings about those of other times and those without effect. */
export function holdingAt(
  { policies, remarks }: PolicyReading,
  { atMs, places }: { readonly atMs: number; readonly places: readonly HeldPlace[] },
): Holding {
  const holding = policiesAt(policies, atMs);
  const told = [
    ...policies.flatMap((one) => datedRemarks(one, atMs)),
    ...holding.flatMap((one) => idleRemarks(one, places)),
  ];
  return {
    policies: holding,
    remarks: remarks.map(({ problems, warnings }, index) => ({
      problems,
      warnings: [...warnings, ...told.flatMap(({ source, remark }) => (source === index ? [remark] : []))],
    })),
    overProvisioned: excessNowAndLater(holding.map(timeless), atMs),
  };
}

/**
 * Warnings about policies that begin or end later: a version contains only what is in force at its start.
 */
function datedRemarks({ source, line, policy, fromMs, untilMs }: WrittenPolicy, atMs: number) {
  const { provider, consumer } = policy;
  const remark = (code: string, what: string, dateMs: number): { source: number; remark: Remark } => {
    const date = new Date(dateMs).toISOString();
    const why = "a version holds until the next is applied";
    const remedy = `apply the files again with --from ${date}`;
    return { source, remark: { line, code, what: `${what} ${date}`, why, remedy } };
  };
  const who = `what ${consumer} has of ${provider}`;
  if (fromMs !== null && fromMs > atMs) return [remark("holdsLater", `${who} begins only at`, fromMs)];
  if (untilMs !== null && untilMs > atMs) return [remark("endsLater", `${who} ends at`, untilMs)];
  return [];
}

/** Warnings about shares of resources that no site here declares, which have no effect. */
function idleRemarks({ source, line, policy }: WrittenPolicy, places: readonly HeldPlace[]) {
  const { resource, provider, consumer } = policy;
  if (resource !== "storage" && resource !== "network") return [];
  const site = places.find(({ name, procs }) => name === provider && procs !== undefined);
  if (site === undefined || site[resource] !== undefined) return [];
  const kind = resource === "storage" ? "stores" : "links";
  const remark: Remark = {
    line,
    code: "nothingToEnforce",
    what: `the ${resource} share of ${consumer} at ${provider} limits nothing`,
    why: `${provider} declares no ${kind}`,
    remedy: `declare them: ${kind} of the site in stint.yaml, or stint site add --${kind}`,
  };
  return [{ source, remark }];
}

function timeless(one: WrittenPolicy): WrittenPolicy {
  return { ...one, fromMs: null, untilMs: null };
}
