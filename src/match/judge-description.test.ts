import { describe, expect, it } from "vitest";
import { evaluateAttribute, parseExpression, unparse, valueText } from "../classad/index.ts";
import { JOB_DEFAULTS, type JobDescription } from "../model/index.ts";
import { type JobDescribed, jobAdOf, requirementsOf } from "./job-ad.ts";
import { problemOfDescription } from "./judge-description.ts";

const job = (said: Partial<JobDescription>): JobDescribed => ({
  description: { ...JOB_DEFAULTS, executable: "a", procs: 4, ...said },
  ...{ consumer: "cms/higgs/ann", owner: "ann" },
});

describe("expressions of a description", () => {
  it.each([
    [{ requirements: "other.X >" }, "requirements", 1, 10],
    [{ rank: "1 +\n * 2" }, "rank", 2, 2],
    [{ attributes: { Colour: '"red' } }, "Colour", 1, 1],
  ])("MT-1 %j is refused with its place", (said, attribute, line, column) => {
    const problem = { kind: "unreadableExpression", attribute, line, column };
    expect(problemOfDescription(job(said))).toMatchObject(problem);
  });

  it.each([
    ["other.DataAccessCost", undefined, "noData"],
    ["-other.dataaccesscost", ["/vo/f"], "notAlone"],
    [" other.dataaccesscost ", ["/vo/f"], undefined],
    ['other.Name == "DataAccessCosts"', undefined, undefined],
  ])("MT-9 the rank %s with %j is refused for %s", (rank, inputData, why) => {
    const problem = problemOfDescription(job({ rank, ...(inputData === undefined ? {} : { inputData }) }));
    expect(problem).toEqual(why === undefined ? undefined : { kind: "dataCostRank", attribute: "rank", why });
  });

  it("MT-1 two attributes that differ in case are refused, also one that the description has itself", () => {
    const twice = (attribute: string, also: string) => ({ kind: "attributeTwice", attribute, also });
    expect(problemOfDescription(job({ attributes: { Foo: "1", foo: "2" } }))).toEqual(twice("foo", "Foo"));
    const own = problemOfDescription(job({ attributes: { cpunumber: "1" } }));
    expect(own).toEqual(twice("cpunumber", "CpuNumber"));
    expect(problemOfDescription(job({ attributes: { Foo: "1", Bar: "2" } }))).toBeUndefined();
  });

  it.each([
    ["false", "false", "false"],
    ["other.X > 1 && 1 > 2", "1 > 2", "false"],
    ["CpuNumber > 8 && other.X == 1", "CpuNumber > 8", "false"],
    ["self.CpuNumber + Half > 100", "self.CpuNumber + Half > 100", "false"],
    ["nonsense(1)", "nonsense(1)", "error"],
    ["Loop == 1", "Loop == 1", "error"],
    ['"text"', '"text"', '"text"'],
  ])("MT-2 %s is never true", (requirements, clause, value) => {
    const attributes = { Half: "CpuNumber / 2", Loop: "Loop + 1" };
    const problem = problemOfDescription(job({ requirements, attributes }));
    expect(problem).toEqual({ kind: "neverTrue", clause, value });
  });

  it.each([
    "true",
    "CpuNumber == 4",
    "other.X =?= undefined",
    "Unknown == 1",
    "time() < 0",
    "random() > 2",
    'eval(strcat("other.", "X"))',
    "false || other.X",
    "other.X > 5 || CpuNumber > 8",
    "1",
  ])("MT-2 %s may become true", (requirements) => {
    expect(problemOfDescription(job({ requirements }))).toBeUndefined();
  });

  it.each([
    ["other.X > 4 && other.Y && other.X < 2", "other.X > 4", "other.X < 2"],
    ["other.X > 4 && 4 >= other.x", "other.X > 4", "4 >= other.x"],
    ["X == -1 && target.X >= 0", "X == -1", "target.X >= 0"],
    ["other.X == 3 && other.X == 4", "other.X == 3", "other.X == 4"],
    ['other.Name == "a" && other.name == "b"', 'other.Name == "a"', 'other.name == "b"'],
    ['other.Name == "a" && other.Name > 3', 'other.Name == "a"', "other.Name > 3"],
    [
      'other.GlueCEStateStatus == "Draining"',
      'other.GlueCEStateStatus == "Production"',
      'other.GlueCEStateStatus == "Draining"',
    ],
  ])("MT-2 %s is never true of any site", (requirements, first, second) => {
    expect(problemOfDescription(job({ requirements }))).toEqual({ kind: "clausesExclude", first, second });
  });

  it.each([
    "other.X > 4 && other.X <= 5",
    "other.X >= 4 && other.X <= 4",
    'other.Name == "a" && other.NAME == "A"',
    "other.X > 4 || other.X < 2",
    "other.X > 4 && other.Y < 2",
    "other.X > 4 && self.X < 2",
    "other.X > 1 && other.X > 4",
    'other.Name > "b" && other.Name < "a"',
    "CpuNumber > 2 && other.CpuNumber < 2",
    "other.X != 3 && other.X == 4",
  ])("MT-2 %s is not judged, or may become true of a site", (requirements) => {
    expect(problemOfDescription(job({ requirements }))).toBeUndefined();
  });

  it("MT-3 given requirements come with the production clause, except with strictDefaults: false", () => {
    const canonical = (said: Partial<JobDescription>) => {
      const read = parseExpression(requirementsOf(job(said).description));
      return read.ok ? unparse(read.value.node) : read.refusal.what;
    };
    const production = 'other.GlueCEStateStatus == "Production"';
    expect(canonical({})).toBe(production);
    expect(canonical({ strictDefaults: false })).toBe(production);
    const requirements = "other.A || other.B // or else";
    expect(canonical({ requirements })).toBe(`${production} && (other.A || other.B)`);
    expect(canonical({ requirements, strictDefaults: false })).toBe("other.A || other.B");
  });

  it("has the description in its ad, and other attributes as expressions", () => {
    const memoryBytes = 3 * 1024 * 1024 + 1;
    const self = jobAdOf(job({ memoryBytes, wallTimeMs: 90_000, attributes: { Twice: "2 * Memory" } }));
    const shown = (name: string) => valueText(evaluateAttribute(name, { self }));
    expect(["CpuNumber", "Memory", "WallTime", "Twice"].map(shown)).toEqual(["4", "4", "90", "8"]);
    expect(shown("VirtualOrganisation")).toBe('"cms"');
    expect(self.attributes.has("jobname")).toBe(false);
  });
});
