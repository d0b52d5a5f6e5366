/**
 * Brokers elsewhere that keep the policies: what they say of themselves (rules EN-90, EN-91).
 */
import { accepted, type Result, refused } from "../../../base/index.ts";
import type { Command, PolicyFollower, Refusal, StintEvent } from "../../../model/index.ts";
import type { Projection, RecordChange } from "../../state.ts";
import { lastVersion } from "./policy-book.ts";

type Answer = Result<readonly StintEvent[], Refusal>;
type CommandOf<Kind> = Extract<Command, { kind: Kind }>;

/** A follower says which sites it has and which version it has taken over; the same again changes nothing. */
export function followPolicies(
  { followers, policies, sites: ours }: Projection,
  { follower, sites, version, by }: CommandOf<"followPolicies">,
  nowMs: number,
): Answer {
  const owner = sites.map((site) => ({ site, of: ownerOf(site, follower, { followers, ours }) }));
  const taken = owner.find(({ of }) => of !== undefined);
  if (taken?.of !== undefined) return refused({ kind: "siteOfAnother", site: taken.site, of: taken.of });
  const before = followers.get(follower);
  if (before !== undefined && before.by !== by) {
    return refused({ kind: "followerOfAnother", follower, by: before.by });
  }
  const last = lastVersion(policies);
  if (version !== null && version > last) return refused({ kind: "unknownVersion", version, last });
  const isSame = before?.version === version && before.sites.join(" ") === sites.join(" ");
  if (isSame) return accepted([]);
  return accepted([{ kind: "policiesFollowed", follower, sites, version, by, atMs: nowMs }]);
}

/** A follower is forgotten; its sites can then be no providers of new versions. */
export function unfollowPolicies(
  { followers }: Projection,
  { follower, by }: CommandOf<"unfollowPolicies">,
  nowMs: number,
): Answer {
  if (!followers.has(follower))
    return refused({ kind: "unknownFollower", follower, known: [...followers.keys()] });
  return accepted([{ kind: "policiesUnfollowed", follower, by, atMs: nowMs }]);
}

/** Takes over what was said. */
export function applyFollowed(
  { followers }: Projection,
  event: Extract<StintEvent, { kind: "policiesFollowed" | "policiesUnfollowed" }>,
): RecordChange[] {
  const { follower: name } = event;
  if (event.kind === "policiesUnfollowed") {
    followers.delete(name);
    return [{ kind: "followerGone", name }];
  }
  const { sites, version, by, atMs: sinceMs } = event;
  const record: PolicyFollower = { name, sites, version, sinceMs, by };
  followers.set(name, record);
  return [{ kind: "follower", record }];
}

/** The sites that policies may name: ours, and those of whoever follows. */
export function providerSites({
  sites,
  followers,
}: Pick<Projection, "sites" | "followers">): readonly string[] {
  return [...sites.keys(), ...[...followers.values()].flatMap((follower) => follower.sites)];
}

/** Whose a site is, where it is not the follower's. */
function ownerOf(
  site: string,
  follower: string,
  { followers, ours }: { readonly followers: Projection["followers"]; readonly ours: Projection["sites"] },
): string | undefined {
  if (ours.has(site)) return "this broker";
  return [...followers.values()].find(({ name, sites }) => name !== follower && sites.includes(site))?.name;
}
