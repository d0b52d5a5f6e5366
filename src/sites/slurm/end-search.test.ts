/** Ends of our jobs that the controller has forgotten. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { failed, type result, scripted } from "../../../test/scripted-slurm.ts";
import { SLURM_DEFAULTS } from "../../model/index.ts";
import { openSlurmSite } from "./open-site.ts";

describe("jobs that the controller has forgotten", () => {
  let directory: string;
  let nowMs: number;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), "stint-forgotten-"));
    nowMs = 1_800_000_000_000;
  });
  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  const clock = { nowMs: () => nowMs };
  const size = { procs: 8, memoryBytes: 2 ** 30 };
  const writable = {
    ...SLURM_DEFAULTS,
    type: "slurm",
    ...size,
    readOnly: false,
    submitDirectory: "/s",
  } as const;
  const order = {
    ...{ token: "a/1", command: ["true"], environment: {}, limitMs: 60_000, inputFiles: [] },
    ...{ stdOutput: "out", stdError: "err", procs: 1, memoryBytes: 0, reservation: null, name: "n" },
  };

  /** A submitted job that is in no list. */
  const forgotten = async () => {
    const answers: Record<string, string | ReturnType<typeof result>> = { sbatch: "41" };
    answers["scontrol --all --oneliner --details show node"] = "NodeName=n CPUTot=8 RealMemory=9000\n";
    const { asked, run } = scripted(answers);
    const site = await openSlurmSite({ name: "c", spec: writable, directory, clock, run });
    await site.submit(order);
    const isAsked = () => asked.some((line) => line.startsWith("sacct "));
    return { answers, asked, isAsked, site, comment: /--comment=(\S+)/.exec(asked.join("\n"))?.[1] ?? "" };
  };
  const head = "JobID|State|ExitCode|Submit|Start|End|NodeList|Reason|WorkDir|Comment|JobName\n";
  const report =
    '{"token":"a/1","siteJob":"41","cause":"ended","exitCode":3,"signal":null,' +
    '"startedAtMs":1799999000000,"endedAtMs":1799999900000,"cpu":""}\n';

  it("what the accounting does not know either is told by its report, after a while", async () => {
    const { answers, site, isAsked } = await forgotten();
    answers.sacct = head;
    answers.cat = report;
    expect((await site.survey()).ended).toEqual([]);
    nowMs += 6000;
    const end = { cause: "exited", exitCode: 3 };
    expect((await site.survey()).ended).toMatchObject([{ siteJob: "41", startedAtMs: 1799999000000, end }]);
    expect(isAsked()).toBe(true);
  });

  it("a job that was cancelled is told so by its report alone", async () => {
    const { answers, site } = await forgotten();
    answers.cat = report
      .replace('"ended"', '"cancelled"')
      .replace(':3,"signal":null', ':null,"signal":"SIGTERM"');
    await site.survey();
    nowMs += 6000;
    const end = { cause: "cancelled", signal: "SIGTERM" };
    expect((await site.survey()).ended).toMatchObject([{ siteJob: "41", end }]);
  });

  it("SU-37 FS-30 while the accounting is silent a job is neither there nor over, then once", async () => {
    const { answers, site, comment } = await forgotten();
    answers.sacct = failed("sacct: error: Problem talking to the database: Connection refused");
    for (let hour = 0; hour < 3; hour++) {
      const { ended, jobs } = await site.survey();
      expect([ended, jobs]).toMatchObject([[], [{ token: "a/1", siteJob: "41", state: "unknown" }]]);
      nowMs += 3_600_000;
    }
    const times = "1799999000|Unknown|1799999900";
    answers.sacct = `${head}41|CANCELLED by 0|0:0|${times}|None assigned|None|/else|${comment}|mine\n`;
    const { ended, jobs } = await site.survey();
    expect([ended, jobs]).toMatchObject([[{ siteJob: "41", end: { cause: "cancelled" } }], []]);
  });

  it("SU-37 where no accounting is kept nothing is waited for, and it is asked for ten minutes", async () => {
    const { answers, asked, site } = await forgotten();
    answers.sacct = failed("Slurm accounting storage is disabled");
    expect((await site.survey()).jobs).toEqual([]);
    nowMs += 600_000;
    const before = asked.length;
    await site.survey();
    expect(asked.slice(before).filter((line) => line.startsWith("sacct "))).toEqual([]);
  });
});
