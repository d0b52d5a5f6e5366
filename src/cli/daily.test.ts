import { describe, expect, it, vi } from "vitest";
import { aFault, aJob, capturedProgram, jobFiles, NOW } from "../../test/captured-program.ts";
import type { JobFilter, JobList, StintClient, WhyView } from "../api/client/index.ts";
import { JOB_STATES } from "../model/index.ts";

const unpurged = JOB_STATES.filter((state) => state !== "PURGED");

const jobs = new Map([
  ["7f3a", aJob({ id: "7f3a" })],
  ["91bc", aJob({ id: "91bc", state: "DONE", result: "failed", exitCode: 3 })],
]);
const job: StintClient["job"] = async (id) => {
  const found = jobs.get(id);
  if (found === undefined) throw aFault("notFound", `there is no job ${id}`);
  return found;
};
const pageOf = (items: JobList["items"], next: string | null = null) =>
  vi.fn<StintClient["jobs"]>(async () => ({ items, next }));

describe("stint status", () => {
  const causes = [{ kind: "failsEverywhere", sites: ["far", "near"], times: 7 }];
  const why = vi.fn(async () => ({ causes }) as never);
  const program = capturedProgram({ job, jobs: pageOf([aJob()]), why });

  it("of one that failed as others like it did says whose fault it is, of others nothing", async () => {
    const { out } = await program.call("status", "91bc");
    expect(out).toContain(
      "at fault    its description: the same program failed 7 times in the last hour, at far and near\n",
    );
    why.mockClear();
    expect((await program.call("status", "7f3a")).out).not.toContain("at fault");
    expect(why).not.toHaveBeenCalled();
  });

  it("CL-9 of one id is one object in JSON, everything about it in words", async () => {
    expect(JSON.parse((await program.call("status", "7f3a", "-o", "json")).out)).toEqual(jobs.get("7f3a"));
    const { out } = await program.call("status", "91bc");
    expect(out).toMatch(/^job +91bc\nstate +DONE \(exit 3\)\n/);
    expect(out).toMatch(/command +\.\/a\.out x\n/);
    expect(out).toMatch(/time limit +1h30m\n/);
    expect(out).not.toContain("null");
  });

  it("CL-9 of several ids is {items, next} in JSON, a table in words", async () => {
    const { out } = await program.call("status", "7f3a", "91bc", "-o", "json");
    expect(JSON.parse(out)).toEqual({ items: [...jobs.values()], next: null });
    const lines = (await program.call("status", "91bc", "7f3a")).out.split("\n");
    expect(lines[0]).toMatch(/^ID +STATE +SITE +PROCS +SUBMITTED +TIME +COMMAND$/);
    expect(lines[1]).toMatch(/^91bc +DONE \(exit 3\) +here +2 /);
    expect(lines[2]).toMatch(/30m00s +\.\/a\.out x$/);
  });

  it("CL-9 without ids asks for what is not over, as {items, next}", async () => {
    const list = pageOf([aJob()]);
    const { out } = await capturedProgram({ jobs: list }).call("status", "-o", "json");
    expect(JSON.parse(out)).toEqual({ items: [aJob()], next: null });
    const [[filter]] = list.mock.calls;
    expect(filter?.state).toEqual(["WAITING", "READY", "SCHEDULED", "RUNNING", "SUSPENDED", "HELD"]);
  });

  it("without ids and jobs says so on stderr", async () => {
    const { code, out, err } = await capturedProgram({ jobs: pageOf([]) }).call("status");
    expect({ code, out }).toEqual({ code: 0, out: "" });
    expect(err).toContain("no job is waiting or running");
  });

  it("CL-9 an unknown id among others: told, the others shown, exit 3", async () => {
    const { code, out, err } = await program.call("status", "nope", "7f3a", "-o", "json");
    expect(code).toBe(3);
    expect(JSON.parse(out)).toEqual({ items: [jobs.get("7f3a")], next: null });
    expect(err).toMatch(/^stint: there is no job nope\n {2}why: .+\n {2}do: /);
    expect(await program.call("status", "nope")).toMatchObject({ code: 3, out: "" });
  });
});

