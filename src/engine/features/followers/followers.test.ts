import { describe, expect, it } from "vitest";
import { NOTHING_STORED } from "../../../../test/engine-scene.ts";
import type { Command, Policy } from "../../../model/index.ts";
import { POLICY_DEFAULTS } from "../../../model/index.ts";
import { answer, apply, restore } from "../../register.ts";
import type { Projection } from "../../state/projection.ts";

const AT = 1_000_000;

/** Answers and applies; gives what was answered. */
function told(projection: Projection, command: Command) {
  const answered = answer(projection, command, AT);
  const changes = answered.ok ? answered.value.flatMap((event) => apply(projection, event)) : [];
  return { answered, changes };
}

const follow = (
  follower: string,
  sites: readonly string[],
  version: number | null = null,
  by = follower,
): Command => ({ kind: "followPolicies", follower, sites, version, by });

function applying(provider: string): Command {
  const policy: Policy = {
    ...{ resource: "cpu", provider, consumer: "atlas" },
    epoch: { window: { kind: "sliding", lengthMs: 1000 }, sharePpm: 100_000 },
    burst: { bucketMs: 1000, sharePpm: 200_000 },
    ...{ rule: POLICY_DEFAULTS.rule, mode: POLICY_DEFAULTS.mode, carry: POLICY_DEFAULTS.carry },
  };
  const request = {
    kind: "applyPolicies",
    policies: [policy],
    effectiveFromMs: null,
    onVersion: null,
  } as const;
  return { ...request, by: "ann", note: "" };
}

describe("followers of the policies", () => {
  it("their reports are recorded when they change, and their sites may be providers", () => {
    const projection = restore(NOTHING_STORED, AT);
    expect(told(projection, applying("far")).answered).toMatchObject({
      refusal: { kind: "unknownProvider" },
    });
    expect(told(projection, follow("east", ["far"])).changes).toEqual([
      {
        ...{ kind: "book", book: "followers", key: "east" },
        record: { name: "east", sites: ["far"], version: null, sinceMs: AT, by: "east" },
      },
    ]);
    expect(told(projection, follow("east", ["far"])).answered).toMatchObject({ ok: true, value: [] });
    expect(told(projection, applying("far")).answered.ok).toBe(true);
    expect(told(projection, follow("east", ["far"], 1)).changes).toMatchObject([{ record: { version: 1 } }]);
  });

  it("a site belongs to one broker, a name to its first user, and a version must exist", () => {
    const projection = restore(NOTHING_STORED, AT);
    told(projection, follow("east", ["far"]));
    expect(told(projection, follow("west", ["near", "far"])).answered).toMatchObject({
      refusal: { kind: "siteOfAnother", site: "far", of: "east" },
    });
    expect(told(projection, follow("east", [], null, "eve")).answered).toMatchObject({
      refusal: { kind: "followerOfAnother", by: "east" },
    });
    expect(told(projection, follow("east", ["far"], 1)).answered).toMatchObject({
      refusal: { kind: "unknownVersion", version: 1, last: 0 },
    });
  });

  it("a forgotten one is not listed, and new versions may not name its sites", () => {
    const projection = restore(NOTHING_STORED, AT);
    told(projection, follow("east", ["far"]));
    told(projection, applying("far"));
    const forget: Command = { kind: "unfollowPolicies", follower: "east", by: "ann" };
    expect(told(projection, forget).changes).toEqual([{ kind: "book", book: "followers", key: "east" }]);
    expect(projection.policies.versions).toHaveLength(1);
    expect(told(projection, applying("far")).answered.ok).toBe(false);
    expect(told(projection, forget).answered).toMatchObject({ refusal: { kind: "unknownFollower" } });
  });

  it("they are kept over a restart", () => {
    const record = { name: "east", sites: ["far"], version: 3, sinceMs: 5, by: "e" };
    const projection = restore({ ...NOTHING_STORED, followers: [record] }, AT);
    expect(projection.books.followers.get("east")).toEqual(record);
  });
});
