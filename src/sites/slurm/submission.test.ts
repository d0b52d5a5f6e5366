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
});
