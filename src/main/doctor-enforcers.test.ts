import { describe, expect, it } from "vitest";
import { examineEnforcers } from "./doctor.ts";

describe("stint doctor on enforcers", () => {
  const east = { site: "east", version: 3 };

  it("says which cannot act, and why", () => {
    expect(
      examineEnforcers([east, { ...east, site: "west", cannotAct: "the budget is used up" }]),
    ).toMatchObject({ isWell: false, found: "that of west cannot act: the budget is used up" });
    expect(examineEnforcers([east])).toMatchObject({ isWell: true });
  });

  it("is silent where nobody has anything to enforce", () => {
    expect(examineEnforcers([{ ...east, version: null }])).toBeUndefined();
  });
});
