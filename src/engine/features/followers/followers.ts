/**
 * Followers: brokers elsewhere that enforce the policies, the sites they report, and the version they apply.
 *
 * A site belongs to one broker, and a follower's name to the caller who used it first. Policies in force that
 * name a follower's sites stay when it is forgotten; new versions may not name them.
 */
import { accepted, refused } from "../../../base/index.ts";
import type { Answer, CommandOf, Feature } from "../../feature.ts";
import { erased, written } from "../../state/books.ts";
import { lastVersion } from "../../state/policy-book.ts";
import type { Projection } from "../../state/projection.ts";

export const followers = {
  name: "followers",
  answers: { followPolicies, unfollowPolicies },
  hears: {
    followPolicies: ({ heardAtMs }, { follower }, nowMs) => {
      heardAtMs.set(heardName(follower), nowMs);
    },
  },
  applies: {
    policiesFollowed: ({ providers }, { follower: name, sites, version, atMs: sinceMs, by }) => {
      providers.set(name, sites);
      return [written("followers", { name, sites, version, sinceMs, by })];
    },
    policiesUnfollowed: ({ providers }, { follower: name }) => {
      providers.delete(name);
      return [erased("followers", name)];
    },
  },
  queries: {
    /** Followers by name, each with the time at which it was last heard from since this broker started. */
    followers: ({ books, heardAtMs }: Projection) =>
      [...books.followers.values()]
        .sort((one, other) => (one.name < other.name ? -1 : 1))
        .map((record) => ({ ...record, heardAtMs: heardAtMs.get(heardName(record.name)) ?? null })),
  },
  resume: ({ books, providers }) => {
    for (const { name, sites } of books.followers.values()) providers.set(name, sites);
  },
} as const satisfies Feature;

function heardName(follower: string): string {
  return `followers ${follower}`;
}

/**
 * Records which sites a follower has and which policy version it applies; an equal report changes nothing.
 */
function followPolicies(
  { books: { followers }, policies, providers, sites: ours }: Projection,
  { follower, sites, version, by }: CommandOf<"followPolicies">,
  nowMs: number,
): Answer {
  const owner = sites.map((site) => ({ site, of: ownerOf(site, follower, { providers, ours }) }));
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

/** Removes a follower; new policy versions can then no longer name its sites as providers. */
function unfollowPolicies(
  { books: { followers } }: Projection,
  { follower, by }: CommandOf<"unfollowPolicies">,
  nowMs: number,
): Answer {
  if (!followers.has(follower))
    return refused({ kind: "unknownFollower", follower, known: [...followers.keys()] });
  return accepted([{ kind: "policiesUnfollowed", follower, by, atMs: nowMs }]);
}

/** Owner of a site that does not belong to the follower. */
function ownerOf(
  site: string,
  follower: string,
  { providers, ours }: { readonly providers: Projection["providers"]; readonly ours: Projection["sites"] },
): string | undefined {
  if (ours.has(site)) return "this broker";
  const other = [...providers].find(([name, sites]) => name !== follower && sites.includes(site));
  return other?.[0];
}
