/**
 * Brokers elsewhere that keep the usage policies of this one.
 */
import { some } from "../../base/index.ts";
import type { FeatureModel } from "../feature.ts";

/** A broker that has asked for the policies, and which of them its sites go by. */
interface PolicyFollower {
  /** As it calls itself. */
  readonly name: string;
  /** Sites of the follower: policies may name them as providers. */
  readonly sites: readonly string[];
  /** The last version that it has taken over; null before the first. */
  readonly version: number | null;
  /** Since when both are so; Unix ms. */
  readonly sinceMs: number;
  readonly by: string;
}

interface Followed {
  readonly follower: string;
  readonly sites: readonly string[];
  readonly version: number | null;
  readonly by: string;
}

interface FollowersTypes {
  readonly command: /** A broker elsewhere keeps the policies. */
    | ({ readonly kind: "followPolicies" } & Followed)
    | { readonly kind: "unfollowPolicies"; readonly follower: string; readonly by: string };
  readonly event:
    | ({ readonly kind: "policiesFollowed" } & Followed)
    | { readonly kind: "policiesUnfollowed"; readonly follower: string; readonly by: string };
  readonly refusal: /** One of its sites is somebody else's. */
    | { readonly kind: "siteOfAnother"; readonly site: string; readonly of: string }
    /** There is one of that name already, of somebody else. */
    | { readonly kind: "followerOfAnother"; readonly follower: string; readonly by: string }
    | { readonly kind: "unknownVersion"; readonly version: number; readonly last: number }
    | {
        readonly kind: "unknownFollower";
        readonly follower: string;
        readonly known: readonly string[];
      };
  readonly books: { readonly followers: PolicyFollower };
  readonly role: "follower";
  readonly action: "followPolicy";
}

export const followers: FeatureModel<FollowersTypes> = {
  events: { policiesFollowed: 1, policiesUnfollowed: 1 },
  refusals: {
    siteOfAnother: {
      status: 409,
      text: ({ site, of }) => ({
        what: `${site} cannot be a site of this follower`,
        why: `${of} has a site of that name, and policies identify sites by name alone`,
        remedy: "rename one of the two",
      }),
    },
    followerOfAnother: {
      status: 409,
      text: ({ follower, by }) => ({
        what: `there is a follower ${follower} already`,
        why: `it was registered by ${by}`,
        remedy: "choose another name, or have an admin remove that one (stint policy unfollow)",
      }),
    },
    unknownVersion: {
      status: 409,
      text: ({ version, last }) => ({
        what: `there is no version ${version} of the policies`,
        why: `the last one is ${last}`,
        remedy: "use one of the versions here (`stint policy show`)",
      }),
    },
    unknownFollower: {
      status: 404,
      text: ({ follower, known }) => ({
        what: `there is no follower ${follower}`,
        why: known.length === 0 ? "the policies have no followers" : `the followers are ${some([...known])}`,
        remedy: "see `stint policy show`",
      }),
    },
  },
  books: { followers: ({ name }) => name },
  // A broker elsewhere takes over the policies and says so, and learns nothing else.
  roles: { follower: { may: { seePolicy: "all" } } },
  actions: { followPolicy: { may: { admin: "all", follower: "all" } } },
};
