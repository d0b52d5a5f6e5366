import { describe, expect, it } from "vitest";
import { policy, type Scene, siteOf, told } from "../../../test/enforced-scene.ts";
import { enforce } from "./enforce.ts";

const HOUR = 3_600_000;

const literally = (scene: Scene, nowMs = HOUR) =>
  enforce(siteOf({ ...scene, rules: { granted: ["hold", "suspend"], form: "literal" } }, nowMs), nowMs);

const policies = [policy("a", 20, { burst: 60, rule: "cap" }), policy("b", 80, { burst: 90, rule: "cap" })];
const running = { state: "running" as const };

describe("the source's logic", () => {
  it("cases 1 and 2: releases one job of each consumer in a turn, in the order of the policies", () => {
    const jobs = [{ consumer: "b" }, { consumer: "a" }, { consumer: "a" }];
    const { actions, wakeAtMs } = literally({ policies, jobs });
    expect(actions.map(({ verb, job, cause }) => [verb, job, cause.kind])).toEqual([
      ["release", "b", "idleSite"],
      ["release", "a", "freeCapacity"],
    ]);
    expect(wakeAtMs).toBe(HOUR + 1_000);
  });

  it("releases up to the burst, whatever the width of the job", () => {
    const jobs = [
      { ...running, consumer: "a", need: 5 },
      { consumer: "a", need: 3 },
    ];
    expect(told(literally({ policies, jobs }, 0))).toEqual(["release b"]);
    expect(told(literally({ policies, jobs: [{ ...jobs[0], need: 6 }, jobs[1]] }, 0))).toEqual([]);
  });

  it("case 3: suspends one job over quota and releases one, whether it fits or not", () => {
    const jobs = [
      { ...running, consumer: "a", need: 5, begunAtMs: 0 },
      { ...running, consumer: "a", need: 1, begunAtMs: 1 },
      { ...running, consumer: "b", need: 4 },
      { consumer: "b", need: 4 },
    ];
    expect(told(literally({ policies, jobs }, 2))).toEqual(["suspend b", "release d"]);
  });

  it("suspends all jobs of a consumer over its epoch share", () => {
    const jobs = [
      { ...running, consumer: "a", need: 2 },
      { ...running, consumer: "a", need: 2 },
    ];
    expect(told(literally({ policies, jobs }, HOUR / 2))).toEqual([]);
    expect(told(literally({ policies, jobs }, HOUR / 2 + 1))).toEqual(["suspend b", "suspend a"]);
  });

  it("suspends them under entitlement only while another consumer is denied its share", () => {
    const lent = [policy("a", 20), policy("b", 80)];
    const jobs = [{ ...running, consumer: "a", need: 4 }];
    expect(told(literally({ policies: lent, jobs }))).toEqual([]);
    const waiting = [...jobs, { consumer: "b", need: 1 }, { consumer: "b", need: 1 }];
    expect(told(literally({ policies: lent, jobs: waiting }))).toEqual(["release b", "suspend a"]);
  });

  it("obeys grants and budgets", () => {
    const jobs = [{ ...running, consumer: "a", need: 6 }];
    const none = siteOf({ policies, jobs, rules: { granted: ["hold"], form: "literal" } }, HOUR);
    expect(enforce(none, HOUR).actions).toEqual([]);
    const small = { ...none, rules: { ...none.rules, granted: ["hold", "suspend"] as const } };
    expect(enforce(small, HOUR).leftOut.map(({ budget }) => budget)).toEqual(["suspended"]);
    const spent = { ...small, rules: { ...small.rules, suspendedPpm: 1_000_000 }, actionsLeft: 0 };
    expect(enforce(spent, HOUR).leftOut.map(({ budget }) => budget)).toEqual(["actions"]);
  });
});
