import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { failed, row, scripted } from "../../../test/scripted-slurm.ts";
import { FIELD_END, NODES_COMMAND, QUEUE_AGES_COMMAND, ROW_END } from "../../formats/slurm/index.ts";
import {
  ENFORCEMENT_DEFAULTS,
  ENFORCEMENT_STEPS,
  type EnforcementStep,
  type EnforcementVerb,
  SLURM_DEFAULTS,
  type SlurmSiteSpec,
} from "../../model/index.ts";
import { tasksIn, tasksText } from "./array-tasks.ts";
import { openAttemptBook } from "./attempt-book.ts";
import type { RunCommand } from "./command.ts";
import { openSlurmSite } from "./open-site.ts";
import { commentOf } from "./own-jobs.ts";
import { rightsChecks } from "./rights-checks.ts";
import { cleanTraces, tracesOf } from "./traces.ts";

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "stint-slurm-enforce-"));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const NOW_S = 1_800_000_000;
const UNTIL_S = NOW_S + 300;
const clock = { nowMs: () => NOW_S * 1000 };

function specWith(...granted: readonly EnforcementStep[]): SlurmSiteSpec {
  const enforcement = { ...ENFORCEMENT_DEFAULTS, granted };
  return { ...SLURM_DEFAULTS, type: "slurm", procs: 8, memoryBytes: 2 ** 33, enforcement };
}

const EVERYTHING = specWith(...ENFORCEMENT_STEPS);

type Answers = Parameters<typeof scripted>[0];
type Fields = Readonly<Record<string, string>>;

const waits = (id: string, more: Fields = {}): string =>
  row({
    ...{ JobID: id, JobArrayID: id, State: "PENDING", PriorityLong: "100", Nice: "0", Name: "theirs" },
    ...{ SubmitTime: `${NOW_S - 600}`, EligibleTime: `${NOW_S - 600}` },
    ...more,
  });
const runs = (id: string, more: Fields = {}): string =>
  waits(id, { State: "RUNNING", NodeList: "n1", RestartCnt: "0", ...more });
const NODES = NODES_COMMAND.join(" ");
const NODE = "NodeName=n1 State=MIXED CPUTot=8 RealMemory=1000 CPUAlloc=1 AllocMem=0 Partitions=main\n";

/** A cluster whose readings are given in order; the last one repeats. */
async function clusterOf(
  looks: readonly string[],
  {
    spec = EVERYTHING,
    answers = {},
    seen = [],
  }: { spec?: SlurmSiteSpec; answers?: Answers; seen?: readonly string[] } = {},
) {
  let look = 0;
  const { asked, run: others } = scripted({ [NODES]: NODE, ...answers });
  const run: RunCommand = (request) => {
    if (request.words[0] !== "squeue") return others(request);
    if (request.words.join(" ") === QUEUE_AGES_COMMAND.join(" ")) {
      // Slurm's scheduler sees a job after the first look.
      const aged = look > 1 ? seen.map((id) => `${id}${FIELD_END}${NOW_S}${ROW_END}\n`).join("") : "";
      return scripted({ squeue: aged }).run(request);
    }
    const text = looks[Math.min(look++, looks.length - 1)];
    return scripted({ squeue: text }).run(request);
  };
  const site = await openSlurmSite({ name: "far", spec, directory, clock, run });
  const give = (verb: EnforcementVerb, ...siteJobs: readonly string[]) =>
    site.enforce({ verb, siteJobs, untilMs: UNTIL_S * 1000 });
  return { asked, run, site, give, spec };
}

const begin = (list: string, when: string) => `scontrol update ${list} StartTime=${when}`;
const lease = `uts${UNTIL_S}`;
const heldTill = (seconds: number): Fields => ({ EligibleTime: `${seconds}`, Reason: "BeginTime" });

