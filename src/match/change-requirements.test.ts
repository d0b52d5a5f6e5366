import { describe, expect, it } from "vitest";
import { JOB_DEFAULTS } from "../model/index.ts";
import { changedRequirements } from "./change-requirements.ts";
import { matchingNames } from "./choose.ts";
import { siteAdOf } from "./site-ad.ts";

const ad = siteAdOf({ site: "a", system: "stint", status: "Production", procs: 8, freeProcs: 8, stores: [] });
const job = (requirements: string) => ({
  ...{ id: "j", consumer: "vo/g/u", owner: "u" },
  description: { ...JOB_DEFAULTS, executable: "a", requirements },
});

describe("changed requirements", () => {
  it.each([
    ["other.GlueCEStateFreeCPUs >= 16", "other.GlueCEStateFreeCPUs >= 8", 1],
    ['other.Gpus >= 1 && other.Name == "a"', 'other.Name == "a"', 1],
    ["other.Gpus >= 1 && other.GlueCEStateFreeCPUs > 16", "other.GlueCEStateFreeCPUs > 7", 2],
    ['CpuNumber > 0 || false && true && other.Name == "z" || other.No', undefined, 0],
    ['(other.No || other.Gpus > 1) && other.Name == "a" && true', '(other.Name == "a") && (true)', 1],
  ])("MT-8 %s becomes %s, in %d parts", (before, after, parts) => {
    const changed = changedRequirements(job(before), ad, 0);
    expect([changed?.requirements, changed?.parts ?? 0]).toEqual([after, parts]);
    if (after !== undefined) expect(matchingNames(job(after), [{ name: "a", ad }], 0)).toEqual(["a"]);
  });

  it("MT-8 what stands behind another attribute of the job, or the site demands, is left alone", () => {
    const behind = job("Wanted && true");
    const attributes = { Wanted: "other.Gpus >= 1" };
    const referring = { ...behind, description: { ...behind.description, attributes } };
    expect(changedRequirements(referring, ad, 0)?.requirements).toBeUndefined();
  });
});
