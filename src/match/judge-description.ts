/** Errors in the expressions of a description, found before the job is accepted. */
import {
  type ClassAd,
  type ClassAdProblem,
  childrenOf,
  clausesOf,
  evaluate,
  keyOf,
  type Node,
  parseExpression,
  truthOf,
  unparse,
  valueText,
} from "../classad/index.ts";
import type { JobDescription } from "../model/index.ts";
import { type ExcludingClauses, excludingClauses } from "./excluding-clauses.ts";
import { isDataCost, type JobDescribed, jobAdOf, plainAttributes, requirementsOf } from "./job-ad.ts";

/** Why a description is not accepted; line and column are of the expression, from 1. */
type DescriptionProblem =
  | ({ readonly kind: "unreadableExpression"; readonly attribute: string } & Omit<ClassAdProblem, "code">)
  | { readonly kind: "attributeTwice"; readonly attribute: string; readonly also: string }
  | { readonly kind: "neverTrue"; readonly clause: string; readonly value: string }
  | ({ readonly kind: "clausesExclude" } & ExcludingClauses)
  | { readonly kind: "dataCostRank"; readonly attribute: "rank"; readonly why: "notAlone" | "noData" };

/** That what a job may get in a retry is not larger than what it asks for; bytes, or ms. */
interface UselessRetry {
  readonly kind: "retryNotLarger";
  readonly attribute: "retryMemory" | "retryTime";
  readonly has: number;
  readonly most: number;
}

/** The first problem of the expressions (rules MT-1, MT-2). */
export function problemOfDescription(job: JobDescribed): DescriptionProblem | undefined {
  const { requirements, rank, attributes, hostNumber } = job.description;
  // Most jobs have none, and are judged a thousand a second.
  if ([requirements, rank, attributes, hostNumber].every((one) => one === undefined)) return undefined;
  return unreadable(job) ?? dataCostRank(job) ?? givenTwice(job) ?? neverTrue(job);
}

/** A rank by the cost of data that has more in it, or of a job without input data (rule MT-9). */
function dataCostRank({ description: { rank, inputData } }: JobDescribed): DescriptionProblem | undefined {
  if (rank === undefined || !/\bDataAccessCost\b/i.test(rank)) return undefined;
  if (!isDataCost(rank)) return { kind: "dataCostRank", attribute: "rank", why: "notAlone" };
  return inputData === undefined ? { kind: "dataCostRank", attribute: "rank", why: "noData" } : undefined;
}

/** A larger amount after a death for lack of it that is no more than what the job asks for. */
export function uselessRetry({
  memoryBytes = 0,
  wallTimeMs = 0,
  retryMemoryBytes = Number.POSITIVE_INFINITY,
  retryTimeMs = Number.POSITIVE_INFINITY,
}: JobDescription): UselessRetry | undefined {
  const kind = "retryNotLarger";
  if (retryMemoryBytes <= memoryBytes) {
    return { kind, attribute: "retryMemory", has: memoryBytes, most: retryMemoryBytes };
  }
  if (retryTimeMs > wallTimeMs) return undefined;
  return { kind, attribute: "retryTime", has: wallTimeMs, most: retryTimeMs };
}

function unreadable({ description }: JobDescribed): DescriptionProblem | undefined {
  const { requirements, rank, attributes = {} } = description;
  for (const [attribute, text] of Object.entries({ requirements, rank, ...attributes })) {
    const read = text === undefined ? undefined : parseExpression(text);
    if (read === undefined || read.ok) continue;
    const { line, column, what, why, remedy } = read.refusal;
    return { kind: "unreadableExpression", attribute, line, column, what, why, remedy };
  }
  return undefined;
}

function givenTwice(job: JobDescribed): DescriptionProblem | undefined {
  const known = [...Object.keys(plainAttributes(job)), "Requirements", "Rank"];
  const names = new Map(known.map((name) => [keyOf(name), name]));
  for (const attribute of Object.keys(job.description.attributes ?? {})) {
    const also = names.get(keyOf(attribute));
    if (also !== undefined) return { kind: "attributeTwice", attribute, also };
    names.set(keyOf(attribute), attribute);
  }
  return undefined;
}

/**
 * The first operand of `&&` that depends on the job alone and is not true, or two that exclude each other
 * (rule MT-2).
 */
function neverTrue(job: JobDescribed): DescriptionProblem | undefined {
  const read = parseExpression(requirementsOf(job.description));
  if (!read.ok) return undefined;
  const ad = jobAdOf(job);
  for (const clause of clausesOf(read.value.node)) {
    if (!isSettled(clause, ad, new Set())) continue;
    const text = unparse(clause);
    const one = parseExpression(text);
    const value = one.ok ? evaluate(one.value, { self: ad }) : undefined;
    if (value === undefined || truthOf(value) === true) continue;
    return { kind: "neverTrue", clause: text, value: valueText(value) };
  }
  const excluding = excludingClauses(read.value.node, ad);
  return excluding === undefined ? undefined : { kind: "clausesExclude", ...excluding };
}

/** Functions whose value depends on more than the values of their operands. */
const UNSETTLED_FUNCTIONS: ReadonlySet<string> = new Set([
  ...["random", "time", "currenttime", "timezoneoffset", "daytime", "abstime", "formattime"],
  ...["eval", "unparse", "unresolved", "evalineachcontext", "countmatches"],
]);

/** True where the value depends on the job's ad alone. */
function isSettled(node: Node, ad: ClassAd, inProgress: ReadonlySet<string>): boolean {
  switch (node.kind) {
    case "reference":
    case "absolute":
      return isSettledName(node.key, ad, inProgress);
    case "scope":
    case "record":
      return false;
    case "select": {
      if (node.of.kind !== "scope") return isSettled(node.of, ad, inProgress);
      return node.of.scope === "self" && isSettledName(node.key, ad, inProgress);
    }
    case "call":
      if (UNSETTLED_FUNCTIONS.has(node.key)) return false;
      break;
    default:
  }
  return childrenOf(node).every((child) => isSettled(child, ad, inProgress));
}

/** A name that the job's ad lacks may be one of the other ad; one that refers to itself is `error`. */
function isSettledName(key: string, ad: ClassAd, inProgress: ReadonlySet<string>): boolean {
  const attribute = ad.attributes.get(key);
  if (attribute === undefined) return false;
  return inProgress.has(key) || isSettled(attribute.node, ad, new Set([...inProgress, key]));
}
