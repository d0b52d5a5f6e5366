import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { failed, row, scripted } from "../../../test/scripted-slurm.ts";
import { SLURM_DEFAULTS, type SlurmSiteSpec } from "../../model/index.ts";
import type { ReservationOrder, SubmitOrder } from "../../runtime/index.ts";
import { openAttemptBook } from "./attempt-book.ts";
import { openSlurmSite } from "./open-site.ts";
import { commentOf } from "./own-jobs.ts";
import { reservationTokenOf } from "./reservation-words.ts";
import { rightsChecks } from "./rights-checks.ts";
import { cleanTraces, tracesOf } from "./traces.ts";

const NOW_MS = 1_000_000_500;
const spec: SlurmSiteSpec = {
  ...SLURM_DEFAULTS,
  ...{ type: "slurm", procs: 8, memoryBytes: 2 ** 33, readOnly: false, submitDirectory: "/data/stint" },
  ...{ account: "physics", partition: "main" },
};
const order: ReservationOrder = {
  ...{ token: "r-1", procs: 3, memoryBytes: 0 },
  ...{ startMs: NOW_MS + 60_000, endMs: NOW_MS + 90_000 },
};
const SHOW = "scontrol --all --oneliner show reservation";
const CREATE = "scontrol create reservation";

let directory: string;
let mark: string;
let name: string;

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), "stint-slurm-reservations-"));
  ({ mark } = await openAttemptBook(directory));
  name = `stint-${mark}-r-1`;
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

type Answers = Parameters<typeof scripted>[0];

/** A site at such a cluster, which shows a created reservation as in `created`. */
async function siteAt(
  answers: Answers,
  created = "",
  change: Partial<SlurmSiteSpec> = {},
  nowMs: () => number = () => NOW_MS,
) {
  const before = scripted({ "id -un": "svc\n", ...answers });
  const after = scripted({ ...answers, [SHOW]: `${answers[SHOW] ?? ""}${created}` });
  const asked: string[] = [];
  let isCreated = false;
  const run: typeof before.run = async (request) => {
    asked.push(request.words.join(" "));
    const result = await (isCreated ? after : before).run(request);
    if (asked.at(-1)?.startsWith(CREATE) && result.code === 0) isCreated = true;
    return result;
  };
  const clock = { nowMs };
  const site = await openSlurmSite({ name: "c", spec: { ...spec, ...change }, directory, clock, run });
  return { site, asked, run };
}

/** A line of scontrol: cores of nodes, with start and end in seconds from now. */
function line(called: string, fields: { nodes: string; procs: number; from?: number; to?: number }): string {
  const at = (seconds: number): number => Math.floor(NOW_MS / 1000) + seconds;
  const { nodes, procs, from = 60, to = 91 } = fields;
  const times = `StartTime=${at(from)} EndTime=${at(to)} Duration=00:00:31`;
  return `ReservationName=${called} ${times} Nodes=${nodes} NodeCnt=1 CoreCnt=${procs} TRES=cpu=${procs}\n`;
}

const nodes = "NodeName=n1 CPUTot=4\nNodeName=n2 CPUTot=4\n";
const changing = /^(scontrol (create|update|delete)|scancel)/;
const codeOf = (error: unknown): unknown => (error as { code?: string }).code;

