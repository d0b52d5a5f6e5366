import { describe, expect, it } from "vitest";
import { unreadableAttribute } from "./given-attributes.ts";
import { adText, siteAdOf } from "./site-ad.ts";

const FACTS = { site: "far", system: "slurm", status: "Production", procs: 4, stores: [] } as const;

describe("MT-13 attributes that a site gives", () => {
  it("are expressions, each given once", () => {
    expect(unreadableAttribute({ A: "1", Requirements: "other.CpuNumber <= 64" })).toBeUndefined();
    expect(unreadableAttribute({ A: "1", B: "1 +" })).toMatchObject({ attribute: "B" });
    expect(unreadableAttribute({ Speed: "1", speed: "2" })).toMatchObject({
      ...{ attribute: "speed", problem: { what: "it is given twice: also as Speed" } },
    });
  });

  it("MT-4 they replace what the site shows, whatever the case of their names", () => {
    const text = adText(siteAdOf(FACTS, { GlueHostBenchmarkSI00: "1200", gluecestatestatus: '"Closed"' }));
    expect(text).toContain("GlueHostBenchmarkSI00 = 1200;");
    expect(text).toContain('= "Closed";');
    expect(text).not.toContain('"Production"');
  });
});
