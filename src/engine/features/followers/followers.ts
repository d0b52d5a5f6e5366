/**
 * Brokers elsewhere that keep the policies: what they say of themselves (rules EN-90, EN-91).
 */
import { accepted, refused } from "../../../base/index.ts";
import type { PolicyFollower } from "../../../model/index.ts";
import type { Answer, CommandOf, Feature } from "../../feature.ts";
import { lastVersion } from "../../state/policy-book.ts";
import type { Projection } from "../../state/projection.ts";

export const followers = {
  name: "followers",
  answers: { followPolicies, unfollowPolicies },
  applies: {
    policiesFollowed: (projection, { follower: name, sites, version, atMs: sinceMs, by }) => {
      const record: PolicyFollower = { name, sites, version, sinceMs, by };
      projection.followers.set(name, record);
      return [{ kind: "follower", record }];
    },
    policiesUnfollowed: (projection, { follower: name }) => {
      projection.followers.delete(name);
      return [{ kind: "followerGone", name }];
    },
  },
  views: [{ name: "followers", columns: {}, isReadWhole: true }],
  rows: {
    follower: ({ record }) => ({ view: "followers", key: record.name, record, columns: {} }),
    followerGone: ({ name: key }) => ({ view: "followers", key, record: undefined, columns: {} }),
  },
  restore: (projection, { followers = [] }) => {
    for (const record of followers) projection.followers.set(record.name, record);
  },
} as const satisfies Feature;

/** A follower says which sites it has and which version it has taken over; the same again changes nothing. */
function followPolicies(
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
function unfollowPolicies(
  { followers }: Projection,
  { follower, by }: CommandOf<"unfollowPolicies">,
  nowMs: number,
): Answer {
  if (!followers.has(follower))
    return refused({ kind: "unknownFollower", follower, known: [...followers.keys()] });
  return accepted([{ kind: "policiesUnfollowed", follower, by, atMs: nowMs }]);
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