describe("making a reservation", () => {
  it("it has our mark and token, the second of its end, our user and Slurm account", async () => {
    const { site, asked } = await siteAt({}, line(name, { nodes: "n1", procs: 3 }));
    expect(await site.reserve(order)).toBe(name);
    expect(asked.find((words) => words.startsWith(CREATE))).toBe(
      `${CREATE} ReservationName=${name} StartTime=uts1000060 EndTime=uts1000091 TRES=cpu=3 ` +
        "Users=svc Accounts=physics PartitionName=main",
    );
    expect(reservationTokenOf(mark, name)).toBe("r-1");
    expect(reservationTokenOf("0123456789ab", name)).toBeNull();
  });

  it("one that has begun already starts now", async () => {
    const { site, asked } = await siteAt({}, line(name, { nodes: "n1", procs: 3 }));
    await site.reserve({ ...order, startMs: NOW_MS - 5 });
    expect(asked.find((words) => words.startsWith(CREATE))).toContain(" StartTime=now ");
  });

  it("SU-5 at a site that is read-only nothing is asked, let alone reserved", async () => {
    const { site, asked } = await siteAt({}, "", { readOnly: true });
    await expect(site.reserve(order)).rejects.toMatchObject({ kind: "refused", code: "siteReadOnly" });
    await expect(site.unreserve("r-1")).rejects.toMatchObject({ kind: "refused", code: "siteReadOnly" });
    expect([asked, site.abilities.has("reserve")]).toEqual([[], false]);
  });

  it.each([
    ["memory", { memoryBytes: 1 }, "memoryNotReservable"],
    ["GPUs", { gpus: 1 }, "gpusNotReservable"],
  ])("%s are not set aside: an order with some is refused", async (_, more, code) => {
    const { site, asked } = await siteAt({});
    await expect(site.reserve({ ...order, ...more })).rejects.toMatchObject({ kind: "refused", code });
    expect(asked).toEqual([]);
  });

  it.each([
    ["Error creating the reservation: Invalid user id", "notAllowed", "siteMayNotReserve"],
    ["Error creating the reservation: Access/permission denied", "notAllowed", "siteMayNotReserve"],
    [
      "scontrol: error: CoreCnt or CPUCnt is only supported when SelectType …",
      "refused",
      "siteMayNotReserve",
    ],
    [
      "Error creating the reservation: Requested nodes are busy\nNote, unless",
      "refused",
      "reservationConflict",
    ],
    [
      "Error creating the reservation: Requested reservation overlaps with another reservation",
      "refused",
      "reservationConflict",
    ],
    ["Error creating the reservation: Invalid account or x", "refused", "siteAccountUnknown"],
    ["Unable to contact slurm controller", "unreachable", "siteUnreachable"],
  ])("what %j means", async (stderr, kind, code) => {
    const { site } = await siteAt({ [CREATE]: failed(stderr) });
    await expect(site.reserve(order)).rejects.toMatchObject({ kind, code });
    const { reservations } = await openAttemptBook(directory);
    expect([...reservations.all()]).toHaveLength(kind === "unreachable" ? 1 : 0);
  });

  it("without the right it is said which, and to whom it is granted", async () => {
    const { site } = await siteAt({ [CREATE]: failed("Error creating the reservation: Invalid user id") });
    const fault = await site.reserve(order).catch((error: unknown) => error);
    expect(fault).toMatchObject({ remedy: expect.stringMatching(/svc.*AdminLevel=Operator/) });
  });
});

describe("what Slurm made", () => {
  it.each([
    ["fewer processors", { nodes: "n1", procs: 2 }, ""],
    ["beside whole nodes", { nodes: "n1", procs: 3 }, line("w", { nodes: "n[1-2]", procs: 8 })],
    ["whole itself", { nodes: "n1", procs: 4 }, line("w", { nodes: "n1", procs: 1 })],
  ])("SU-21 is looked at, and taken back: %s", async (_, made, others) => {
    const { site, asked } = await siteAt(
      { "scontrol --all --oneliner --details show node": nodes, [SHOW]: others },
      line(name, made),
    );
    expect(codeOf(await site.reserve(order).catch((error: unknown) => error))).toBe("reservationConflict");
    expect(asked.at(-1)).toBe(`scontrol delete ReservationName=${name}`);
    expect((await site.survey()).reservations).toEqual([]);
  });

  it.each([
    ["other cores of the node", line("o", { nodes: "n1", procs: 1 })],
    ["whole nodes before and after", line("w", { nodes: "n1", procs: 4, from: 10, to: 60 })],
    ["other nodes", line("w", { nodes: "n2", procs: 4 })],
  ])("SU-21 is good beside %s", async (_, others) => {
    const { site } = await siteAt(
      { "scontrol --all --oneliner --details show node": nodes, [SHOW]: others },
      line(name, { nodes: "n1", procs: 3 }),
    );
    expect(await site.reserve(order)).toBe(name);
  });

  it("what another call made meanwhile is the same reservation", async () => {
    const duplicate = failed("Error creating the reservation: Duplicate reservation name");
    const { site } = await siteAt({ [CREATE]: duplicate });
    expect(await site.reserve(order)).toBe(name);
  });
});

