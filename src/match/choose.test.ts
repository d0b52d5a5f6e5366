import { describe, expect, it } from "vitest";
import { JOB_DEFAULTS, type JobDescription } from "../model/index.ts";
import { type MatchedJob, matchingNames, matchTable, rankedNames, rankOf } from "./choose.ts";
import { classKeyOf } from "./job-ad.ts";
import { problemOfDescription } from "./judge-description.ts";
import { siteAdOf, withGiven } from "./site-ad.ts";

const ads = [
  ["a", 4, 30],
  ["b", 16, 60],
  ["c", 64, 90],
] as const;
const sites = ads.map(([name, free, responseSec]) => ({
  name,
  ad: siteAdOf({
    ...{ site: name, system: "stint", status: name === "c" ? "Draining" : "Production", procs: 64 },
    ...{ freeProcs: free, responseMs: responseSec * 1000, stores: [] },
  }),
}));
const job = (said: Partial<JobDescription>, id = "j"): MatchedJob => ({
  ...{ id, consumer: "vo/g/u", owner: "u" },
  description: { ...JOB_DEFAULTS, executable: "a", ...said },
});
const names = (said: Partial<JobDescription>, id?: string) =>
  rankedNames(job(said, id), sites, 0).map(({ name }) => name);

describe("matching sites", () => {
  it("MT-5 both sides' requirements count, and without strict defaults the job's alone", () => {
    const requirements = "other.GlueCEStateFreeCPUs >= 16";
    expect(matchingNames(job({ requirements }), sites, 0)).toEqual(["b"]);
    expect(matchingNames(job({ requirements, strictDefaults: false }), sites, 0)).toEqual(["b", "c"]);
    const picky = sites.map(({ name, ad }) => ({
      name,
      ad: name === "b" ? withGiven(ad, { Requirements: 'other.VirtualOrganisation == "cms"' }) : ad,
    }));
    expect(matchingNames(job({ requirements }), picky, 0)).toEqual([]);
    const { clauses, matches } = matchTable(job({ requirements }), picky, 0);
    expect(matches).toEqual([]);
    expect(clauses).toContainEqual({
      ...{ of: "job", text: "other.GlueCEStateFreeCPUs >= 16", verdicts: ["false", "true", "true"] },
    });
    expect(clauses).toContainEqual({
      ...{ of: "site", text: 'other.VirtualOrganisation == "cms"' },
      verdicts: ["notAsked", "false", "notAsked"],
    });
  });

  it("MT-7 each application is a clause, whose names ignore case; a site that says nothing has none", () => {
    const having = (name: string, applications?: readonly string[]) => ({
      name,
      ad: siteAdOf({
        ...{ site: name, system: "stint", status: "Production", procs: 4, stores: [] },
        ...(applications === undefined ? {} : { applications }),
      }),
    });
    const three = [having("none"), having("one", ["Solver"]), having("two", ["solver", "gnu/12"])];
    const found = (said: Partial<JobDescription>) => matchingNames(job(said), three, 0);
    expect(found({ applications: ["solver"] })).toEqual(["one", "two"]);
    expect(found({ applications: ["solver", "gnu/12"] })).toEqual(["two"]);
    expect(found({ applications: ["solver"], requirements: 'other.Name == "one" || true' })).toHaveLength(2);
    const strictDefaults = false;
    expect(found({ applications: ["x"], requirements: "true", strictDefaults })).toEqual([]);
    const { clauses } = matchTable(job({ applications: ["solver"] }), three, 0);
    expect(clauses.at(-1)).toMatchObject({ verdicts: ["undefined", "true", "true"] });
  });

  it("MT-10 the store for output is a clause, whose name ignores case", () => {
    const having = (name: string, ...stores: readonly string[]) => ({
      name,
      ad: siteAdOf({
        ...{ site: name, system: "stint", status: "Production", procs: 4 },
        stores: stores.map((store) => ({
          ...{ name: store, bytes: 1 },
          ...(store === "tape" ? {} : { directory: "/data" }),
        })),
      }),
    });
    const three = [having("none"), having("one", "tape", "Disk"), having("two", "tape")];
    const found = (said: Partial<JobDescription>) => matchingNames(job(said), three, 0);
    expect(found({ outputSE: "disk" })).toEqual(["one"]);
    expect(found({ outputSE: "tape", requirements: "true", strictDefaults: false })).toEqual(["one", "two"]);
    expect(found({ outputData: [{ file: "a" }] })).toEqual(["one"]);
    expect(found({ outputData: [{ file: "a", store: "tape" }] })).toEqual([]);
    expect(found({ outputData: [{ file: "a" }], outputSE: "disk" })).toEqual(["one"]);
    expect(matchTable(job({ outputSE: "disk" }), three, 0).clauses.at(-1)).toMatchObject({
      text: 'member("disk", other.GlueCESEBindGroupSEUniqueID)',
      verdicts: ["undefined", "true", "false"],
    });
  });

  it("MT-11 nodes are enough, or not known; whole ones are given by who says so", () => {
    const having = (name: string, facts: object) => ({
      name,
      ad: siteAdOf({ site: name, system: "x", status: "Production", procs: 64, stores: [], ...facts }),
    });
    const three = [
      having("one", { nodes: 1, nodeProcs: 64, givesWholeNodes: false }),
      having("many", { nodes: 8, nodeProcs: 8 }),
      having("slurm", { givesWholeNodes: true }),
    ];
    const found = (said: Partial<JobDescription>) => matchingNames(job({ procs: 16, ...said }), three, 0);
    expect(found({ hostNumber: 1 })).toEqual(["one", "slurm"]);
    expect(found({ hostNumber: 2 })).toEqual(["many", "slurm"]);
    expect(found({ smpGranularity: 8 })).toEqual(["one", "many", "slurm"]);
    expect(found({ smpGranularity: 16 })).toEqual(["one", "slurm"]);
    expect(found({ wholeNodes: true })).toEqual(["slurm"]);
    expect(found({ wholeNodes: false })).toHaveLength(3);
    const problem = (hostNumber: number) => problemOfDescription(job({ procs: 2, hostNumber }));
    expect(problem(2)).toBeUndefined();
    expect(problem(3)).toMatchObject({ kind: "neverTrue", clause: "CpuNumber >= HostNumber" });
  });

  it("MT-5 changes that would help were tried", () => {
    const { changes } = matchTable(job({ requirements: "other.GlueCEStateFreeCPUs >= 32" }), sites, 0);
    expect(changes[0].wins).toBeGreaterThan(0);
    expect(changes.map(({ text }) => text).join("\n")).toContain("GlueCEStateFreeCPUs");
  });

  it("MT-6 the rank orders; the literal default depends on the width", () => {
    expect(names({ rank: "other.GlueCEStateFreeCPUs" })).toEqual(["b", "a"]);
    expect(names({ rank: "-other.GlueCEStateFreeCPUs", strictDefaults: false })).toEqual(["a", "b"]);
    expect(names({ defaultRank: "literal" })).toEqual(["a", "b"]);
    expect(names({ defaultRank: "literal", procs: 2 })).toEqual(["b", "a"]);
    expect(rankOf(job({}).description)).toBeUndefined();
    // MT-9
    expect(rankOf(job({ rank: "Other.DataAccessCost" }).description)).toBe("-other.DataAccessCost");
  });

  it("MT-6 FuzzyRank draws by the job's id: the same each time, sometimes the worse site", () => {
    const first = (id: string) => names({ fuzzyRank: true }, id)[0];
    const drawn = Array.from({ length: 200 }, (_, at) => first(`job${at}`));
    expect(drawn.map((_drawn, at) => first(`job${at}`))).toEqual(drawn);
    const better = drawn.filter((name) => name === "a").length;
    expect(better).toBeGreaterThan(100);
    expect(better).toBeLessThan(200);
  });

  it("jobs of one class differ in nothing that their expressions name", () => {
    const key = (said: Partial<JobDescription>) => classKeyOf(job(said));
    const requirements = "other.GlueCEStateFreeCPUs >= CpuNumber";
    expect(key({ requirements, procs: 2 })).not.toBe(key({ requirements, procs: 3 }));
    expect(key({ requirements, executable: "b" })).toBe(key({ requirements, executable: "c" }));
  });
});