describe("stint list", () => {
  it("CL-9 hands its conditions on", async () => {
    const list = pageOf([]);
    const words = "--state running,HELD --state done --owner ada --vo phys/th --site here --since 2d";
    await capturedProgram({ jobs: list }).call("list", ...words.split(" "));
    expect(list).toHaveBeenCalledExactlyOnceWith({
      state: ["RUNNING", "HELD", "DONE"],
      owner: "ada",
      consumer: "phys/th",
      site: "here",
      since: new Date(Date.parse(NOW) - 2 * 86_400_000).toISOString(),
      limit: 100,
    });
  });

  it("hands a stretch of time and an order on", async () => {
    const list = pageOf([]);
    const words = "--time ended --since 2d --until 2026-05-31 --sort -ended --exit-code 137";
    await capturedProgram({ jobs: list }).call("list", ...words.split(" "));
    expect(list).toHaveBeenCalledExactlyOnceWith({
      since: new Date(Date.parse(NOW) - 2 * 86_400_000).toISOString(),
      until: "2026-05-31T00:00:00.000Z",
      time: "ended",
      sort: "-ended",
      exitCode: 137,
      limit: 100,
      state: unpurged,
    });
  });

  it("shows the chosen columns in their order, also empty ones; a CSV has their fields", async () => {
    const program = capturedProgram({
      jobs: pageOf([aJob({ id: "7f3a", name: null, userTags: { a: "1", b: "" } })]),
    });
    const table = await program.call("list", "--columns", "state,ID", "--columns", "name,tags");
    expect(table.out).toBe("STATE    ID    NAME  TAGS\nRUNNING  7f3a  -     a=1,b\n");
    const csv = await program.call("list", "--columns", "id,time", "-o", "csv");
    expect(csv.out.split("\r\n")[0]).toBe("id,ranSec,runningSince");
  });

  it("a column that is not known, or cannot be sorted by, is refused with those that are", async () => {
    const program = capturedProgram({ jobs: pageOf([]) });
    const unknown = await program.call("list", "--columns", "id,nmae");
    expect(unknown.code).toBe(2);
    expect(unknown.err).toMatch(
      /"nmae" is unknown\n.* id, name, state, .*command\n.*did you mean --columns name/,
    );
    const unsorted = await program.call("list", "--sort", "procs");
    expect(unsorted.code).toBe(2);
    expect(unsorted.err).toMatch(/"procs" is unknown\n.* one of submitted, ended, .*owner\n/);
    expect((await program.call("list", "--sort", "-nmae")).err).toContain("did you mean --sort -name?");
    const json = await program.call("list", "--columns", "id", "-o", "json");
    expect(json.err).toContain("--columns has no effect on -o json");
  });

  it("finds by name and tags", async () => {
    const list = vi.fn<StintClient["jobs"]>(async () => ({ items: [aJob({ name: "night" })], next: null }));
    const words = ["--name", "night", "--tag", "project=snow", "--tag", "urgent"];
    const { out } = await capturedProgram({ jobs: list }).call("list", ...words);
    expect(list.mock.lastCall?.[0]).toMatchObject({ name: "night", tag: ["project=snow", "urgent"] });
    expect(out).toMatch(/^ID +NAME +STATE.*\n7f3a0000 +night +RUNNING/);
  });

  it("takes a date for --since", async () => {
    const list = pageOf([]);
    await capturedProgram({ jobs: list }).call("list", "--since", "2026-05-01T10:00Z");
    expect(list.mock.lastCall?.[0]).toMatchObject({ since: "2026-05-01T10:00:00.000Z" });
  });

  it("CL-9 follows pages up to the limit, and says that there is more", async () => {
    const asked: (JobFilter | undefined)[] = [];
    const list: StintClient["jobs"] = async (filter) => {
      asked.push(filter);
      const items = Array.from({ length: Math.min(filter?.limit ?? 0, 1000) }, () => aJob());
      return { items, next: `page-${asked.length}` };
    };
    const program = capturedProgram({ jobs: list });
    const { out } = await program.call("list", "--limit", "2500", "-o", "name");
    expect(out.trim().split("\n")).toHaveLength(2500);
    expect(asked).toEqual([
      { limit: 1000, state: unpurged },
      { limit: 1000, state: unpurged, cursor: "page-1" },
      { limit: 500, state: unpurged, cursor: "page-2" },
    ]);
    expect((await program.call("list")).err).toContain("more than 100");
    const again = await program.call("list", "--limit", "1", "--cursor", "page-3", "-o", "json");
    expect(JSON.parse(again.out)).toEqual({ items: [aJob()], next: "page-5" });
    expect(again.err).toBe("");
    expect(asked.at(-1)).toEqual({ limit: 1, state: unpurged, cursor: "page-3" });
  });

  it("CL-9 as CSV has the fields of the JSON, quoted where it must be", async () => {
    const odd = aJob({ arguments: ['a "b"', "c,d"], reason: "two\nlines", exitCode: 0 });
    const { out } = await capturedProgram({ jobs: pageOf([odd]) }).call("list", "-o", "csv");
    const [head, ...rest] = out.split("\r\n");
    expect(head.split(",").toSorted()).toEqual(Object.keys(odd).toSorted());
    expect(rest.join("\r\n")).toContain(`,"[""a \\""b\\"""",""c,d""]",2,`);
    expect(rest.join("\r\n")).toContain(`"two\nlines"`);
  });

  it.each([
    { words: ["--state", "runing"], says: "did you mean --state RUNNING?" },
    { words: ["--since", "yesterday"], says: "--since" },
    { words: ["--since", "2026-13-01"], says: "no such date" },
    { words: ["--limit", "all"], says: "--limit" },
    { words: ["-o", "xml"], says: "-o" },
    { words: ["7f3a"], says: "too many arguments" },
  ])("CL-4 $words: exit 2", async ({ words, says }) => {
    const { code, err } = await capturedProgram({}).call("list", ...words);
    expect(code).toBe(2);
    expect(err).toContain(says);
  });
});