describe("tasks of arrays", () => {
  it.each([
    ["1-3,7%2", [1, 2, 3, 7]],
    ["0-20:5", [0, 5, 10, 15, 20]],
    ["4", [4]],
    ["1-3,7,...", undefined],
  ])("SU-25 %s are %j", (text, tasks) => {
    expect(tasksIn(text)).toEqual(tasks);
  });

  it("SU-25 numbers as the shortest list", () => {
    expect(tasksText([9, 1, 2, 3, 7, 8, 2])).toBe("1-3,7-9");
  });
});

describe("holding", () => {
  it("SU-25 a hold is a begin-time, one command for all, tasks by their numbers", async () => {
    const array = { JobArrayID: "7_[1-5%2]", ArrayJobID: "7", ArrayTaskID: "1-5%2" };
    const queue = waits("12") + waits("13") + waits("7", array) + waits("14");
    const { asked, give } = await clusterOf([queue]);
    const answer = await give("hold", "12", "13", "7_2", "7_3", "7_5", "99", "x; y");
    const command = begin("'JobId=12,13,7_[2-3,5]'", lease);
    expect(answer).toEqual({ commands: [command], refused: [] });
    expect(asked).toEqual([command.replaceAll("'", "")]);
  });

  it("SU-25 what its user holds, what runs and what its user put off is left", async () => {
    const queue =
      waits("1", { PriorityLong: "0", Reason: "JobHeldUser" }) +
      runs("2") +
      waits("3", heldTill(UNTIL_S + 50)) +
      waits("4", heldTill(UNTIL_S));
    const { asked, give } = await clusterOf([queue]);
    expect(await give("hold", "1", "2", "3", "4")).toEqual({ commands: [], refused: [] });
    expect(asked).toEqual([]);
  });

  it("SU-25 it is renewed; released, the job has its user's own begin-time again", async () => {
    const own = NOW_S + 100;
    const before = waits("3", heldTill(own)) + waits("4");
    const held = waits("3", heldTill(UNTIL_S)) + waits("4", heldTill(UNTIL_S));
    const first = await clusterOf([before]);
    await first.give("hold", "3", "4");
    const later = await clusterOf([held]);
    const renewed = { verb: "hold", siteJobs: ["3", "4"], untilMs: (UNTIL_S + 60) * 1000 } as const;
    expect((await later.site.enforce(renewed)).commands).toEqual([begin("JobId=3,4", `uts${UNTIL_S + 60}`)]);
    const last = await clusterOf([waits("3", heldTill(UNTIL_S + 60)) + waits("4", heldTill(UNTIL_S + 60))]);
    const { commands } = await last.give("release", "3", "4", "5");
    expect([...commands].sort()).toEqual([begin("JobId=3", `uts${own}`), begin("JobId=4", "now")]);
  });

  it("SU-25 after a renewal that was lost the begin-time before it is still ours", async () => {
    const own = NOW_S + 100;
    await (await clusterOf([waits("3", heldTill(own))])).give("hold", "3");
    const hung = { "scontrol update": { code: null, isTimedOut: true } };
    const lost = await clusterOf([waits("3", heldTill(UNTIL_S))], { answers: hung });
    const renewed = { verb: "hold", siteJobs: ["3"], untilMs: (UNTIL_S + 60) * 1000 } as const;
    await expect(lost.site.enforce(renewed)).rejects.toMatchObject({ kind: "unreachable" });
    const after = await clusterOf([waits("3", heldTill(UNTIL_S))]);
    expect((await after.give("release", "3")).commands).toEqual([begin("JobId=3", `uts${own}`)]);
  });

  it("SU-25 what was never held, or got another begin-time since, is not released", async () => {
    await (await clusterOf([waits("3")])).give("hold", "3");
    const other = waits("3", heldTill(UNTIL_S + 999)) + waits("4", heldTill(UNTIL_S));
    const { give } = await clusterOf([other]);
    expect((await give("release", "3", "4")).commands).toEqual([]);
  });

  it("SU-25 a job that has the id of one that was held is another", async () => {
    await (await clusterOf([waits("3")])).give("hold", "3");
    const { give } = await clusterOf([waits("3", { SubmitTime: `${NOW_S}`, ...heldTill(UNTIL_S) })]);
    expect((await give("release", "3")).commands).toEqual([]);
  });

  it("SU-25 what nobody has seen yet is held shortly, then as ordered, beside what has an age", async () => {
    const short = `${NOW_S + 8}`;
    const before = waits("1") + waits("2", { SubmitTime: `${NOW_S - 9}`, EligibleTime: `${NOW_S - 9}` });
    const after =
      waits("1", heldTill(UNTIL_S)) +
      waits("2", { SubmitTime: `${NOW_S - 9}`, EligibleTime: short, Reason: "BeginTime" });
    const { asked, give, site } = await clusterOf([before, after], { seen: ["1", "2"] });
    await give("hold", "1", "2");
    expect(asked.toSorted()).toEqual([begin("JobId=1", lease), begin("JobId=2", `uts${short}`)].toSorted());
    await expect.poll(() => asked.slice(2), { timeout: 5000 }).toEqual([begin("JobId=2", lease)]);
    await site.close();
  });

  it("SU-25 a long list is several commands", async () => {
    const ids = Array.from({ length: 700 }, (_, at) => `${1000 + at}`);
    const { give } = await clusterOf([ids.map((id) => waits(id)).join("")]);
    const { commands } = await give("hold", ...ids);
    expect(commands).toHaveLength(3);
    expect(
      commands
        .join()
        .match(/1\d{3}/g)
        ?.filter((id) => ids.includes(id)),
    ).toHaveLength(700);
  });
});

