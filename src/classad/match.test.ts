import { describe, expect, it } from "vitest";
import { adFrom } from "../../test/classad-value.ts";
import { explainMatch, findMatches, fuzzyWeights, rankMatches, tableOf, valueText } from "./index.ts";

const job = adFrom(`
  Owner = "ann"; CpuNumber = 4;
  Requirements = other.Status == "Production" && other.FreeCPUs >= CpuNumber && member("MPI", other.Tags);
  Rank = -other.ResponseTime
`);
const west = adFrom(`
  Status = "production"; FreeCPUs = 8; Tags = {"mpi", "R"}; ResponseTime = 60;
  Requirements = other.Owner != "bob" && other.CpuNumber <= FreeCPUs
`);

/** The failing operands on the side of the first ad, and on that of the second. */
function failing(first: string, second: string) {
  const verdict = explainMatch(adFrom(first), adFrom(second));
  const told = [verdict.first, verdict.second].map((side) =>
    side.failing.map(({ clause, value }) => `${clause} is ${valueText(value)}`),
  );
  return { matches: verdict.matches, told };
}

describe("CA-35 two ads match when the requirements of both are true", () => {
  it("as in the example", () => {
    expect(explainMatch(job, west).matches).toBe(true);
    expect(explainMatch(west, job).matches).toBe(true);
  });

  it("as in the source's example of a JDL file [WMS] 68", () => {
    const jdl = adFrom(`JobType = "Normal"; Executable = "gridTest"; StdError = "stderr.log";
      InputSandbox = {"/data/test/gridTest"}; OutputSandbox = {"stderr.log", "stdout.log"};
      Requirements = other.GlueHostOperatingSystemNameOpSys == "LINUX" && other.GlueCEStateFreeCPUs > 4;
      Rank = other.GlueCEPolicyMaxCPUTime`);
    const element = (free: number, limit: number) =>
      adFrom(`GlueHostOperatingSystemNameOpSys = "Linux"; GlueCEStateFreeCPUs = ${free};
        GlueCEPolicyMaxCPUTime = ${limit}`);
    const elements = tableOf([element(5, 60), element(4, 999), element(9, 120)]);
    expect(rankMatches(jdl, elements, { jobId: "gridTest" })).toEqual([
      { index: 2, rank: 120 },
      { index: 0, rank: 60 },
    ]);
  });

  it("not when one does not, and each part in the way is told", () => {
    const site = 'Status = "Closed"; FreeCPUs = 2; Requirements = Owner == "ann"; Owner = "bob"';
    const asked = 'Requirements = other.Status == "Production" && (other.FreeCPUs > 1 && other.Memory > 4)';
    expect(failing(asked, site)).toEqual({
      matches: false,
      told: [
        ['other.Status == "Production" is false', "other.Memory > 4 is undefined"],
        ['Owner == "ann" is false'],
      ],
    });
  });

  it.each([
    ["a = 1", "b = 1", true],
    ["Requirements = true", "b = 1", true],
    ["Requirements = 2", "b = 1", true],
    ["Requirements = undefined", "b = 1", false],
    ["Requirements = error", "b = 1", false],
    ['Requirements = "true"', "b = 1", false],
    ["Requirements = other.Requirements", "Requirements = other.Requirements", false],
  ])("%s and %s: %s", (first, second, matches) => {
    expect(failing(first, second).matches).toBe(matches);
    expect(findMatches(adFrom(first), tableOf([adFrom(second)]))).toHaveLength(Number(matches));
    expect(findMatches(adFrom(second), tableOf([adFrom(first)]))).toHaveLength(Number(matches));
  });
});

const sites = tableOf([30, 10, 20, 10, 10].map((time) => adFrom(`t = ${time}`)));
const asking = adFrom("Rank = -other.t");

describe("CA-36 the greatest rank comes first", () => {
  it("by the asking ad's Rank", () => {
    const order = rankMatches(asking, sites, { jobId: "j" }).map(({ rank }) => rank);
    expect(order).toEqual([-10, -10, -10, -20, -30]);
  });

  it.each(["Rank = undefined", "Rank = error", 'Rank = "9"', "Rank = other.nothing", "a = 1"])(
    "%s counts as 0",
    (text) => {
      expect(rankMatches(adFrom(text), tableOf([adFrom("t = 1")]), { jobId: "j" })).toEqual([
        { index: 0, rank: 0 },
      ]);
    },
  );
});

describe("CA-37 ties are drawn by the job's id", () => {
  const firsts = (jobId: string) => rankMatches(asking, sites, { jobId }).map(({ index }) => index);

  it("the same every time, others for other jobs", () => {
    expect(firsts("job-1")).toEqual(firsts("job-1"));
    const seen = new Set(Array.from({ length: 60 }, (_, at) => firsts(`job-${at}`).slice(0, 3).join()));
    expect(seen.size).toBe(6);
  });

  it("with each of the equal ones in front about as often", () => {
    const counts = new Map<number, number>();
    for (let at = 0; at < 600; at++) {
      const [first] = firsts(`job-${at}`);
      counts.set(first, (counts.get(first) ?? 0) + 1);
    }
    expect([...counts.keys()].sort()).toEqual([1, 3, 4]);
    for (const count of counts.values()) expect(count).toBeGreaterThan(150);
  });
});

describe("a fuzzy rank is drawn by weight", () => {
  it("arctan((rank − mean) · factor) + π/2", () => {
    const [low, mean, high] = fuzzyWeights([1, 2, 3], 1);
    expect(low).toBeCloseTo(Math.PI / 4, 12);
    expect(mean).toBeCloseTo(Math.PI / 2, 12);
    expect(high).toBeCloseTo((3 * Math.PI) / 4, 12);
    expect(fuzzyWeights([1, 3], 100)[0]).toBeLessThan(0.011);
    expect(fuzzyWeights([5, 5], 1)).toEqual([Math.PI / 2, Math.PI / 2]);
  });

  it("puts each in front as often as its weight says", () => {
    const ads = tableOf([1, 2, 3].map((rank) => adFrom(`r = ${rank}`)));
    const asked = adFrom("Rank = other.r");
    const draws = 3_000;
    const counts = [0, 0, 0];
    for (let at = 0; at < draws; at++) {
      const [{ index }] = rankMatches(asked, ads, { jobId: `job-${at}`, fuzzyFactor: 1 });
      counts[index]++;
    }
    const weights = fuzzyWeights([1, 2, 3], 1);
    const whole = weights.reduce((sum, weight) => sum + weight, 0);
    for (const [at, weight] of weights.entries()) {
      expect(Math.abs(counts[at] / draws - weight / whole)).toBeLessThan(0.04);
    }
  });

  it("is the same for the same job", () => {
    const order = { jobId: "job-7", fuzzyFactor: 1 };
    expect(rankMatches(asking, sites, order)).toEqual(rankMatches(asking, sites, order));
  });
});
