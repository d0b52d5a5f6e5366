/**
 * The system's own reason beside ours: what it means, and whether the two agree.
 *
 * A system names one reason of several, and the one that it last looked at, so a reason of ours that it
 * does not name is no disagreement; one of its that we do not see is.
 */
import type { ClusterJob } from "../../model/index.ts";
import type { Blocker, SystemWord } from "./blocker.ts";

/** The system's own reason, compared with the computed blockers. */
export function systemWord(
  { reason, waitsFor }: Pick<ClusterJob, "reason" | "waitsFor">,
  blockers: readonly Blocker[],
): SystemWord {
  if (reason === null || waitsFor === null) return { reason, agreement: "none" };
  const { kinds } = waitsFor;
  if (kinds.length === 0) return { reason, agreement: "unread" };
  const isOurs = blockers.some((ours) => kinds.some((kind) => kind === ours.kind));
  return { reason, agreement: isOurs ? "same" : "different" };
}

/** A limit that only the system knows: whose it is and of what, as far as its reason tells. */
export function limitOnlySaid(
  { waitsFor }: Pick<ClusterJob, "waitsFor">,
  blockers: readonly Blocker[],
): readonly Blocker[] {
  if (waitsFor === null || waitsFor.limit === null || blockers.some(({ kind }) => kind === "limit"))
    return [];
  const facts = { name: null, used: null, limit: null, wanted: null, isAlone: false };
  return [{ kind: "limit", ...waitsFor.limit, ...facts, remedies: [{ kind: "wait" }] }];
}
