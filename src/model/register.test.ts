import { describe, expect, it } from "vitest";
import { EVENT_VERSIONS, FEATURE_ACTIONS, PROGRAM_ROLES, ROLES } from "./index.ts";
import { ALL } from "./register.ts";

describe("what features say of themselves", () => {
  it("EN-14 each kind of event and refusal, each role and each action is of one feature alone", () => {
    const tables = [
      ALL.map(({ events }) => events),
      ALL.map(({ refusals }) => refusals),
      ALL.map(({ roles = {} }) => roles),
      ALL.map(({ actions = {} }) => actions),
    ];
    for (const table of tables) {
      const kinds = table.flatMap((one) => Object.keys(one));
      expect(new Set(kinds).size).toBe(kinds.length);
      expect(kinds.length).toBeGreaterThan(2);
    }
  });

  it("EN-14 all of them are in the joined tables", () => {
    const events = ALL.flatMap((feature) => Object.keys(feature.events));
    expect(Object.keys(EVENT_VERSIONS).sort()).toEqual([...events].sort());
    expect(ROLES.slice(6)).toEqual(Object.keys(PROGRAM_ROLES));
    expect(Object.keys(FEATURE_ACTIONS)).toContain("followPolicy");
  });
});
