import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { aJob, capturedProgram, NOW } from "../../test/captured-program.ts";
import type { JobFilter, JobView } from "../api/client/index.ts";

const ran: Partial<JobView> = {
  ...{
    id: "7f3a",
    state: "DONE",
    result: "failed",
    exitCode: 3,
    site: "elm",
    siteJob: "4711",
    name: "a <b>",
  },
  ...{ consumer: "cms/higgs/ann", owner: "ann", procs: 4, ranSec: 7200.4, cpuSec: 27_000 },
  ...{ startedAt: "2026-05-30T08:00:00.000Z", endedAt: "2026-05-30T10:00:00.400Z" },
};

function brokerOf(...jobs: Partial<JobView>[]) {
  const asked: JobFilter[] = [];
  const items = jobs.map((change) => aJob(change));
  return {
    asked,
    jobs: async (filter: JobFilter = {}) => {
      asked.push(filter);
      const first = filter.cursor === undefined;
      return first ? { items: items.slice(0, 1), next: "1" } : { items: items.slice(1), next: null };
    },
  };
}

const never: Partial<JobView> = { ...ran, startedAt: null };

describe("stint usage export", () => {
  it("--format apel writes keys and values, a record after the other", async () => {
    const broker = brokerOf(ran, { ...ran, id: "8a", siteJob: null, cpuSec: null }, never);
    const words = ["--since", "2026-05-01", "--site-name", "ELM", "--service-level", "HEPSPEC:11.2"];
    const { out, err } = await capturedProgram(broker).call("usage", "export", "--format", "apel", ...words);
    const [head, ...rest] = out.split("\n");
    expect(head).toBe("APEL-individual-job-message: v0.3");
    const records = rest.join("\n").split("%%\n").slice(0, -1).map(fieldsOf);
    expect(records).toHaveLength(2);
    expect(records[0]).toMatchObject({
      ...{ Site: "ELM", MachineName: "ELM", Queue: "elm", LocalJobId: "4711", LocalUserId: "ann" },
      ...{ GlobalUserName: "cms/higgs/ann", VO: "cms", VOGroup: "/cms/higgs", FQAN: "/cms/higgs" },
      ...{ WallDuration: "7200", CpuDuration: "27000", Processors: "4", StartTime: "1780128000" },
      ...{ EndTime: "1780135200", ServiceLevelType: "HEPSPEC", ServiceLevel: "11.2" },
    });
    expect(records[1]).toMatchObject({ LocalJobId: "8a" });
    expect(records[1]).not.toHaveProperty("CpuDuration");
    expect(err).toBe("stint: 2 records; 1 job without one: not ended, or never ran\n");
    expect(broker.asked[0]).toMatchObject({
      time: "ended",
      sort: "ended",
      since: "2026-05-01T00:00:00.000Z",
    });
  });

  it("FO-152 --format ur writes the blocks of a usage record 2", async () => {
    const { out } = await capturedProgram(brokerOf(ran)).call("usage", "export", "--format", "ur");
    expect(out).toMatch(
      /^<\?xml version="1\.0" encoding="UTF-8"\?>\n<urf:UsageRecords xmlns:urf="http:[^"]+">\n/,
    );
    expect([...out.matchAll(/<urf:(\w+Block|UsageRecord)>/g)].map(([, name]) => name)).toEqual([
      ...["UsageRecord", "RecordIdentityBlock", "SubjectIdentityBlock", "JobUsageBlock", "ComputeUsageBlock"],
    ]);
    for (const element of [
      ...[`<urf:CreateTime>${NOW}</urf:CreateTime>`, "<urf:JobName>a &lt;b&gt;</urf:JobName>"],
      ...['<urf:CpuDuration urf:usageType="all">PT27000S<', "<urf:WallDuration>PT7200S<"],
      ...["<urf:Status>failed<", "<urf:ExitStatus>3<", "<urf:Processors>4<", "</urf:UsageRecords>\n"],
    ]) {
      expect(out).toContain(element);
    }
  });

  it("--format csv has a row for each; --pseudonyms hides people, the same each time", async () => {
    const file = join(mkdtempSync(join(tmpdir(), "stint-key-")), "key");
    writeFileSync(file, "0123456789abcdef");
    const call = () =>
      capturedProgram(brokerOf(ran)).call("usage", "export", "--format", "csv", "--pseudonyms", file);
    const [{ out }, again] = [await call(), await call()];
    const [head, row] = out.split("\r\n");
    expect(head).toMatch(/^recordId,createdAt,site,.*,serviceLevelType,serviceLevel$/);
    expect(row).toMatch(/,[0-9a-f]{16},[0-9a-f]{16},cms,\/cms\/higgs,7200,27000,4,/);
    expect(out).not.toContain("ann");
    expect(again.out).toBe(out);
  });

  it.each([
    [["--format", "pdf"], '--format: "pdf" is unknown'],
    [["--format", "ur", "--service-level", "fast"], "is not a benchmark value"],
    [["--format", "ur", "--pseudonyms", "/dev/null"], "/dev/null is too short for a key"],
  ])("%j is refused", async (words, what) => {
    const called = await capturedProgram(brokerOf(ran)).call("usage", "export", ...words);
    expect(called.code).toBe(2);
    expect(called.err).toContain(what);
  });
});

function fieldsOf(text: string): Record<string, string> {
  return Object.fromEntries(
    text
      .trimEnd()
      .split("\n")
      .map((line) => line.split(": ") as [string, string]),
  );
}