describe("changing a reservation", () => {
  const there = () => line(name, { nodes: "n1", procs: 3 });

  it("its end is moved by an instant, and not at all where it is there already", async () => {
    const { site, asked } = await siteAt({ [SHOW]: there() });
    await site.reserve(order);
    expect(asked.filter((words) => changing.test(words))).toEqual([]);
    await site.reserve({ ...order, endMs: NOW_MS + 120_000 });
    await site.reserve({ ...order, startMs: NOW_MS - 20, endMs: NOW_MS - 10 });
    expect(asked.filter((words) => changing.test(words))).toEqual([
      `scontrol update ReservationName=${name} EndTime=uts1000121`,
      `scontrol update ReservationName=${name} EndTime=uts1000001`,
    ]);
  });

  it("later only where nobody else has one of its nodes then", async () => {
    const next = line("next", { nodes: "n[1-2]", procs: 1, from: 100, to: 200 });
    const { site, asked } = await siteAt({ [SHOW]: there() + next });
    await expect(site.reserve({ ...order, endMs: NOW_MS + 120_000 })).rejects.toMatchObject({
      code: "reservationConflict",
      why: expect.stringContaining("next"),
    });
    await site.reserve({ ...order, endMs: NOW_MS + 99_000 });
    expect(asked.filter((words) => changing.test(words))).toHaveLength(1);
  });

  it("given up, its jobs are cancelled first, and it is deleted when they have gone", async () => {
    let tries = 0;
    const { run: answering, asked } = scripted({});
    const run: typeof answering = async (request) => {
      const answer = await answering(request);
      const isDelete = request.words.includes("delete");
      if (!isDelete || ++tries > 1) return answer;
      return failed(`delete_reservation ReservationName=${name}: Requested reservation is in use`);
    };
    const clock = { nowMs: () => NOW_MS };
    const site = await openSlurmSite({ name: "c", spec, directory, clock, run });
    await site.unreserve("r-1");
    const remove = `scontrol delete ReservationName=${name}`;
    expect(asked).toEqual([remove, `scancel --reservation=${name}`, remove]);
  });

  it("one that is not there is given up already", async () => {
    const gone = failed("delete_reservation ReservationName=x: Requested reservation is invalid");
    const { site } = await siteAt({ "scontrol delete": gone });
    await expect(site.unreserve("r-1")).resolves.toBeUndefined();
  });
});

