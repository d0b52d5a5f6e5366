import { describe, expect, it } from "vitest";
import { aCluster, aNode, aPartition } from "../../../test/cluster-scene.ts";
import { foreignSpec, HOUR, type Scene, scene, shown } from "../../../test/engine-scene.ts";
import { explanationText, JOB_DEFAULTS, type JobDescription, type Publication } from "../../model/index.ts";
import { answer, explain, query } from "../index.ts";
import { queueAdsOf } from "./queue-ads.ts";
import { queueFacts } from "./queue-facts.ts";

const GIB = 1024 ** 3;
/** Names and amounts by which a single partition or node would be recognised. */
const SECRETS = ["secret", "GlueHostMainMemoryRAMSize", "NodeMemory =", "NodeProcs ="];
const nodes = [
  aNode("secret-n1", { procs: 4, memoryBytes: 8 * GIB }),
  aNode("secret-n2", { procs: 16, memoryBytes: 64 * GIB }),
  aNode("secret-n3", { procs: 24, memoryBytes: 12 * GIB }),
];
const partitions = [
  aPartition("secret-short", ["secret-n1"], { maxTimeMs: HOUR }),
  aPartition("secret-middle", ["secret-n3"], { maxTimeMs: 3 * HOUR }),
  aPartition("secret-long", ["secret-n2"], { maxTimeMs: 9 * HOUR }),
];

function cluster(publish: Publication): Scene {
  const play = scene({});
  const spec = { ...foreignSpec(44), memoryBytes: 84 * GIB, publish };
  play.ask({ kind: "addSite", site: "far", spec });
  play.look("far", { queues: partitions.map((it) => queueFacts(it, { nodes, jobs: [] })) });
  return play;
}

const siteOf = (play: Scene) => play.projection.sites.get("far") ?? expect.fail("no site");
const who = { consumer: "vo/user", owner: "u" };

/** Everything that users can learn of the site, as one text. */
function shownOf(play: Scene): string {
  const ad = query(play.projection, { name: "siteAds", question: "far" }, play.now);
  const queues = queueAdsOf(siteOf(play), aCluster({ nodes, partitions }));
  const table = (more: Partial<JobDescription>) => {
    const description = { ...JOB_DEFAULTS, executable: "true", ...more };
    return query(
      play.projection,
      { name: "matchTable", question: { id: "?", ...who, description } },
      play.now,
    );
  };
  const tables = [
    table({ wallTimeMs: 2 * HOUR }),
    table({ requirements: "other.NodeProcs >= 24" }),
    table({ requirements: "other.NodeProcs >= 32", procs: 24 }),
    table({ requirements: "other.GlueCEPolicyMaxWallClockTime >= 900" }),
  ];
  const big = { ...JOB_DEFAULTS, executable: "true", procs: 24, wallTimeMs: 5 * HOUR };
  const refused = answer(play.projection, { kind: "submit", job: "big", description: big, ...who }, play.now);
  play.submit("unmatched", 1, { requirements: "other.GlueCEPolicyMaxWallClockTime >= 900" });
  play.settle();
  const job = play.records.get("unmatched") ?? expect.fail("no job");
  const why = explain(play.projection, job, play.now);
  return JSON.stringify([ad, queues, tables, refused, why, explanationText(why, String)]);
}

describe("EN-287 a site that publishes aggregates", () => {
  it("shows no partition and no node; one that publishes all shows both", () => {
    const text = shownOf(cluster("aggregates"));
    expect(SECRETS.filter((secret) => text.includes(secret))).toEqual([]);
    const whole = shownOf(cluster("all"));
    expect(whole).toContain("secret-long");
    expect(whole).toContain("GlueHostMainMemoryRAMSize");
  });

  it("shows totals, and ranges over its partitions and nodes, in both forms of its ad", () => {
    const play = cluster("aggregates");
    const ad = query(play.projection, { name: "siteAds", question: "far" }, play.now);
    expect(ad.classad).toContain("GlueCEInfoTotalCPUs = 44;");
    expect(ad.classad).toContain("NodeProcsRange = { 4, 24 };");
    expect(ad.classad).toContain("NodeMemoryRange = { 8192, 65536 };");
    expect(ad.classad).toContain("MaxWallClockTimeRange = { 60, 540 };");
    expect(JSON.stringify(ad.glue2)).toContain("MaxWallClockTimeRange=60-540");
  });

  it("is matched with each of its partitions, and a refusal has the limits over all of them", () => {
    const play = cluster("aggregates");
    play.submit("long", 1, { wallTimeMs: 5 * HOUR });
    play.submit("wide", 24, { requirements: "other.NodeProcs >= 24" });
    play.settle();
    expect(play.records.get("long")).toMatchObject({ site: "far", queue: "secret-long" });
    expect(play.records.get("wide")).toMatchObject({ site: "far", queue: "secret-middle" });
    const description = { ...JOB_DEFAULTS, executable: "true", procs: 24, wallTimeMs: 5 * HOUR };
    const refused = answer(play.projection, { kind: "submit", job: "big", description, ...who }, play.now);
    expect(refused).toMatchObject({
      refusal: {
        sites: [
          {
            site: "far",
            queues: [
              { of: "wallTime", most: 3 * HOUR },
              { of: "procs", most: 16 },
            ],
          },
        ],
      },
    });
  });

  it("reports the reason of its batch system without names of nodes", () => {
    const play = cluster("aggregates");
    play.submit("here", 1, { site: "far" });
    play.settle();
    const reason = "ReqNodeNotAvail, UnavailableNodes:secret-n1";
    play.look("far", { jobs: [shown("7", "here/1", { reason })] });
    const job = play.records.get("here") ?? expect.fail("no job");
    const { causes } = explain(play.projection, job, play.now);
    expect(causes).toContainEqual({ kind: "siteSays", site: "far", words: "ReqNodeNotAvail" });
  });
});
