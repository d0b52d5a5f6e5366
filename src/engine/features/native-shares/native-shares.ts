/**
 * Records of changes to a cluster's own shares: each change is recorded as ordered before any command runs,
 * and with its outcome afterwards (rule EN-82).
 */
import { accepted, refused } from "../../../base/index.ts";
import type { OrderedShareChange, Refusal } from "../../../model/index.ts";
import type { EventOf, Feature } from "../../feature.ts";
import { siteChange } from "../../site-change.ts";
import { ofGoneSite } from "../../state/outdated.ts";
import { type Projection, type RecordChange, siteOf } from "../../state/projection.ts";

export const nativeShares = {
  name: "native-shares",
  answers: {
    orderShares: ({ sites }, { site, order, changes, by }, nowMs) => {
      if (!sites.has(site)) return refused({ kind: "unknownSite", site, known: [...sites.keys()] });
      const named = changes.map((change, at) => ({ id: `${order}/${at + 1}`, change }));
      return accepted([{ kind: "sharesOrdered", site, by, changes: named, atMs: nowMs }]);
    },
    takeBackShares: ({ sites }, { site, changes, isForced, by }, nowMs) => {
      if (!sites.has(site)) return refused({ kind: "unknownSite", site, known: [...sites.keys()] });
      return accepted([{ kind: "sharesTakeBackOrdered", site, by, changes, isForced, atMs: nowMs }]);
    },
  },
  applies: {
    sharesOrdered: noteShares,
    sharesTakeBackOrdered: () => [],
    sharesAnswered: noteShares,
  },
  outdates: { sharesAnswered: ofGoneSite },
} as const satisfies Feature;

/** Records that changes to a cluster's own shares were ordered, or what came of them. */
function noteShares(
  projection: Projection,
  event: EventOf<"sharesOrdered"> | EventOf<"sharesAnswered">,
): readonly RecordChange[] {
  const site = siteOf(projection, event.site);
  site.orderedShares = orderedAfter(site.orderedShares, event);
  return [siteChange(site)];
}

/** Reason why a site cannot be removed: the record of how to revert its share changes would go with it. */
export function standingShares(
  site: string,
  { orderedShares }: { readonly orderedShares: readonly OrderedShareChange[] },
): Refusal | undefined {
  const count = orderedShares.length;
  return count === 0 ? undefined : { kind: "siteHasShares", site, count };
}

/** Share changes of a site after an event about them; reverted changes remain in the log only. */
function orderedAfter(
  before: readonly OrderedShareChange[],
  event: EventOf<"sharesOrdered"> | EventOf<"sharesAnswered">,
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