describe("stint why, logs", () => {
  const why: WhyView = {
    job: "7f3a",
    state: "SCHEDULED",
    causes: [{ kind: "procsBusy", site: "here", needed: 4, free: 1 }],
    predictedStartAt: null,
    method: null,
    helpfulChanges: [],
    lines: ["It needs 4 processors; 1 is free.", "bad \u001b[31m line"],
  };

  it("why prints its sentences, harmless to a terminal, or the JSON", async () => {
    const program = capturedProgram({ why: async () => why });
    expect((await program.call("why", "7f3a")).out).toBe(
      "It needs 4 processors; 1 is free.\nbad ?[31m line\n",
    );
    expect(JSON.parse((await program.call("why", "7f3a", "-o", "json")).out)).toEqual(why);
  });

  it("why --site asks by the id that the cluster gave", async () => {
    const asked: string[] = [];
    const program = capturedProgram({
      whyThere: async (site, siteJob) => {
        asked.push(site, siteJob);
        return {
          ...{ site, siteJob, at: "2026-05-31T12:00:00.000Z", state: "waiting", stateText: "PENDING" },
          ...{
            blockers: [],
            openPartitions: [],
            unknown: [],
            prediction: null,
            changes: [],
            lines: ["job 12 is PENDING"],
          },
          system: { reason: null, agreement: "none" },
        };
      },
    });
    expect((await program.call("why", "12", "--site", "alpha")).out).toBe("job 12 is PENDING\n");
    expect(asked).toEqual(["alpha", "12"]);
  });

  it("logs prints what there is of a stream, and follows where asked", async () => {
    const files = jobFiles({ stdout: "hello\n", stderr: "oops\n" });
    const readFile = vi.fn(files.readFile);
    const program = capturedProgram({ job, readFile });
    expect(await program.call("logs", "7f3a")).toEqual({ code: 0, out: "hello\n", err: "" });
    expect(await program.call("logs", "7f3a", "--stderr", "-f")).toMatchObject({ out: "oops\n" });
    expect(readFile.mock.calls.map(([, name, options]) => [name, options?.follow])).toEqual([
      ["stdout", false],
      ["stderr", true],
    ]);
  });

  it("logs prints another file of the job, also while that grows", async () => {
    const files = jobFiles({ stdout: "hello\n", "results/log.txt": "step 1\n" });
    const readFile = vi.fn(files.readFile);
    const program = capturedProgram({ job, readFile });
    const of = ["logs", "7f3a", "--file", "results/log.txt"];
    expect(await program.call(...of, "-f")).toEqual({ code: 0, out: "step 1\n", err: "" });
    expect(readFile.mock.calls.map(([, name, options]) => [name, options?.follow])).toEqual([
      ["results/log.txt", true],
    ]);
    const { code, err } = await program.call(...of, "--stderr");
    expect([code, err]).toEqual([2, expect.stringContaining("--stderr and --file are given together")]);
  });
});

