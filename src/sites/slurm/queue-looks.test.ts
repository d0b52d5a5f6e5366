import { describe, expect, it } from "vitest";
import { aJob } from "../../../test/cluster-scene.ts";
import { Fault } from "../../base/index.ts";
import type { Ask } from "./ask.ts";
import { QueueLooks } from "./queue-looks.ts";

const MINUTE = 60_000;
const PARTITIONS = [
  "PartitionName=long Default=NO Nodes=n1 MaxTime=2-00:00:00 State=UP TotalCPUs=8 AllowAccounts=ALL",
  "PartitionName=main Default=YES Nodes=n1 MaxTime=01:00:00 State=UP TotalCPUs=8 AllowAccounts=ALL",
  "PartitionName=chem Default=NO Nodes=n1 MaxTime=01:00:00 State=UP TotalCPUs=8 AllowAccounts=chem",
  "PartitionName=root Default=NO Nodes=n1 MaxTime=01:00:00 State=UP TotalCPUs=8 RootOnly=YES",
].join("\n");
const NODES = "NodeName=n1 CPUTot=8 CPUAlloc=3 RealMemory=4096 State=MIXED Partitions=main,long";
const JOB = { ...aJob("7"), name: "", comment: null, workDirectory: null };
const SPEC = { account: "physics", partition: null, readOnly: false };

function looking(spec: Partial<ConstructorParameters<typeof QueueLooks>[0]> = {}) {
  const clock = { at: 0, nowMs: () => clock.at };
  const asked: string[] = [];
  const state = { fails: false };
  const ask: Ask = async (what) => {
    asked.push(what);
    if (state.fails) {
      throw new Fault({ kind: "unreachable", code: "siteHung", what: "no", why: "it hangs", remedy: "wait" });
    }
    return what === "nodes" ? NODES : PARTITIONS;
  };
  return { looks: new QueueLooks({ ...SPEC, ...spec }, ask, clock), clock, asked, state };
}

describe("SU-51 queues that jobs may name", () => {
  it("are those that take jobs of the account, the default one first", async () => {
    const { queues = [] } = await looking().looks.shown([]);
    expect(queues.map(({ queue }) => queue)).toEqual(["main", "long"]);
    expect(queues[1]).toMatchObject({ procs: 8, freeProcs: 5, maxWallTimeMs: 48 * 60 * MINUTE });
    const { queues: any = [] } = await looking({ account: null }).looks.shown([]);
    expect(any.map(({ queue }) => queue)).toEqual(["main", "long", "chem"]);
  });

  it("are not read again while nobody asks for them, for an hour", async () => {
    const { looks, clock, asked } = looking();
    await looks.shown([], false);
    for (let minute = 1; minute < 60; minute++) {
      clock.at = minute * MINUTE;
      expect((await looks.shown([], false)).queues).toHaveLength(2);
    }
    expect(asked).toHaveLength(2);
    await looks.shown([], true);
    expect(asked).toHaveLength(4);
    clock.at += 60 * MINUTE;
    await looks.shown([], false);
    expect(asked).toHaveLength(6);
  });

  it("are read with the next survey after jobs began to wait for nodes, or no longer do", async () => {
    const { looks, clock, asked } = looking();
    const waiting = (reason: string | null) => [{ ...JOB, reason }];
    const readings = async (reason: string | null): Promise<number> => {
      clock.at += MINUTE / 6;
      await looks.shown(waiting(reason), false);
      return asked.length / 2;
    };
    expect(await readings("Resources")).toBe(1);
    expect(await readings("Priority")).toBe(1);
    expect(await readings("ReqNodeNotAvail, UnavailableNodes:n1")).toBe(1);
    expect(await readings("ReqNodeNotAvail, UnavailableNodes:n1")).toBe(2);
    expect(await readings("ReqNodeNotAvail, UnavailableNodes:n1")).toBe(2);
    expect(await readings("Resources")).toBe(2);
    expect(await readings("Resources")).toBe(3);
    expect(await readings("Resources")).toBe(3);
  });

  it("are read after four minutes if asked for, half a minute after a failure, and are kept", async () => {
    const { looks, clock, asked, state } = looking();
    await looks.shown([]);
    clock.at += 4 * MINUTE - 1;
    await looks.shown([]);
    expect(asked).toEqual(["partitions", "nodes"]);
    state.fails = true;
    clock.at += 1;
    expect((await looks.shown([])).queues).toHaveLength(2);
    expect(asked).toHaveLength(3);
    state.fails = false;
    clock.at += MINUTE / 2;
    await looks.shown([]);
    expect(asked).toHaveLength(5);
  });

  it("are forgotten ten minutes after the last reading, until the cluster can be read again", async () => {
    const { looks, clock, state } = looking();
    await looks.shown([]);
    state.fails = true;
    clock.at += 10 * MINUTE - 1;
    expect((await looks.shown([])).queues).toHaveLength(2);
    clock.at += 1;
    expect(await looks.shown([])).toEqual({});
    state.fails = false;
    clock.at += MINUTE;
    expect((await looks.shown([])).queues).toHaveLength(2);
  });

  it("are not read where the configuration names one, or no job of ours goes there", async () => {
    for (const spec of [{ partition: "main" }, { readOnly: true }]) {
      const { looks, asked } = looking(spec);
      expect(await looks.shown([])).toEqual({});
      expect(asked).toEqual([]);
    }
  });
});
