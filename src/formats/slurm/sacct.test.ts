import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type ImportRules, importAccounting, keyIn, sacctCommandLine, undisguised } from "./index.ts";
import { instantReader } from "./sacct-instants.ts";
import { disguiseWith } from "./sacct-names.ts";

const HEAD =
  "JobID|Submit|Eligible|Start|End|ElapsedRaw|TimelimitRaw|State|AllocCPUS|ReqCPUS|ReqMem|AllocTRES|" +
  "ReqTRES|NNodes|NodeList|Partition|User|Account";

interface Said {
  readonly [field: string]: string;
}

/** A row that ran from 1100 to 1200 with 4 processors, but for what is said. */
function row(id: string, said: Said = {}): string {
  const usual: Said = {
    ...{ JobID: id, Submit: "1000", Eligible: "1000", Start: "1100", End: "1200", ElapsedRaw: "100" },
    ...{ TimelimitRaw: "60", State: "COMPLETED", AllocCPUS: "4", ReqCPUS: "4", ReqMem: "1G", NNodes: "1" },
    ...{ AllocTRES: "", ReqTRES: "", NodeList: "n1", Partition: "batch", User: "ada", Account: "physics" },
  };
  return HEAD.split("|")
    .map((field) => said[field] ?? usual[field])
    .join("|");
}

const WAITING: Said = {
  ...{ Start: "Unknown", End: "Unknown", ElapsedRaw: "0", State: "PENDING", AllocCPUS: "0" },
  NodeList: "None assigned",
};
const RULES: ImportRules = {
  ...{ file: "sacct.txt", zone: "UTC", since: undefined, until: undefined, site: undefined, lenient: false },
  disguise: undisguised,
};

interface Line {
  readonly [word: string]: unknown;
}

function imported(rows: readonly string[], rules: Partial<ImportRules> = {}) {
  const found = importAccounting([HEAD, ...rows], { ...RULES, ...rules });
  const lines = [...found.lines].map((text): Line => JSON.parse(text));
  return { ...found, lines, jobs: lines.filter(({ job }) => job !== undefined) };
}

const job = (said: Said) => imported([row("1", said)]).jobs[0];
const at = (sec: number) => new Date(sec * 1000).toISOString().replace(".000Z", "Z");