describe("what was not done", () => {
  const complains = (stderr: string) => ({ "scontrol suspend": failed(stderr) });
  const settingOf = "Job is pending execution for job 2\nAccess/permission denied for job 3\n";

  it("of what Slurm complained of a second look tells what is wrong and what is not", async () => {
    const before = runs("1") + runs("2") + runs("3") + runs("4");
    const after = waits("1", { State: "SUSPENDED", NodeList: "n1" }) + waits("2") + runs("3");
    const { give } = await clusterOf([before, after], { answers: complains(settingOf) });
    expect(await give("suspend", "1", "2", "3", "4")).toEqual({
      commands: ["scontrol suspend 1,2,3,4"],
      refused: [{ siteJob: "3", why: "Access/permission denied", about: "right" }],
    });
  });

  it("without the right nothing is done, and it is said whose it is to give", async () => {
    const { give } = await clusterOf([runs("3")], {
      answers: complains("Access/permission denied for job 3\n"),
    });
    await expect(give("suspend", "3")).rejects.toMatchObject({
      kind: "notAllowed",
      code: "siteMayNotEnforce",
      remedy: expect.stringContaining("AdminLevel=Operator"),
    });
  });

  it("what an array answers is read task by task", async () => {
    const array = { JobArrayID: "7_[1-5]", ArrayJobID: "7", ArrayTaskID: "1-5" };
    const wrong = "7_1-3: No error\n7_4,5: Requested operation is presently disabled\n";
    const after = waits("7", { ...array, JobArrayID: "7_[4-5]", ArrayTaskID: "4-5" });
    const answers = { "scontrol update": failed(wrong) };
    const { give } = await clusterOf([waits("7", array), after], { answers });
    const why = "Requested operation is presently disabled";
    expect((await give("hold", "7_1", "7_4", "7_5")).refused).toEqual([
      { siteJob: "7_4", why, about: "job" },
      { siteJob: "7_5", why, about: "job" },
    ]);
  });

  it("EN-106 an unknown refusal of Slurm concerns the one job", async () => {
    const { give } = await clusterOf([runs("3")], { answers: complains("The weather is bad for job 3\n") });
    const refused = [{ siteJob: "3", why: "The weather is bad", about: "job" }];
    expect(await give("suspend", "3")).toEqual({ commands: ["scontrol suspend 3"], refused });
  });

  it("EN-106 a controller that does not answer in time concerns the site", async () => {
    const hung = { "scontrol suspend": { code: null, isTimedOut: true } };
    const { give } = await clusterOf([runs("3")], { answers: hung });
    await expect(give("suspend", "3")).rejects.toMatchObject({ kind: "unreachable" });
  });

  it("a controller that is gone is an error, and is not asked again for the rest", async () => {
    const gone = failed("slurm_load_jobs error: Unable to contact slurm controller (connect failure)");
    const looksGone = await clusterOf([""], { answers: {} });
    const { site } = looksGone;
    expect(await site.enforce({ verb: "hold", siteJobs: ["1"], untilMs: UNTIL_S * 1000 })).toEqual({
      commands: [],
      refused: [],
    });
    const ids = Array.from({ length: 700 }, (_, at) => `${1000 + at}`);
    const queue = ids.map((id) => waits(id)).join("");
    const { asked, give } = await clusterOf([queue], { answers: { "scontrol update": gone } });
    await expect(give("hold", ...ids)).rejects.toMatchObject({ kind: "unreachable" });
    expect(asked).toHaveLength(1);
  });
});

