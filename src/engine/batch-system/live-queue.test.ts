import { describe, expect, it } from "vitest";
import {
  aCluster,
  aJob,
  aNode,
  aPartition,
  aReservation,
  capturedCluster,
  MINUTE_MS,
  NOW_MS,
} from "../../../test/cluster-scene.ts";
import { clusterMachine } from "./cluster-machine.ts";
import { liveQueue } from "./live-queue.ts";

const names = ["n1", "n2"];
const scene = {
  nodes: names.map((name) => aNode(name, { allocatedProcs: name === "n1" ? 4 : 0 })),
  partitions: [aPartition("main", names), aPartition("more", ["n2"])],
};
const running = aJob("9", {
  ...{ state: "running", nodes: ["n1"], procs: 4, nodeCount: 1 },
  expectedEndAtMs: NOW_MS + 10 * MINUTE_MS,
});

describe("the queue of a cluster as a workload", () => {
  it("CW-13 has the pools, running jobs, reservations, and waiting jobs in order of priority", () => {
    const reservation = aReservation("maintenance", ["n2"], {
      ...{ startAtMs: NOW_MS + 60 * MINUTE_MS, endAtMs: NOW_MS + 90 * MINUTE_MS, procs: 4 },
    });
    const queue = liveQueue(
      aCluster({
        ...scene,
        reservations: [reservation],
        jobs: [
          running,
          aJob("1", { procs: 4, priority: 10, limitMs: 30 * MINUTE_MS, expectedStartAtMs: NOW_MS - 1 }),
          aJob("2", { procs: 2, priority: 20, expectedStartAtMs: NOW_MS + MINUTE_MS }),
        ],
      }),
    );
    expect(queue.pools.map(({ name, capacity }) => [name, capacity[0]])).toEqual([
      ["main", 4],
      ["main+more", 4],
    ]);
    expect(queue.running).toMatchObject([{ pool: 0, startAtMs: NOW_MS, endAtMs: NOW_MS + 10 * MINUTE_MS }]);
    expect(queue.reserved).toMatchObject([{ pool: 1, startAtMs: reservation.startAtMs }]);
    expect(queue.waiting.map(({ siteJob, expectedStartAtMs }) => [siteJob, expectedStartAtMs])).toEqual([
      ["2", NOW_MS + MINUTE_MS],
      ["1", null],
    ]);
    expect(queue.leftOut).toEqual({ forTheirOwn: 0, tooWide: 0, inReservations: 0 });
  });

  it("CW-13 counts jobs with a cause of their own, for several pools, and in reservations", () => {
    const queue = liveQueue(
      aCluster({
        ...scene,
        jobs: [
          aJob("1", { state: "held", priority: 0, reason: "JobHeldUser" }),
          aJob("2", { reason: "Dependency", count: 3 }),
          aJob("3", { procs: 8, nodeCount: 2 }),
          aJob("4", { reservation: "mine" }),
          aJob("5_[1-9%2]", { count: 9, arrayLimit: 2, expectedStartAtMs: NOW_MS + 1 }),
        ],
      }),
    );
    expect(queue.waiting.map(({ siteJob }) => siteJob)).toEqual(["5_[1-9%2]", "5_[1-9%2]#2"]);
    expect(queue.waiting.map(({ expectedStartAtMs }) => expectedStartAtMs)).toEqual([NOW_MS + 1, null]);
    expect(queue.leftOut).toEqual({ forTheirOwn: 4, tooWide: 1, inReservations: 1 });
  });

  it("CW-13 of captured clusters has the pools and jobs of their machines", () => {
    for (const name of ["captured-22.05-a", "captured-22.05-b"] as const) {
      const snapshot = capturedCluster(name);
      const queue = liveQueue(snapshot);
      const { machine, classes, jobs } = clusterMachine(snapshot);
      expect(queue.pools.map(({ capacity }) => capacity)).toEqual(classes.map(({ capacity }) => capacity));
      expect(queue.reserved).toHaveLength(machine.reservations.size);
      expect(queue.waiting.length).toBeLessThanOrEqual(jobs);
    }
  });
});
