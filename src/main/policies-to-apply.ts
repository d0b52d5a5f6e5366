/** Policies of files that a broker is to apply from an instant on, at its sites. */
import type { HoldingPolicies, HoldingQuestion } from "../cli/index.ts";
import {
  knownFrom,
  longForm,
  policiesAt,
  readPolicyFiles,
  type WrittenPolicy,
} from "../formats/policy-file/index.ts";
import type { Remark } from "../formats/yaml/index.ts";
import { excessNowAndLater } from "./policy-files.ts";

/** Policies in force at the instant, errors of the files, and warnings about policies for other times. */
export async function policiesToApply({ files, atMs, places }: HoldingQuestion): Promise<HoldingPolicies> {
  const known = knownFrom(places.map(({ name, ...capacity }) => ({ name, capacity })));
  const { policies, remarks } = await readPolicyFiles(files, known);
  const holding = policiesAt(policies, atMs);
  const told = [
    ...policies.flatMap((one) => datedRemarks(one, atMs)),
    ...holding.flatMap((one) => idleRemarks(one, places)),
  ];
  return {
    files: files.map((file, index) => ({
      ...{ file, problems: remarks[index].problems },
      warnings: [
        ...remarks[index].warnings,
        ...told.flatMap(({ source, remark }) => (source === index ? [remark] : [])),
      ],
    })),
    policies: holding.map((one) => ({ policy: one.policy, form: longForm(one.policy, one) })),
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
function idleRemarks({ source, line, policy }: WrittenPolicy, places: HoldingQuestion["places"]) {
  const { resource, provider, consumer } = policy;
  if (resource !== "storage" && resource !== "network") return [];
  const site = places.find(({ name, procs }) => name === provider && procs !== undefined);
  if (site === undefined || site[resource] !== undefined) return [];
  const kind = resource === "storage" ? "stores" : "links";
  const remark: Remark = {
    line,
    code: "nothingToEnforce",
    what: `what ${consumer} has of the ${resource} of ${provider} limits nothing`,
    why: `${provider} declares no ${kind}`,
    remedy: `say which it has: ${kind} of the site in stint.yaml, or stint site add --${kind}`,
  };
  return [{ source, remark }];
}

function timeless(one: WrittenPolicy): WrittenPolicy {
  return { ...one, fromMs: null, untilMs: null };
}