describe("jobs and surveys", () => {
  it("SU-4 reservations are asked for while some are ours, and else once a minute", async () => {
    let nowMs = NOW_MS;
    const others = line("o", { nodes: "n1", procs: 1 }) + line("over", { nodes: "n1", procs: 1, to: -1 });
    const { site, asked } = await siteAt(
      { "scontrol --all --oneliner --details show node": nodes, [SHOW]: others },
      line(name, { nodes: "n1", procs: 3 }),
      {},
      () => nowMs,
    );
    const setAside = [{ name: "o", procs: 1, startMs: 1_000_060_000, endMs: 1_000_091_000 }];
    expect(await site.survey()).toMatchObject({ reservations: [], setAside });
    nowMs += 59_000;
    expect(await site.survey()).toMatchObject({ reservations: [], setAside });
    expect(asked.filter((words) => words === SHOW)).toHaveLength(1);
    nowMs = NOW_MS;
    await site.reserve(order);
    asked.length = 0;
    expect(await site.survey()).toMatchObject({
      setAside,
      reservations: [
        { token: "r-1", siteReservation: name, procs: 3, startMs: 1_000_060_000, endMs: 1_000_091_000 },
      ],
    });
    expect(asked).toContain(SHOW);
    await site.unreserve("r-1");
    asked.length = 0;
    await site.survey();
    expect(asked).not.toContain(SHOW);
    nowMs += 60_000;
    await site.survey();
    expect(asked).toContain(SHOW);
  });

  it("what is in another partition, or of no processors, is not set aside here", async () => {
    const other = line("gpus", { nodes: "n1", procs: 1 }).replace("\n", " PartitionName=gpu\n");
    const here = line("here", { nodes: "n1", procs: 2 }).replace("\n", " PartitionName=main\n");
    const { site } = await siteAt({ [SHOW]: other + here + line("licences", { nodes: "", procs: 0 }) });
    expect((await site.survey()).setAside?.map((it) => it.name)).toEqual(["here"]);
  });

  it("where they cannot be seen, what was seen stays", async () => {
    let isBroken = false;
    const { run: seen } = scripted({ [SHOW]: line("o", { nodes: "n1", procs: 1 }) });
    const run: typeof seen = (request) =>
      isBroken && request.words.includes("reservation")
        ? Promise.resolve(failed("no answer"))
        : seen(request);
    let nowMs = NOW_MS;
    const site = await openSlurmSite({ name: "c", spec, directory, clock: { nowMs: () => nowMs }, run });
    const before = await site.survey();
    isBroken = true;
    nowMs += 60_000;
    expect((await site.survey()).setAside).toEqual(before.setAside);
    expect(before.setAside).toHaveLength(1);
  });

  it("a job in somebody's reservation is shown as such", async () => {
    const queue = row({ JobID: "7", JobArrayID: "7", State: "RUNNING", Name: "x", Reservation: "o" });
    const { site } = await siteAt({ squeue: queue });
    expect((await site.survey()).jobs).toMatchObject([{ siteJob: "7", setAside: "o" }]);
  });

  it("a job is submitted into its reservation, and never let go once that is over", async () => {
    let reservation = name;
    const own = () =>
      row({
        JobID: "7",
        JobArrayID: "7",
        State: "PENDING",
        PriorityLong: "0",
        Comment: commentOf(mark, "a/1"),
        Reservation: reservation,
      });
    const { asked, run } = await siteAt({
      ...{ sbatch: "7", "scontrol --all --oneliner --details show node": nodes },
      "scontrol --all --oneliner show partition": "",
    });
    const answering: typeof run = (request) =>
      request.words[0] === "squeue" ? scripted({ squeue: own() }).run(request) : run(request);
    const clock = { nowMs: () => NOW_MS };
    const site = await openSlurmSite({
      name: "c",
      spec: { ...spec, partition: null },
      directory,
      clock,
      run: answering,
    });
    const job: SubmitOrder = {
      ...{ token: "a/1", command: ["true"], environment: {}, limitMs: 60_000, inputFiles: [] },
      ...{ stdOutput: "out", stdError: "err", procs: 1, memoryBytes: 0, reservation: "r-1", name: "n" },
    };
    await site.submit(job);
    expect(asked.find((words) => words.includes("sbatch"))).toContain(` --reservation=${name}`);
    const attempt = { token: "a/1", siteJob: "7" };
    await site.act("release", attempt);
    reservation = "N/A";
    await site.act("release", attempt);
    expect(asked.filter((words) => words.startsWith("scontrol release"))).toEqual(["scontrol release 7"]);
  });
});

describe("trying out and leaving", () => {
  it("whether reservations can be made is tested", async () => {
    const tried = async (level: string, SelectType: string) => {
      const { run } = scripted({ "id -un": "svc\n", sacctmgr: `User|Admin\nsvc|${level}\n` });
      const checks = await rightsChecks({ spec, run, nowMs: () => 0 }, { SelectType });
      return checks.find(({ what }) => what === "making reservations");
    };
    expect((await tried("Operator", "select/cons_tres"))?.works).toBe(true);
    expect((await tried("None", "select/cons_tres"))?.remedy).toContain("AdminLevel=Operator");
    const linear = await tried("Operator", "select/linear");
    expect([linear?.works, linear?.why]).toEqual([false, expect.stringContaining("whole nodes")]);
  });

  it("SU-17 reservations of ours are among the traces, and go first", async () => {
    const { site, run, asked } = await siteAt({}, line(name, { nodes: "n1", procs: 3 }));
    await site.reserve({ ...order, endMs: Date.now() + 3_600_000 });
    const told = [`reservations of ours: ${name}`];
    expect(await tracesOf({ spec, directory, run })).toEqual(told);
    asked.length = 0;
    const { removed } = await cleanTraces({ spec, directory, run });
    expect(removed).toEqual([...told, "/data/stint, which was empty"]);
    expect(asked.slice(0, 2)).toEqual([SHOW, `scontrol delete ReservationName=${name}`]);
    expect(await tracesOf({ spec, directory, run })).toEqual([]);
  });
});