describe("stopping what runs", () => {
  it("what runs is suspended; resumed is what was suspended by us", async () => {
    const stopped = (id: string) => runs(id, { State: "SUSPENDED" });
    const first = await clusterOf([runs("1") + runs("2") + waits("3") + stopped("4")]);
    expect((await first.give("suspend", "1", "2", "3", "4")).commands).toEqual(["scontrol suspend 1,2"]);
    const then = await clusterOf([stopped("1") + runs("2") + stopped("4")]);
    expect((await then.give("resume", "1", "2", "3", "4")).commands).toEqual(["scontrol resume 1"]);
    expect((await then.give("resume", "1")).commands).toEqual([]);
  });

  it("what has ended is not run anew, and nothing is stopped on a node that is silent", async () => {
    const silent = NODE.replace("n1", "n2").replace("MIXED", "MIXED+NOT_RESPONDING");
    const answers = { [NODES]: NODE + silent };
    const queue = runs("1") + runs("2", { NodeList: "n2" }) + waits("3");
    const { give } = await clusterOf([queue], { answers });
    for (const [verb, command] of [
      ["requeue", "scontrol requeue Incomplete 1"],
      ["suspend", "scontrol suspend 1"],
    ] as const) {
      expect(await give(verb, "1", "2", "3")).toEqual({
        commands: [command],
        refused: [{ siteJob: "2", why: "its node n2 does not respond" }],
      });
    }
  });

  it("a job of ours is requeued with a permission, and not where none may be submitted", async () => {
    const { mark } = await openAttemptBook(directory);
    const ours = runs("41", { Comment: commentOf(mark, "a/1") });
    const watched = await clusterOf([ours]);
    expect((await watched.give("requeue", "41")).refused).toMatchObject([{ siteJob: "41" }]);
    const spec = { ...specWith("requeue"), readOnly: false, submitDirectory: "/data/stint" };
    const { asked, give } = await clusterOf([ours], { spec });
    await give("requeue", "41");
    expect(asked).toContain("mkdir -p -- /data/stint/a_1/again.41");
    expect(asked).toContain("scontrol requeue 41");
  });
});

describe("moving in the queue", () => {
  const nice = (list: string, value: number) => `scontrol update JobId=${list} Nice=${value}`;
  const queue =
    waits("1") + waits("2", { PriorityLong: "90", Nice: "10" }) + waits("3", { PriorityLong: "150" });

  it("raised they go before all others, once; released they are as before", async () => {
    const { give } = await clusterOf([queue]);
    expect((await give("raise", "1", "2")).commands).toEqual([nice("1", -61), nice("2", -51)]);
    const raised =
      waits("1", { PriorityLong: "161", Nice: "-61" }) +
      waits("2", { PriorityLong: "151", Nice: "-51" }) +
      waits("3", { PriorityLong: "150" });
    const later = await clusterOf([raised]);
    expect((await later.give("raise", "1", "2")).commands).toEqual([]);
    expect((await later.give("release", "1", "2", "3")).commands).toEqual([nice("1", 0), nice("2", 10)]);
  });

  it("lowered they go behind all others", async () => {
    const { give } = await clusterOf([queue]);
    expect((await give("lower", "3")).commands).toEqual([nice("3", 61)]);
    expect((await give("lower", "2")).commands).toEqual([]);
  });
});

