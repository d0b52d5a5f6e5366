/**
 * The policies of files that a broker is to go by from an instant on, at the sites that it has.
 */
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

/** Those that hold then, what is wrong with the files, and what is odd: others that hold at other times. */
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

/** A version is all that holds from an instant on: what begins or ends later is another one. */
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

/** A share of what a site here never declared is enforced on nothing. */
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
