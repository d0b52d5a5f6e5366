import { describe, expect, it } from "vitest";
import { foreignSpec, type Scene, scene } from "../../../test/engine-scene.ts";
import { explanationText } from "../../model/index.ts";
import { explain, query } from "../index.ts";
import type { SurveyedQueue } from "../survey.ts";

const LONG: SurveyedQueue = { queue: "long", isDefault: false, status: "Production", procs: 8 };

function sites(ads: Readonly<Record<string, string>>, queues: readonly SurveyedQueue[] = []): Scene {
  const play = scene({});
  play.ask({ kind: "addSite", site: "far", spec: { ...foreignSpec(8), ads } });
  play.look("far", { queues });
  return play;
}

describe("EN-286 attributes that a site gives", () => {
  it("are in its ad and in those of its partitions, and jobs can ask for them", () => {
    const play = sites({ GlueHostBenchmarkSI00: "1200" });
    const ad = query(play.projection, { name: "siteAds", question: "far" }, play.now);
    expect(ad.classad).toContain("  GlueHostBenchmarkSI00 = 1200;\n");
    play.submit("slow", 1, { requirements: "other.GlueHostBenchmarkSI00 > 2000" });
    play.submit("quick", 1, { requirements: "other.GlueHostBenchmarkSI00 > 1000" });
    play.settle();
    expect(play.records.get("quick")?.site).toBe("far");
    expect(play.state("slow")).toBe("WAITING");
  });

  it("Requirements keep jobs away that ask for nothing themselves, and are told as the cause", () => {
    for (const queues of [[], [LONG]]) {
      const play = sites({ Requirements: "other.CpuNumber <= 2" }, queues);
      play.submit("wide", 3);
      play.submit("small", 2);
      play.settle();
      expect(play.records.get("small")?.site).toBe("far");
      const wide = play.records.get("wide") ?? expect.fail("no job");
      expect(wide.site).toBeNull();
      const why = explanationText(explain(play.projection, wide, play.now), String).join("\n");
      expect(why).toContain("other.CpuNumber <= 2 (demanded by sites) excludes 1");
    }
  });
});
