import { describe, expect, it } from "vitest";
import type { PolicyEntry } from "../api/client/index.ts";
import { inSeconds, POLICY_DEFAULTS } from "../model/index.ts";
import { merged, takenIn } from "./policy-follow.ts";

const policy = (provider: string, consumer: string, percent = 20): PolicyEntry => ({
  ...inSeconds(POLICY_DEFAULTS),
  ...{ provider, consumer },
  epoch: { window: { kind: "sliding", lengthSec: 3600 }, sharePpm: percent * 10_000 },
});
const told = (policies: readonly PolicyEntry[]) =>
  policies.map(({ provider, consumer }) => `${provider} ${consumer}`);

const sites = ["west", "east", "south"];
const HUB = "http://127.0.0.1:7900";
const OTHER = "https://other.example.org";

describe("the policies of a followed broker, beside those that hold here", () => {
  it("replace those of its sites, with what their consumers hand on; the others stay", () => {
    const ours = [policy("west", "old"), policy("east", "cms"), policy("cms", "cms/top")];
    const theirs = [policy("west", "atlas"), policy("atlas", "atlas/top"), policy("elsewhere", "cms")];
    const made = merged({ taken: { version: 3, url: HUB }, theirs, ours, note: "by hand", sites });
    expect(told(made.policies)).toEqual(["west atlas", "atlas atlas/top", "east cms", "cms cms/top"]);
    expect([made.theirs, made.note]).toEqual([2, `version 3 of ${HUB} for west`]);
  });

  it("a site of which it says nothing any more has none of it; what both hand on is as it is there", () => {
    const note = `version 3 of ${HUB} for west,south`;
    const ours = [policy("west", "cms"), policy("south", "cms"), policy("east", "cms")];
    const handed = policy("cms", "cms/top", 40);
    const made = merged({
      ...{ taken: { version: 4, url: HUB }, note, sites },
      theirs: [policy("west", "cms"), handed],
      ours: [...ours, policy("cms", "cms/top", 10)],
    });
    expect(told(made.policies)).toEqual(["west cms", "cms cms/top", "east cms"]);
    expect(made.policies).toContain(handed);
  });

  it("two brokers that are followed do not take turns: the note has both", () => {
    const hub = { version: 3, url: HUB, sites: ["west"] };
    const first = merged({
      ...{ taken: hub, theirs: [policy("west", "a")], ours: [], note: "", sites },
    });
    const both = merged({
      taken: { version: 7, url: OTHER },
      theirs: [policy("east", "b")],
      ...{ ours: first.policies, note: first.note, sites },
    });
    expect(told(both.policies)).toEqual(["east b", "west a"]);
    expect(takenIn(both.note)).toEqual([hub, { version: 7, url: OTHER, sites: ["east"] }]);
    expect(takenIn("version 3 of the plan")).toEqual([]);
  });
});