describe("verbs for several jobs", () => {
  it.each(["cancel", "hold", "release", "suspend", "resume"] as const)(
    "%s is asked for each",
    async (verb) => {
      const act = vi.fn(async () => undefined);
      const { code, out } = await capturedProgram({ act }).call(verb, "7f3a", "91bc");
      expect(code).toBe(0);
      expect(act.mock.calls).toEqual([
        ["7f3a", verb],
        ["91bc", verb],
      ]);
      expect(out.split("\n")).toEqual([
        expect.stringMatching(/^7f3a: /),
        expect.stringMatching(/^91bc: /),
        "",
      ]);
    },
  );

  it("CL-9 goes on after a failure and ends with the code of the worst", async () => {
    const act = vi.fn(async (id: string) => {
      if (id === "held") throw aFault("refused");
      if (id === "nope") throw aFault("notFound");
    });
    const { code, out, err } = await capturedProgram({ act }).call("hold", "held", "nope", "7f3a");
    expect(code).toBe(5);
    expect(out).toBe("7f3a: held\n");
    expect(err.match(/^stint: /gm)).toHaveLength(2);
  });

  it("CL-9 stops where nobody answers: told once, exit 69", async () => {
    const act = vi.fn(() => Promise.reject(aFault("unreachable")));
    expect(await capturedProgram({ act }).call("cancel", "a", "b")).toMatchObject({ code: 69, out: "" });
    expect(act).toHaveBeenCalledOnce();
  });
});

describe("every daily command", () => {
  const siteCommands = [["site"], ["site", "list"], ["site", "add"], ["site", "drain"]];
  const tokenCommands = ["create", "list", "revoke"].map((verb) => ["token", verb]);
  const commands = "run submit status list why logs output cancel hold release suspend resume up".split(" ");

  it("helps with examples and without a broker", async () => {
    const client = vi.fn();
    const up = async () => async () => undefined;
    const program = capturedProgram({}, { client, up });
    for (const command of [
      ...commands.map((word) => [word]),
      ["completion"],
      ...siteCommands,
      ...tokenCommands,
    ]) {
      const { code, out, err } = await program.call(...command, "--help");
      expect({ command, code, err }).toEqual({ command, code: 0, err: "" });
      expect(out).toContain("Examples:");
    }
    expect(client).not.toHaveBeenCalled();
  });

  it("CL-3 ends with 69 where nobody answers, and closes the way to the broker", async () => {
    const close = vi.fn();
    const program = capturedProgram({ job: () => Promise.reject(aFault("unreachable")), close });
    expect(await program.call("status", "7f3a")).toMatchObject({ code: 69, out: "" });
    expect(close).toHaveBeenCalledOnce();
    const lost = capturedProgram({}, { client: () => Promise.reject(aFault("unreachable")) });
    expect(await lost.call("list")).toMatchObject({ code: 69, out: "" });
  });

  it("up stays until it is asked to stop; without the capability there is no up", async () => {
    const said: unknown[] = [];
    const program = capturedProgram(
      {},
      {
        up:
          async () =>
          async (request, { tell, signal }) => {
            said.push(request);
            tell("listening\n");
            program.request("interrupt");
            said.push(signal.aborted);
          },
      },
    );
    expect(await program.call("up", "--state-dir", "here", "--config", "stint.yaml")).toEqual({
      code: 0,
      out: "",
      err: "listening\n",
    });
    const request = { configuration: "stint.yaml", stateDirectory: "here", isThisMachineOffered: false };
    expect(said).toEqual([request, true]);
    expect(await capturedProgram({}).call("up")).toMatchObject({ code: 2 });
  });
});
