import { describe, expect, it } from "vitest";
import { APPLICATION_ASKED, JOB_DEFAULTS } from "../model/index.ts";
import { applicationFor } from "./application-range.ts";
import { type MatchedJob, matchingNames, matchTable } from "./choose.ts";
import { applicationIn } from "./job-ad.ts";
import { siteAdOf } from "./site-ad.ts";

const having = (name: string, ...applications: readonly string[]) => ({
  name,
  ad: siteAdOf({
    ...{ site: name, system: "stint", status: "Production", procs: 4, stores: [], applications },
  }),
});
const SITES = [
  having("old", "gromacs/2021.4", "gnu/12"),
  having("new", "Gromacs/2024", "gromacs/2023.1", "gnu/9"),
  having("plain", "gromacs"),
  having("spack", "gromacs@2022"),
];
const job = (...applications: readonly string[]): MatchedJob => ({
  ...{ id: "j", consumer: "vo", owner: "u" },
  description: { ...JOB_DEFAULTS, executable: "a", applications },
});

describe("MT-12 versions of applications", () => {
  it.each([
    [["gromacs >= 2023"], ["new"]],
    [["GROMACS>2021.4"], ["new", "spack"]],
    [["gromacs < 2022"], ["old"]],
    [["gromacs >= 2021.10"], ["new", "spack"]],
    [["gromacs == 2022"], ["spack"]],
    [["gromacs >= 2022 < 2023"], ["spack"]],
    [["gromacs >= 2020", "gnu > 9"], ["old"]],
    [["gromacs"], ["plain"]],
    [["amber >= 1"], []],
  ])("%s match %s", (applications, names) => {
    expect([...matchingNames(job(...applications), SITES, 0)].sort()).toEqual(names);
  });

  it("of a site's versions the newest that is in the range is used, the very name without a range", () => {
    const names = ["gnu/9", "gnu/11.2", "gnu/11.10", "gnu/12"];
    expect(applicationFor(names, "gnu >= 9")).toBe("gnu/12");
    expect(applicationFor(names, "GNU < 12")).toBe("gnu/11.10");
    expect(applicationFor(names, "gnu >= 10 < 11.5")).toBe("gnu/11.2");
    expect(applicationFor(names, "gnu > 12")).toBeUndefined();
    expect(applicationFor(names, "Gnu/9")).toBe("gnu/9");
    expect(applicationFor(names, "gnu")).toBeUndefined();
  });

  it("a clause of a range is told as the job says it", () => {
    const { clauses, changes } = matchTable(job("gromacs >= 2022 < 2023"), SITES, 0);
    expect(changes.map(({ text }) => text)).toEqual(["without the application gromacs >= 2022 < 2023"]);
    expect(clauses.map(({ text }) => applicationIn(text))).toContain("gromacs >= 2022 < 2023");
    expect(clauses.map(({ text }) => applicationIn(text))).toHaveLength(2);
  });

  it.each([
    ["gromacs >= 2023", true],
    ["gromacs>=2023<2025", true],
    ["gromacs >=", false],
    ['gromacs >= "x"', false],
    ["gromacs => 2023", false],
    ["a >= 1 < 2 < 3", false],
  ])("%s is read: %s", (text, isRead) => {
    expect(APPLICATION_ASKED.test(text)).toBe(isRead);
  });
});
