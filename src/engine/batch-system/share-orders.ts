/**
 * Changes of a cluster's own shares on record: ordered before anything is run, and what came of each
 * (rule EN-82).
 */
import { accepted, type Result, refused } from "../../base/index.ts";
import type { Command, OrderedShareChange, Refusal, StintEvent } from "../../model/index.ts";

type Sites = ReadonlyMap<string, { orderedShares: readonly OrderedShareChange[] }>;
type Answer = Result<readonly StintEvent[], Refusal>;
type ResourceRequest<Kind> = Extract<Command, { kind: Kind }>;

/** Changes are to be made, or those that were made are to be taken back. */
export function orderShares(
  sites: Sites,
  request: ResourceRequest<"orderShares" | "takeBackShares">,
  nowMs: number,
): Answer {
  const { site, by } = request;
  if (!sites.has(site)) return refused({ kind: "unknownSite", site, known: [...sites.keys()] });
  if (request.kind === "takeBackShares") {
    const { changes, isForced } = request;
    return accepted([{ kind: "sharesTakeBackOrdered", site, by, changes, isForced, atMs: nowMs }]);
  }
  const changes = request.changes.map((change, at) => ({ id: `${request.order}/${at + 1}`, change }));
  return accepted([{ kind: "sharesOrdered", site, by, changes, atMs: nowMs }]);
}

/** Why a site cannot be removed: nobody would know any more what takes its changes back. */
export function standingShares(
  site: string,
  { orderedShares }: { readonly orderedShares: readonly OrderedShareChange[] },
): Refusal | undefined {
  const count = orderedShares.length;
  return count === 0 ? undefined : { kind: "siteHasShares", site, count };
}

/** The changes of a site after an event about them; those that are gone are on the log alone. */
export function orderedAfter(
  before: readonly OrderedShareChange[],
  event: Extract<StintEvent, { kind: "sharesOrdered" | "sharesAnswered" }>,
): readonly OrderedShareChange[] {
  if (event.kind === "sharesOrdered") {
    return [...before, ...event.changes.map((it) => ({ ...it, standing: "ordered" as const, why: null }))];
  }
  const outcomes = new Map(event.outcomes.map((outcome) => [outcome.id, outcome]));
  return before.flatMap((ordered) => {
    const { standing, why } = outcomes.get(ordered.id) ?? ordered;
    return standing === "gone" ? [] : [{ ...ordered, standing, why }];
  });
}
