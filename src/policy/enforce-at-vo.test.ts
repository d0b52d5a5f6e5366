import { describe, expect, it } from "vitest";
import { enforceAtVo, type VoGroup } from "./enforce-at-vo.ts";

function group(consumer: string, more: Partial<VoGroup> = {}, procs: readonly number[] = []): VoGroup {
  const waiting = procs.map((width, at) => ({ job: `${consumer}${at + 1}`, procs: width }));
  return { consumer, inUse: 0, epoch: 5, burst: 8, extra: 2, isBelowEpoch: false, waiting, ...more };
}
const told = (groups: readonly VoGroup[], allocation = 10) =>
  enforceAtVo(groups, allocation).releases.map((it) => `${it.job} ${it.case}`);

describe("the V-PEP of a virtual organisation", () => {
  it("case 1: releases one job of an idle group within burst and extra", () => {
    expect(told([group("g", {}, [10])])).toEqual(["g1 idle"]);
    expect(told([group("g", {}, [11])])).toEqual([]);
  });

  it("case 2: releases jobs while capacity is left and the burst allows", () => {
    expect(told([group("g", {}, [3, 3, 3])])).toEqual(["g1 idle", "g2 capacity"]);
  });

  it("case 3: when full, releases jobs of groups below their share and stops the others", () => {
    const over = group("g", { inUse: 7 }, [1]);
    const under = group("h", { inUse: 3 }, [2, 1]);
    const { releases, stopped } = enforceAtVo([under, over], 10);
    expect(releases.map((it) => `${it.job} ${it.case}`)).toEqual(["h1 contention", "h2 extra"]);
    expect(stopped).toEqual(["g"]);
  });

  it("backfill: releases one more than fits for a group below its share over the epoch", () => {
    expect(
      told([group("g", { inUse: 4, extra: 0, isBelowEpoch: true }, [3, 3]), group("h", { inUse: 6 })]),
    ).toEqual(["g1 backfill"]);
  });

  it("gives groups turns, a job at a time", () => {
    expect(told([group("g", {}, [2, 2]), group("h", {}, [2, 2])])).toEqual([
      ...["g1 idle", "h1 idle", "g2 capacity", "h2 capacity"],
    ]);
  });

  it("lets other groups use what a group without waiting jobs leaves free", () => {
    const idle = group("g");
    const { releases } = enforceAtVo([idle, group("h", { burst: 10 }, Array(12).fill(1))], 10);
    expect(releases).toHaveLength(10);
    const limited = enforceAtVo([idle, group("h", { burst: 7, extra: 0 }, Array(12).fill(1))], 10);
    expect(limited.releases).toHaveLength(7);
  });

  it("gives the first turn to the first group of its input", () => {
    const [few, many] = [group("g", { inUse: 4 }, [1, 1]), group("h", { inUse: 5 }, [1, 1])];
    expect(told([few, many])[0]).toBe("g1 capacity");
    expect(told([many, few])[0]).toBe("h1 capacity");
  });

  it.each([0, 3, 20])("from %i of 20 on, a group's part moves towards its share and stays there", (from) => {
    const inUse = { few: from, many: 20 - from };
    const shares = { few: 4, many: 16 };
    const names = ["few", "many"] as const;
    const seen: number[] = [];
    let turn = 0;
    for (let round = 0; round < 120; round++) {
      // The jobs end one by one, of each group in proportion to its running jobs.
      turn = (turn + 7) % (inUse.few + inUse.many);
      inUse[turn < inUse.few ? "few" : "many"] -= 1;
      const groups = names.map((name) =>
        group(name, { inUse: inUse[name], epoch: shares[name], burst: 20, extra: 0 }, [1, 1, 1]),
      );
      for (const { consumer } of enforceAtVo(groups, 20).releases) inUse[consumer as "few" | "many"] += 1;
      seen.push(inUse.few);
    }
    for (const procs of seen.slice(60)) expect(Math.abs(procs - 4)).toBeLessThanOrEqual(1);
  });
});
