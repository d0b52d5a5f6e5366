import { describe, expect, it } from "vitest";
import { foreignSpec, HOUR, type Scene, scene, shown } from "../../../test/engine-scene.ts";
import { POLICY_DEFAULTS, type Policy, type SiteSpec, SLURM_DEFAULTS } from "../../model/index.ts";
import { query } from "../index.ts";
import { accessOf, jobAccessOf } from "./access-views.ts";

const policy = (consumer: string, burstPercent: number): Policy => ({
  ...{ ...POLICY_DEFAULTS, provider: "far", consumer },
  epoch: { window: { kind: "sliding", lengthMs: HOUR }, sharePpm: 0 },
  burst: { bucketMs: 60_000, sharePpm: burstPercent * 10_000 },
});

function withPolicies(policies: readonly Policy[], spec: SiteSpec = foreignSpec(20)): Scene {
  const play = scene({});
  play.ask({ kind: "addSite", site: "far", spec });
  play.look("far", {});
  if (policies.length > 0) {
    const rest = { effectiveFromMs: null, onVersion: null, by: "admin", note: "" };
    expect(play.ask({ kind: "applyPolicies", policies, ...rest })).toBe("ok");
  }
  return play;
}

const adOf = (play: Scene) => query(play.projection, { name: "siteAds", question: "far" }, play.now);

describe("EN-289 who may use a site", () => {
  it("is in its ad by its policies, in both forms; without any nothing is said", () => {
    const { classad, glue2 } = adOf(
      withPolicies([policy("cms", 50), policy("cms/higgs", 20), policy("lhcb", 0)]),
    );
    expect(classad).toContain(
      'GlueCEAccessControlBaseRule = { "VO:cms", "DENY:VO:lhcb", "VOMS:/cms/higgs" };',
    );
    expect(classad).toContain('GlueVOViewLocalID = "cms"; GlueCEStateFreeCPUs = 10;');
    expect(glue2).toMatchObject({
      AccessPolicy: { Rule: ["VO:cms", "DENY:VO:lhcb", "VOMS:/cms/higgs"] },
      VOShares: [
        { Name: "cms", FreeSlots: 10, MappingPolicy: { Rule: ["VO:cms"] } },
        { Name: "lhcb", FreeSlots: 0, MappingPolicy: { Rule: ["DENY:VO:lhcb"] } },
      ],
    });
    expect(adOf(withPolicies([])).classad).not.toMatch(/AccessControl|VOView/);
  });

  it("EN-340 has the response times of each organisation, which its share may delay", () => {
    const play = withPolicies([policy("vo", 50), policy("lhcb", 0), policy("cms", 50)]);
    for (const [job, procs] of [
      ["one", 6],
      ["two", 4],
    ] as const)
      play.submit(job, procs);
    play.settle();
    play.look("far", {
      jobs: ["one", "two"].map((job, i) =>
        shown(`${i}`, `${job}/1`, { state: "running", procs: [6, 4][i] ?? 1, startedAtMs: play.now }),
      ),
    });
    const { classad, glue2 } = adOf(play);
    const viewOf = (vo: string) => new RegExp(`GlueVOViewLocalID = "${vo}";[^\\]]*`).exec(classad)?.[0];
    expect(viewOf("vo")).toContain("GlueCEStateEstimatedResponseTime = 3600;");
    expect(viewOf("cms")).toContain("GlueCEStateEstimatedResponseTime = 0; GlueCEStateWorstResponseTime");
    expect(viewOf("lhcb")).not.toContain("ResponseTime");
    expect(glue2).toMatchObject({
      VOShares: [{ Name: "vo", EstimatedAverageWaitingTime: 3600 }, { Name: "lhcb" }, { Name: "cms" }],
    });
    play.submit("late", 1, { requirements: "other.GlueCEStateEstimatedResponseTime < 60" });
    play.submit("later", 1, { requirements: "other.GlueCEStateEstimatedResponseTime >= 3000" });
    play.settle();
    expect(["late", "later"].map((id) => play.records.get(id)?.site)).toEqual([null, "far"]);
  });

  it("EN-340 jobs see of their organisation what its view has", () => {
    const play = withPolicies([policy("vo", 50), policy("lhcb", 0), policy("cms", 50)]);
    for (const [job, procs] of [
      ["one", 6],
      ["two", 4],
    ] as const)
      play.submit(job, procs);
    play.settle();
    const jobs = ["one", "two"].map((job, at) =>
      shown(`${at}`, `${job}/1`, {
        ...{ state: "running", procs: [6, 4][at] ?? 1, startedAtMs: play.now },
        limitMs: at === 0 ? HOUR / 2 : HOUR,
      }),
    );
    play.look("far", { jobs });
    const site = play.projection.sites.get("far");
    if (site === undefined) throw new Error("far is a site");
    const { accessRules, views = [] } = accessOf(play.projection, site, play.now);
    const seen = jobAccessOf(play.projection, site, play.now);
    expect(seen.accessRules).toEqual(accessRules);
    expect(views.map(({ vo }) => [vo, seen.freeProcsOf(vo), seen.shareWaitMsOf(vo)])).toEqual(
      views.map(({ vo, freeProcs, shareWaitMs = Number.POSITIVE_INFINITY }) => [vo, freeProcs, shareWaitMs]),
    );
    expect(views.map(({ shareWaitMs }) => shareWaitMs)).toEqual([HOUR / 2, undefined, 0]);
    expect([seen.freeProcsOf("atlas"), seen.shareWaitMsOf("atlas")]).toEqual([undefined, undefined]);
  });

  it("follows from identity rules and the ban list of pilots too", () => {
    const rule = { executable: null, fromMs: 0, untilMs: 24 * HOUR };
    const identity = {
      mode: "verify" as const,
      rules: [
        { ...rule, path: "cms", account: "cms001" },
        { ...rule, path: "guests", account: null },
        { ...rule, path: "atlas", executable: "/bin/nc", account: null },
      ],
      banned: ["cms/eve"],
    };
    const pilots = { max: 1, procs: 4, wallTimeMs: HOUR, idleMs: 0, consumer: "pilots", identity };
    const size = { procs: 20, memoryBytes: 2 ** 34 };
    const spec = { type: "slurm", ...SLURM_DEFAULTS, ...size, readOnly: false, pilots } as const;
    expect(adOf(withPolicies([], spec)).classad).toContain(
      'GlueCEAccessControlBaseRule = { "VO:cms", "DENY:VO:guests", "DENY:VOMS:/cms/eve" };',
    );
    expect(adOf(withPolicies([], { ...spec, publish: "aggregates" })).classad).toContain(
      'GlueCEAccessControlBaseRule = { "VO:cms", "DENY:VO:guests" };',
    );
  });

  it("jobs match it, with the free processors that policies leave to their organisation", () => {
    const play = withPolicies([policy("vo", 50), policy("cms", 90)]);
    play.submit("many", 1, { requirements: "other.GlueCEStateFreeCPUs > 10" });
    play.submit("few", 1, { requirements: "other.GlueCEStateFreeCPUs >= 10" });
    play.submit("named", 1, { requirements: 'member("VO:vo", other.GlueCEAccessControlBaseRule)' });
    play.submit("other", 1, { requirements: 'member("VO:alice", other.GlueCEAccessControlBaseRule)' });
    play.settle();
    const sites = ["many", "few", "named", "other"].map((id) => play.records.get(id)?.site);
    expect(sites).toEqual([null, "far", "far", null]);
  });
});
