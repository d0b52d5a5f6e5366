import { describe, expect, it } from "vitest";
import { HOUR, type Scene, scene } from "../../../../test/engine-scene.ts";
import {
  ENFORCEMENT_DEFAULTS,
  type EnforcementStep,
  explanationText,
  POLICY_DEFAULTS,
  type Policy,
  refusalText,
  type SiteSpec,
} from "../../../model/index.ts";
import { answer, explain } from "../../index.ts";

const policy = (consumer: string, provider: string, burstPercent = 100): Policy => ({
  ...POLICY_DEFAULTS,
  ...{ provider, consumer },
  epoch: { window: { kind: "sliding", lengthMs: HOUR }, sharePpm: 100_000 },
  burst: { bucketMs: 60_000, sharePpm: burstPercent * 10_000 },
});

/** Machines, with what is granted there; 10 processors each. */
function machines(granted: Readonly<Record<string, readonly EnforcementStep[]>>): Scene {
  const play = scene({});
  for (const [site, steps] of Object.entries(granted)) {
    const spec: SiteSpec = {
      ...{ type: "managed", procs: 10, memoryBytes: 2 ** 30, discipline: "fcfs", defaultWallTimeMs: HOUR },
      enforcement: { ...ENFORCEMENT_DEFAULTS, granted: steps },
    };
    play.ask({ kind: "addSite", site, spec });
  }
  return play;
}

function applyAll(play: Scene, ...policies: readonly Policy[]): void {
  const rest = { effectiveFromMs: null, onVersion: null, by: "admin", note: "" };
  expect(play.ask({ kind: "applyPolicies", policies, ...rest })).toBe("ok");
}

const siteOf = (play: Scene, job: string) => play.records.get(job)?.site;

function causesOf(play: Scene, job: string) {
  const record = play.records.get(job);
  if (record === undefined) throw new Error(`there is no job ${job}`);
  return explain(play.projection, record, play.now).causes;
}

describe("EN-5 a site that would never admit the job is not chosen while another would", () => {
  it("by default, even where it would start a job earlier, whatever is granted there", () => {
    for (const granted of [["watch"], ["hold"]] as const) {
      const play = machines({ strict: granted, other: ["watch"] });
      applyAll(play, policy("atlas", "strict"));
      play.submit("wide", 10, { site: "other" });
      play.settle();
      expect(play.submit("mine", 4)).toBe("ok");
      play.settle();
      expect(siteOf(play, "mine")).toBe("other");
    }
  });

  it("nor by the selector of an organisation", () => {
    const play = machines({ strict: ["watch"], other: ["watch"] });
    applyAll(play, policy("atlas", "strict"));
    play.ask({ kind: "changeVo", vo: "vo", selector: "leastUsed", enforcement: null, by: "admin" });
    play.submit("wide", 10, { site: "other" });
    play.submit("mine", 4);
    play.settle();
    expect(siteOf(play, "mine")).toBe("other");
  });

  it("a job that waits is told from which it is kept", () => {
    const play = machines({ strict: ["watch"], other: ["watch"] });
    applyAll(play, policy("atlas", "strict"));
    play.submit("wide", 10, { site: "other" });
    play.submit("mine", 4);
    play.settle();
    const denials = [{ site: "strict", limit: "noPolicy", level: "vo/group/user" }];
    expect(causesOf(play, "mine")).toContainEqual({ kind: "policyNever", denials });
    const record = play.records.get("mine");
    if (record === undefined) throw new Error("it was just submitted");
    const lines = explanationText(explain(play.projection, record, play.now), String);
    expect(lines.join("\n")).toContain(
      "strict would never let it go: no policy gives vo/group/user anything there",
    );
  });

  it("one whose burst is smaller than the job is none either", () => {
    const play = machines({ strict: ["watch"], other: ["watch"] });
    applyAll(play, policy("vo", "strict", 30));
    play.submit("narrow", 3);
    play.submit("broad", 4);
    play.settle();
    expect([siteOf(play, "narrow"), siteOf(play, "broad")]).toEqual(["strict", "other"]);
  });
});

