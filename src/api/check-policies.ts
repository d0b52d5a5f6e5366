/** Checks policies, as text or as entries, for the sites of this broker; applies nothing. */
import type { PolicyCheckRequest, PolicyCheckView } from "../contract/index.ts";
import {
  changesBetween,
  heldPlace,
  holdingAt,
  knownFrom,
  longForm,
  policyText,
  readPolicies,
  siteRemarks,
} from "../formats/policy-file/index.ts";
import type { Remark } from "../formats/yaml/index.ts";
import { inMilliseconds, inSeconds, type Policy } from "../model/index.ts";
import type { BrokerApi } from "../runtime/index.ts";
import { instantGiven } from "./instant-given.ts";
import { invalid } from "./validator.ts";

/** Policies to check, as a caller gives them. */
interface CheckQuestion {
  readonly request: PolicyCheckRequest;
  readonly caller: string;
  readonly nowMs: number;
}

type Finding = PolicyCheckView["findings"][number];

/**
 * Result of parsing policies: errors, and differences from the latest version.
 *
 * Entries are checked by the text that they make, so that both have the same checks.
 *
 * @throws ProblemError `invalidRequest` for a text and policies at once, or a date that does not exist
 */
export function checkPolicies(
  brokerApi: Pick<BrokerApi, "query" | "sites">,
  { request, caller, nowMs }: CheckQuestion,
): PolicyCheckView {
  const { text: given, policies: entries, effectiveFrom } = request;
  if (given !== undefined && entries !== undefined) {
    throw invalid([{ pointer: "/policies", detail: "a text or policies, not both" }]);
  }
  const { now, coming } = brokerApi.query("policies");
  const last = coming.at(-1) ?? now;
  const before = last?.policies ?? [];
  const written = policyText(entries === undefined ? before : inMilliseconds(entries));
  const text = given ?? written.text;
  const atMs =
    effectiveFrom === undefined ? nowMs : instantGiven(effectiveFrom, { pointer: "/effectiveFrom" });
  const sites = brokerApi.sites();
  const places = [...sites.map(heldPlace), ...placesElsewhere(brokerApi, sites)];
  // A file may say nothing at all; a version with nothing is what ends all policies.
  const isEmpty = given === undefined && written.lines.length === 0;
  const reading = readPolicies(
    isEmpty ? [] : [text],
    knownFrom(places.map(({ name, ...capacity }) => ({ name, capacity }))),
  );
  const { policies, remarks, overProvisioned } = holdingAt(reading, { atMs, places });
  const after = policies.map(({ policy }) => policy);
  const lines = entries === undefined ? [] : written.lines;
  const findings = [
    ...remarks.flatMap(({ problems }) => problems.map((it) => finding("error", it, lines))),
    ...remarks.flatMap(({ warnings }) => warnings.map((it) => finding("warning", it, lines))),
    ...siteRemarks(sites, { caller, before, after }).map((it) => finding("warning", it, lines)),
  ];
  const ok = findings.every(({ severity }) => severity !== "error");
  return {
    ...{ ok, onVersion: last?.version ?? 0, findings },
    policies: inSeconds(after),
    lines: policies.map(({ line }) => line),
    changes: changesBetween(formsOf(before), formsOf(after)),
    overProvisioned: overProvisioned.map(({ fromMs: _, ...row }) => row),
    text,
  };
}

function placesElsewhere({ query }: Pick<BrokerApi, "query">, sites: readonly { readonly name: string }[]) {
  const here = new Set(sites.map(({ name }) => name));
  return query("providers")
    .filter((name) => !here.has(name))
    .map((name) => ({ name }));
}

/** A finding; in a text that was made of entries, with the entry that it is about. */
function finding(severity: Finding["severity"], remark: Remark, lines: readonly number[]): Finding {
  const { code, line, column, what, why, remedy } = remark;
  const entry = lines.indexOf(Math.max(...lines.filter((begin) => begin <= (line ?? 0))));
  return {
    severity,
    ...(line !== undefined && { line }),
    ...(column !== undefined && { column }),
    ...(entry >= 0 && { pointer: `/policies/${entry}` }),
    ...{ code, what, why, remedy },
  };
}

function formsOf(policies: readonly Policy[]) {
  return policies.map((policy) => longForm(policy, { fromMs: null, untilMs: null }));
}