describe("what may be done", () => {
  const changing = /^scontrol (?!.*\bshow\b|ping)/;

  it("SU-26 without a grant nothing is done, whatever is ordered", async () => {
    const { enforcement: _, ...silent } = specWith();
    for (const spec of [specWith("watch"), silent]) {
      const { asked, give, site } = await clusterOf([waits("1") + runs("2")], { spec });
      expect(site.abilities.has("enforce")).toBe(false);
      for (const verb of ["hold", "suspend", "requeue", "raise", "lower"] as const) {
        await expect(give(verb, "1", "2")).rejects.toMatchObject({
          kind: "notAllowed",
          code: "enforcementNotGranted",
        });
      }
      for (const verb of ["release", "resume"] as const) await give(verb, "1", "2");
      expect(asked.filter((line) => changing.test(line))).toEqual([]);
    }
  });

  it("SU-26 every step is granted by itself, at a site that is read-only otherwise too", async () => {
    const { give, site } = await clusterOf([waits("1") + runs("2")], { spec: specWith("watch", "hold") });
    expect(site.abilities.has("enforce") && !site.abilities.has("submit")).toBe(true);
    expect((await give("hold", "1")).commands).toHaveLength(1);
    await expect(give("suspend", "2")).rejects.toMatchObject({ code: "enforcementNotGranted" });
  });

  it("SU-26 a grant that was taken back leaves the way to give back what was done", async () => {
    await (await clusterOf([waits("1") + runs("2")])).give("hold", "1");
    const held = waits("1", heldTill(UNTIL_S));
    const { give, site } = await clusterOf([held], { spec: specWith("watch") });
    expect(site.abilities.has("enforce")).toBe(true);
    expect((await give("release", "1")).commands).toEqual([begin("JobId=1", "now")]);
    expect(JSON.parse(readFileSync(join(directory, "enforced.json"), "utf8"))).toEqual([]);
  });

  it.each([
    ["Operator", ["hold"], { works: true, isNeeded: true }, "granted in the site's settings: hold"],
    ["None", ["hold"], { works: false, isNeeded: true }, "AdminLevel is None"],
    ["Operator", [], { works: true, isNeeded: false }, "only permit observation"],
    ["None", [], { works: false, isNeeded: false }, "AdminLevel is None"],
  ] as const)("SU-26 a test of the site, as %s with %j granted", async (level, granted, verdict, why) => {
    const { run } = scripted({ "id -un": "stint\n", sacctmgr: `User|Admin Level\nstint|${level}\n` });
    const trial = { spec: specWith("watch", ...granted), run, nowMs: clock.nowMs };
    const checks = await rightsChecks(trial, {});
    const check = checks.find(({ what }) => what === "enforcing policies");
    expect(check).toMatchObject({ ...verdict, why: expect.stringContaining(why) });
    if (!verdict.works) expect(check?.remedy).toContain("AdminLevel=Operator");
  });

  it("when a site is left, what was held and suspended is given back", async () => {
    const first = await clusterOf([waits("1") + runs("2"), waits("1", heldTill(UNTIL_S)) + runs("2")]);
    await first.give("hold", "1");
    await first.give("suspend", "2");
    const held = waits("1", heldTill(UNTIL_S)) + runs("2", { State: "SUSPENDED" });
    const { asked, run, spec } = await clusterOf([held]);
    expect(await tracesOf({ spec, directory, run })).toEqual([expect.stringContaining("on 2 jobs")]);
    const { removed, left } = await cleanTraces({ spec, directory, run });
    expect([removed, left]).toEqual([[expect.stringContaining("on 2 jobs")], []]);
    expect(asked).toEqual(["scontrol resume 2", begin("JobId=1", "now")]);
    expect(await tracesOf({ spec, directory, run })).toEqual([]);
  });
});