describe("EN-110 where policies are enforced, what no policy grants is denied", () => {
  const command = (site?: string) => ({
    ...{ kind: "submit" as const, job: "asked", consumer: "vo/group/user", owner: "u" },
    description: {
      ...{ executable: "true", arguments: [], environment: {}, stdOutput: "o", stdError: "e" },
      ...{ inputSandbox: [], outputSandbox: [], procs: 4, userTags: {} },
      ...(site === undefined ? {} : { site }),
    },
  });

  it("a job for a site that denies it is refused, with the limit", () => {
    const play = machines({ strict: ["hold"], other: ["watch"] });
    applyAll(play, policy("atlas", "strict"));
    const answered = answer(play.projection, command("strict"), play.now);
    const denials = [{ site: "strict", limit: "noPolicy", level: "vo/group/user" }];
    const refusal = { kind: "policyDenied", consumer: "vo/group/user", denials } as const;
    expect(answered).toMatchObject({ ok: false, refusal });
    expect(refusalText({ ...refusal, denials: [{ site: "strict", limit: "burst", level: "vo" }] }).why).toBe(
      "strict: it is larger than the burst limit of vo",
    );
    expect(answer(play.projection, command(), play.now).ok).toBe(true);
  });

  it("where all sites deny it, naming none helps nothing; where they only watch it goes", () => {
    const both = machines({ one: ["hold"], two: ["suspend"] });
    applyAll(both, policy("atlas", "one"), policy("atlas", "two"));
    expect(answer(both.projection, command(), both.now)).toMatchObject({
      refusal: { kind: "policyDenied", denials: [{ site: "one" }, { site: "two" }] },
    });
    const watching = machines({ one: ["hold"], two: ["watch"] });
    applyAll(watching, policy("atlas", "one"), policy("atlas", "two"));
    watching.submit("mine", 4);
    watching.settle();
    expect(siteOf(watching, "mine")).toBe("two");
  });

  it("one that was accepted before waits, is told why, keeps nobody waiting, and goes when it may", () => {
    const play = machines({ strict: ["hold"] });
    play.ask({ kind: "drainSite", site: "strict", by: "admin" });
    play.submit("mine", 4);
    play.settle();
    applyAll(play, policy("atlas", "strict"));
    play.ask({ kind: "reopenSite", site: "strict", by: "admin" });
    expect(play.settle()).toEqual([]);
    expect(siteOf(play, "mine")).toBe(null);
    expect(causesOf(play, "mine")).toMatchObject([{ kind: "policyNever", denials: [{ site: "strict" }] }]);
    applyAll(play, policy("atlas", "strict"), policy("vo", "strict"));
    play.settle();
    expect(siteOf(play, "mine")).toBe("strict");
  });

  it("the share that would open sites to it is told with them, and opens them", () => {
    const play = machines({ strict: ["hold"], also: ["hold"], picky: ["hold"] });
    for (const site of ["strict", "also", "picky"]) play.ask({ kind: "drainSite", site, by: "admin" });
    play.submit("mine", 4, { requirements: 'other.Name != "picky"' });
    play.settle();
    const others = ["strict", "also", "picky"].map((site) => policy("atlas", site));
    applyAll(play, ...others);
    for (const site of ["strict", "also", "picky"]) play.ask({ kind: "reopenSite", site, by: "admin" });
    play.settle();
    const record = play.records.get("mine") ?? expect.fail("no job");
    const found = explain(play.projection, record, play.now);
    expect(found.helpfulChanges).toContainEqual({
      ...{ kind: "granted", sites: ["strict", "also"] },
      rights: [{ kind: "share", consumer: "vo/group/user" }],
    });
    expect(explanationText(found, String).join("\n")).toContain(
      "with a share of vo/group/user in the usage policies it could be placed at strict and also (2 " +
        "sites); " +
        "their administrators grant that",
    );
    applyAll(play, ...others, policy("vo/group/user", "also"));
    play.settle();
    expect(siteOf(play, "mine")).toBe("also");
  });

  it("a pause of the enforcer lets it go, and what is there already is left alone", () => {
    const play = machines({ strict: ["hold"] });
    play.submit("early", 2);
    expect(play.settle()).toEqual(["early"]);
    applyAll(play, policy("atlas", "strict"));
    expect(play.submit("late", 2)).toBe("policyDenied");
    play.ask({ kind: "pauseEnforcement", site: "strict", by: "admin" });
    expect(play.submit("late", 2)).toBe("ok");
    expect(play.settle()).toEqual(["late"]);
    play.ask({ kind: "continueEnforcement", site: "strict", by: "admin" });
    play.settle();
    expect(["early", "late"].map((job) => play.records.get(job)?.enforced)).toEqual([undefined, undefined]);
  });
});