describe("an accounting of Slurm", () => {
  it("FO-76 the command asks for fields of old versions, and none that reveal what a job does", () => {
    const line = sacctCommandLine("2026-03-01", "2026-04-01");
    expect(line).toContain("sacct -X -P --duplicates --allusers -S 2026-03-01 -E 2026-04-01 -o JobID,");
    expect(line).not.toMatch(/JobName|WorkDir|SubmitLine|Comment|Planned|Restarts/);
  });

  it.each([
    { rows: [row("1").slice(0, -8)], says: /^sacct\.txt:2:\d+: 17 fields instead of 18/ },
    { rows: [row("1"), row("2", { End: "soon" })], says: /^sacct\.txt:3:18: End "?soon"? cannot be read/ },
    { rows: [row("x")], says: /^sacct\.txt:2:1: JobID/ },
    { rows: [row("1_[9007199254740992-9007199254740993]")], says: /^sacct\.txt:2:1: JobID/ },
    { rows: [row("1", { ElapsedRaw: "a" })], says: /:23: ElapsedRaw/ },
  ])("FO-8 a malformed row is reported with its position: $says", ({ rows, says }) => {
    expect(() => imported(rows)).toThrow(says);
    const { counts, malformedMessages } = imported([...rows, row("9")], { lenient: true });
    expect(counts.skipped.malformed).toBe(1);
    expect(malformedMessages[0]).toMatch(says);
  });

  it("comment lines are skipped", () => {
    const { lines } = importAccounting(["# made by hand", "", HEAD, "# more", row("1")], RULES);
    expect([...lines]).toHaveLength(2);
  });

  it("a header without a mandatory field is refused", () => {
    expect(() => importAccounting(["JobID|Submit", "1|2"], RULES)).toThrow(/no field Start, End/);
  });

  it("FO-71 local times are of the stated zone", () => {
    const said = { Submit: "2026-07-01T10:00:00", Eligible: "2026-07-01T10:00:00" };
    const ran = { Start: "2026-07-01T10:01:00", End: "2026-07-01T10:02:40" };
    const { jobs, warnings } = imported([row("1", { ...said, ...ran })], { zone: "Europe/Berlin" });
    expect(jobs[0]).toMatchObject({ submit: "2026-07-01T08:00:00Z", recordedStart: "2026-07-01T08:01:00Z" });
    expect(warnings[0]).toBe("4 instants have no zone and were taken in Europe/Berlin");
    expect(() => imported([row("1")], { zone: "Atlantis" })).toThrow(/no time zone/);
  });

  it("FO-71 in the repeated hour the first possible instant counts, and is counted as ambiguous", () => {
    const reader = instantReader("Europe/Berlin");
    const first = Date.parse("2026-10-25T00:30:00Z");
    expect(reader?.read("2026-10-25T02:30:00", 0)).toBe(first);
    expect(reader?.read("2026-10-25T02:30:00", first + 1)).toBe(first + 3_600_000);
    expect(reader?.counts).toEqual({ local: 2, ambiguous: 2 });
    // Clocks went from 2:00 to 3:00.
    expect(reader?.read("2026-03-29T02:30:00", 0)).toBeUndefined();
    expect(reader?.read("2026-03-29T03:30:00", 0)).toBe(Date.parse("2026-03-29T01:30:00Z"));
  });

  it.each([
    { said: { ReqMem: "4Gn", NNodes: "2" }, is: { procs: 4, memory: "8G", nodes: 2 } },
    { said: { ReqMem: "4000Mc" }, is: { procs: 4, memory: "16000M" } },
    { said: { ReqMem: "16G" }, is: { memory: "16G" } },
    { said: { ReqMem: "0n", AllocTRES: "cpu=8,mem=64G,node=1" }, is: { procs: 4, memory: "64G" } },
    { said: { AllocTRES: "cpu=4,gres/gpu=2,gres/gpu:a100=2,mem=1G,node=1" }, is: { gpus: 2 } },
    { said: { AllocTRES: "cpu=4,gres/gpu:a100=2,gres/gpu:h100=1,node=1" }, is: { gpus: 3 } },
    { said: { AllocCPUS: "0", ReqTRES: "cpu=7,mem=2G,gres/gpu=1", ReqCPUS: "7" }, is: { procs: 7, gpus: 1 } },
  ])("amounts are those of the whole job: $said", ({ said, is }) => {
    expect(job(said)).toMatchObject(is);
  });

  it("uneven parts on nodes are omitted", () => {
    expect(job({ NNodes: "3" })).not.toHaveProperty("nodes");
  });

  it("FO-73 time before a job is eligible is no wait", () => {
    expect(job({ Submit: "500", Eligible: "1050" })).toMatchObject({ submit: at(1050), submitted: at(500) });
    expect(job({ Eligible: "Unknown" })).toMatchObject({ submit: at(1000), recordedStart: at(1100) });
    expect(job({ Eligible: "1150" })).toMatchObject({ submit: at(1100), recordedStart: at(1100) });
  });

  it("FO-73 each run of a requeued job waits from the end of the run before", () => {
    const again = { Submit: "1000", Start: "1300", End: "1400" };
    const { jobs, counts } = imported([row("1", again), row("1", { State: "REQUEUED", Submit: "999" })]);
    expect(jobs.map(({ job: id, submit }) => [id, submit])).toEqual([
      ["1", at(1000)],
      ["1#2", at(1200)],
    ]);
    expect(counts.requeued).toBe(1);
  });

  it("FO-73 a job cancelled in the queue has a cancellation; one cancelled later has its run time", () => {
    const queued = { State: "CANCELLED by 1000", NodeList: "None assigned", ElapsedRaw: "0" };
    const { lines } = imported([row("1", queued), row("2", { State: "CANCELLED by 1000" })]);
    expect(lines.slice(1)).toMatchObject([
      { job: "1", limit: 3600 },
      { cancel: "1", at: at(1200) },
      { job: "2", runtime: 100, recordedStart: at(1100) },
    ]);
    expect(lines[1]).not.toHaveProperty("recordedStart");
  });

  it("FO-73 a running job is assumed to reach its limit; a waiting job has no start", () => {
    const running = { State: "RUNNING", End: "Unknown" };
    const { jobs, counts } = imported([row("1", running), row("2_[4-9:2%3]", WAITING), row("3+0")]);
    expect(jobs.map(({ job: id, runtime, recordedStart }) => [id, runtime, recordedStart])).toEqual([
      ["1", 3600, at(1100)],
      ["2_4", undefined, undefined],
      ["2_6", undefined, undefined],
      ["2_8", undefined, undefined],
      ["3+0", 100, at(1100)],
    ]);
    expect(counts).toMatchObject({ rows: 3, jobs: 5, running: 1, waiting: 3, throttled: 3, parts: 1 });
  });

  it("FO-73 a job that ran at an unknown time has no recorded start", () => {
    const { jobs, counts, warnings } = imported([row("1", { Start: "Unknown" })]);
    expect(jobs[0]).toMatchObject({ runtime: 100 });
    expect(jobs[0]).not.toHaveProperty("recordedStart");
    expect(counts.startUnknown).toBe(1);
    expect(warnings.join()).toContain("1 jobs ran without a known start");
  });

  it("rows that give no job are counted by reason", () => {
    const late = { State: "RUNNING", End: "Unknown", ElapsedRaw: String(3 * 86_400) };
    const { counts } = imported(
      [
        row("1"),
        row("1.batch"),
        row("2", { AllocCPUS: "0", ReqCPUS: "0" }),
        row("3", { ElapsedRaw: "0" }),
        row("4", { ...WAITING, Eligible: "Unknown" }),
        row("5", { ...WAITING, TimelimitRaw: "UNLIMITED" }),
        row("6", { State: "CANCELLED", NodeList: "", ElapsedRaw: "0", Eligible: "Unknown" }),
        row("7", late),
        row("8", { Start: "1010", End: "1030", ElapsedRaw: "20" }),
        row("9", { Submit: "7000", Eligible: "7000", Start: "7000", End: "7100" }),
      ],
      { since: "1970-01-01T00:18:00", until: "1970-01-01T01:00:00" },
    );
    expect(counts.jobs).toBe(1);
    const { skipped } = counts;
    expect(Object.entries(skipped).flatMap(([reason, count]) => (count === 1 ? [reason] : []))).toEqual([
      ...["step", "neverEligible", "held", "noProcs", "noTime", "timeUnknown", "runaway", "beforePeriod"],
      "afterPeriod",
    ]);
  });

  it("FO-76 names are pseudonyms, equal in two imports only under the same key", async () => {
    const namesWith = (disguise = disguiseWith()) => imported([row("1")], { disguise }).jobs[0];
    const one = namesWith();
    expect(one.user).toMatch(/^user-[0-9a-f]{10}$/);
    expect(one.group).toMatch(/^account-[0-9a-f]{10}$/);
    expect(namesWith().user).not.toBe(one.user);
    const folder = mkdtempSync(join(tmpdir(), "stint-key-"));
    const file = join(folder, "key");
    const [first, second] = [await keyIn(file), await keyIn(file)];
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(namesWith(disguiseWith(first)).user).toBe(namesWith(disguiseWith(second)).user);
    rmSync(folder, { recursive: true });
  });

  it("FO-77 partitions on the same nodes are one pool, of the maximum in use at once", () => {
    const { lines, warnings } = imported([
      row("1", { NodeList: "n[1-2]" }),
      row("2", { NodeList: "n2", Partition: "debug", AllocCPUS: "2" }),
      row("3", { NodeList: "g1", Partition: "gpu", AllocTRES: "gres/gpu=2", AllocCPUS: "1" }),
      row("4", { Start: "1200", End: "1300" }),
    ]);
    expect(lines.slice(0, 2)).toEqual([
      { pool: "batch+debug", procs: 6, gpus: 0 },
      { pool: "gpu", procs: 1, gpus: 2 },
    ]);
    expect(warnings.join()).toContain("the size of the site is not given");
  });

  it("FO-77 with scontrol's output a pool has that size, and memory if no job exceeded it", () => {
    const node = (name: string, partitions: string) =>
      `NodeName=${name} CPUTot=16 RealMemory=4096 Gres=gpu:a100:2 State=IDLE Partitions=${partitions}\n`;
    const site =
      node("n1", "batch") +
      node("n2", "batch,debug").replace("IDLE", "DOWN") +
      "PartitionName=batch Nodes=n[1-2] MaxTime=02:00:00 State=UP\n" +
      "PartitionName=debug Nodes=n2 MaxTime=UNLIMITED State=UP\n";
    const open = { TimelimitRaw: "Partition_Limit" };
    const { lines, warnings, jobs, counts } = imported([row("1", open), row("2", { Partition: "old" })], {
      site,
    });
    expect(lines[0]).toEqual({ pool: "batch+debug", procs: 32, memory: "8G", gpus: 4 });
    expect(jobs).toMatchObject([{ job: "1", limit: 7200, pools: ["batch+debug"], queue: "batch" }]);
    expect(counts.skipped.partitionGone).toBe(1);
    expect(warnings.join()).toContain("1 nodes are down or drained now");
    const wide = imported([row("1", { AllocCPUS: "40", ReqMem: "99G" })], { site });
    expect(wide.lines[0]).toEqual({ pool: "batch+debug", procs: 40, gpus: 4 });
    expect(wide.warnings).toHaveLength(4);
  });
});
