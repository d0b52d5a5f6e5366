import { describe, expect, it } from "vitest";
import type { SubmitOrder } from "../../runtime/index.ts";
import { submissionWords } from "./submission.ts";

const ORDER: SubmitOrder = {
  ...{ token: "j/1", command: ["true"], environment: {}, inputFiles: [], stdOutput: "o", stdError: "e" },
  ...{ name: "j", procs: 8, memoryBytes: 0, limitMs: 60_000, reservation: null },
};
const PLACE = { jobName: "j", comment: "c", directory: "/d", reservation: null };
const SPEC = { account: null, partition: null, qos: null };

describe("words of sbatch", () => {
  it("name the queue of the order, else the partition of the configuration", () => {
    const partitionOf = (queue: string | undefined, partition: string | null) =>
      submissionWords({ ...ORDER, ...(queue && { queue }) }, PLACE, { ...SPEC, partition }).filter((word) =>
        word.startsWith("--partition"),
      );
    expect(partitionOf(undefined, null)).toEqual([]);
    expect(partitionOf("long", null)).toEqual(["--partition=long"]);
    expect(partitionOf(undefined, "main")).toEqual(["--partition=main"]);
  });

  const hostWords = (hosts: SubmitOrder["hosts"]) =>
    submissionWords({ ...ORDER, ...(hosts && { hosts }) }, PLACE, SPEC).filter((word) =>
      /^--(nodes|ntasks-per-node|exclusive)/.test(word),
    );

  it("spread the processors over nodes as the job asks, and not otherwise", () => {
    expect(hostWords(undefined)).toEqual([]);
    const hosts = { hostNumber: 2, smpGranularity: 4, wholeNodes: true };
    expect(hostWords(hosts)).toEqual(["--nodes=2", "--ntasks-per-node=4", "--exclusive"]);
    expect(hostWords({ smpGranularity: 4 })).toEqual(["--ntasks-per-node=4"]);
  });

  it("exclude the nodes that the order avoids", () => {
    const excluded = (more: Partial<SubmitOrder>) =>
      submissionWords({ ...ORDER, ...more }, PLACE, SPEC).filter((word) => word.startsWith("--exclude"));
    expect(excluded({})).toEqual([]);
    expect(excluded({ avoidedNodes: ["n3", "n7"] })).toEqual(["--exclude=n3,n7"]);
  });
});
