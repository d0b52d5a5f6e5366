import { describe, expect, it, vi } from "vitest";
import { aFault, aSite, capturedProgram } from "../../test/captured-program.ts";
import type { ResponseTimesView, SiteView, StintClient } from "../api/client/index.ts";
import { inSeconds, RESERVATION_DEFAULTS } from "../model/index.ts";

const far = aSite({
  name: "far",
  spec: {
    ...aSite().spec,
    type: "simulated",
    jobs: "imitate",
    speedUp: 1,
    background: null,
    delays: { orderSec: 0, startSec: 0 },
    losses: { failedPpm: 0, doubtfulPpm: 0, vanishedPpm: 0 },
    seed: 1,
  },
  state: "trouble",
  seenAt: "2026-05-31T11:00:00.000Z",
  trouble: "its trace is gone",
});

describe("stint site add --enforce", () => {
  it("grants these steps and no others; a word that is none is told", async () => {
    const addSite = vi.fn<StintClient["addSite"]>(async ({ name }) => aSite({ name }));
    const { call } = capturedProgram({ addSite });
    const add = ["site", "add", "far", "--type", "simulated", "--procs", "4"];
    await call(...add, "--enforce", "suspend,hold");
    await call(...add, "--enforce", "hold", "--enforce", "requeue");
    await call("site", "add", "far", "--type", "slurm", "--enforce", "watch");
    await call(...add);
    const granted = addSite.mock.calls.map(([{ spec }]) => spec.enforcement?.granted);
    expect(granted).toEqual([["hold", "suspend"], ["hold", "requeue"], ["watch"], undefined]);
    const { code, err } = await call(...add, "--enforce", "suspent");
    expect({ code, err }).toMatchObject({ code: 2, err: expect.stringContaining("suspend") });
  });
});

describe("stint site list", () => {
  const program = capturedProgram({ sites: async () => [aSite(), far] });

  it("shows state and load as a table, and what is wrong in the wide one", async () => {
    const lines = (await program.call("site", "list")).out.split("\n");
    expect(lines[0]).toMatch(/^SITE +STATE +TYPE +PROCS +BUSY +MEMORY +RUNNING +WAITING +DISCIPLINE$/);
    expect(lines[1]).toMatch(/^here +open +managed +8 +6 +16G +2 +1 +easy$/);
    expect(lines[2]).toMatch(/^far +trouble +simulated /);
    const wide = (await program.call("site", "list", "-o", "wide")).out.split("\n");
    expect(wide[0]).toMatch(/DISCIPLINE +SEEN +AD +RESPONSE +TROUBLE$/);
    expect(wide[2]).toMatch(/its trace is gone$/);
  });

  it("CL-16 as JSON, CSV and names has the fields of the API", async () => {
    expect(JSON.parse((await program.call("site", "list", "-o", "json")).out)).toEqual({
      items: [aSite(), far],
      next: null,
    });
    expect((await program.call("site", "list", "-o", "name")).out).toBe("here\nfar\n");
    const [head, here] = (await program.call("site", "list", "-o", "csv")).out.split("\r\n");
    expect(head).toMatch(/^name,state,type,procs,procsBusy,/);
    expect(here).toBe("here,open,managed,8,6,17179869184,2,1,easy,3600,false,,,60,,");
  });

  it("the wide form says how soon a site serves, in words and with the instant", async () => {
    const kept = [{ probability: 0.95, promises: 400, kept: 0.97, fellShort: false }];
    const at = "2026-05-31T11:00:00.000Z";
    const said = (responseTimes: Partial<ResponseTimesView>) =>
      aSite({ responseTimes: { at, partition: null, estimated: null, worst: null, ...responseTimes } });
    const estimated = { waitSec: 125.4, method: "simulation", score: null } as const;
    const score = { of: "site", kept, medianErrorSec: 30 } as const;
    const worst = { waitSec: 4000, method: "history", score } as const;
    const list = async (...items: SiteView[]) =>
      (await capturedProgram({ sites: async () => items }).call("site", "list", "-o", "wide")).out;
    expect(await list(said({ estimated, worst }))).toMatch(
      /about 2m05s \(simulation, no record yet\), 95 % within 1h06m \(history, kept 97 % of 400\), said /,
    );
    expect(await list(said({ worst: { ...worst, score: null } }))).toMatch(
      / 95 % within 1h06m \(history, no record yet\), said /,
    );
    expect(await list(said({ estimated: { ...estimated, score } }))).toContain(
      "about 2m05s (simulation, median error 30s), said",
    );
    expect((await list(said({}))).split("\n")[1]).toMatch(/ - +-$/);
  });

  it("says on stderr that there are none", async () => {
    const none = await capturedProgram({ sites: async () => [] }).call("site", "list");
    expect(none).toEqual({ code: 0, out: "", err: "stint: the broker has no sites\n" });
  });
});

describe("stint site add", () => {
  const addSite = vi.fn<StintClient["addSite"]>(async ({ name }) => aSite({ name }));
  const program = capturedProgram({ addSite });
  const add = (words: string) => program.call("site", "add", ...words.split(" "));

  it("rules of reservations are said as in stint.yaml, and refused alike", async () => {
    const slot = ["site", "add", "far", "--type", "simulated", "--procs", "4", "--reservations"];
    expect(await program.call(...slot, "{ consumers: [cms], ahead: 7d }")).toMatchObject({
      code: 0,
      err: "",
    });
    const [request] = addSite.mock.lastCall ?? [];
    const rules = { ...inSeconds(RESERVATION_DEFAULTS), consumers: ["cms"], aheadSec: 7 * 86_400 };
    expect(request?.spec.reservations).toEqual(rules);
    const wrong = await program.call(...slot, "{ ahed: 7d }");
    expect(wrong).toMatchObject({
      code: 2,
      err: expect.stringContaining("--reservations:1:3: ahed is not known"),
    });
  });

  it("hands on what was said, and nothing else", async () => {
    expect(await add("far --type simulated --procs 128")).toEqual({ code: 0, out: "far\n", err: "" });
    const [request, options] = addSite.mock.lastCall ?? [];
    expect(request).toStrictEqual({ name: "far", spec: { type: "simulated", procs: 128 } });
    expect(options?.idempotencyKey).toMatch(/./);
  });

  it("reads times, sizes and parts, and makes the path of a trace absolute", async () => {
    await add(
      "far --type simulated --procs 128 --memory 512G --discipline fcfs --wall-time 2h --jobs run " +
        "--speed-up 60 --background traces/a.swf.gz --skip 2d --order-delay 200ms --start-delay 0 " +
        "--lose-failed 0.01 --lose-doubtful 1 --lose-vanished 0.000001 --seed 0",
    );
    expect(addSite.mock.lastCall?.[0].spec).toStrictEqual({
      type: "simulated",
      procs: 128,
      memoryBytes: 512 * 2 ** 30,
      discipline: "fcfs",
      defaultWallTimeSec: 7200,
      jobs: "run",
      speedUp: 60,
      background: { trace: "/data/traces/a.swf.gz", skipSec: 172_800 },
      delays: { orderSec: 0.2, startSec: 0 },
      losses: { failedPpm: 10_000, doubtfulPpm: 1_000_000, vanishedPpm: 1 },
      seed: 0,
    });
  });

  it("a cluster under Slurm is only looked at, unless said", async () => {
    await add("far --type slurm");
    expect(addSite.mock.lastCall?.[0].spec).toStrictEqual({ type: "slurm" });
    await add("far --type slurm --no-read-only --submit-directory /data/stint --ssh-host login --qos long");
    expect(addSite.mock.lastCall?.[0].spec).toStrictEqual({
      type: "slurm",
      readOnly: false,
      submitDirectory: "/data/stint",
      sshHost: "login",
      qos: "long",
    });
  });

  it.each([
    ["far --procs 8", "--type"],
    ["far --type simulated", "--procs"],
    ["far --type simulatd --procs 8", "did you mean --type simulated?"],
    ["far --type simulated --procs 8 --lose-failed 1.1", "--lose-failed"],
    ["far --type simulated --procs 8 --lose-failed 1%", "--lose-failed"],
    ["far --type simulated --procs 8 --seed -1", "--seed"],
    ["far --type simulated --procs 8 --skip 2d", "--background"],
  ])("CL-3 CL-4 is a usage error: %s", async (words, says) => {
    addSite.mockClear();
    const { code, err } = await add(words);
    expect({ code, calls: addSite.mock.calls }).toEqual({ code: 2, calls: [] });
    expect(err).toContain(says);
  });
});

describe("stint site drain", () => {
  it("CL-9 drains each, and reopens with --undo", async () => {
    const drainSite = async (name: string) => {
      if (name === "nope") throw aFault("notFound");
      return aSite({ name, state: "draining" });
    };
    const reopenSite = async (name: string) => aSite({ name });
    const program = capturedProgram({ drainSite, reopenSite });
    const drained = await program.call("site", "drain", "a", "nope", "b");
    expect(drained).toMatchObject({ code: 3, out: "a: draining\nb: draining\n" });
    expect(await program.call("site", "drain", "--undo", "a")).toEqual({
      code: 0,
      out: "a: open\n",
      err: "",
    });
  });
});

describe("stint site test", () => {
  const good = { what: "queue", works: true, needed: true, why: "9 jobs are shown", remedy: null };
  const missing = { what: "suspending", works: false, needed: false, why: "no", remedy: "be an operator" };
  const unknown = { what: "shared", works: null, needed: true, why: "only a job can tell", remedy: null };

  it("writes what works and what would change the rest; only what is needed counts", async () => {
    const testSite = async () => ({ checks: [good, missing, unknown] });
    const { code, out } = await capturedProgram({ testSite }).call("site", "test", "far");
    expect(code).toBe(0);
    expect(out).toMatch(/^WHAT +WORKS +NEEDED +WHY\nqueue +yes +yes +9 jobs are shown\nsuspending +no +no/);
    expect(out).toMatch(/shared +- +yes/);
    expect(out).toContain("\nWhat would change it:\n  suspending: be an operator\n");
  });

  it("ends with 1 where something is needed, and is the same in JSON", async () => {
    const checks = [good, { ...missing, needed: true }];
    const program = capturedProgram({ testSite: async () => ({ checks }) });
    const { code, out } = await program.call("site", "test", "far", "-o", "json");
    expect([code, JSON.parse(out)]).toEqual([1, { checks }]);
  });

  it("tests what is not added by its options, and wants one of the two", async () => {
    const testSiteSpec = vi.fn<StintClient["testSiteSpec"]>(async () => ({ checks: [good] }));
    const program = capturedProgram({ testSiteSpec });
    expect((await program.call("site", "test", "--type", "slurm", "--ssh-host", "login")).code).toBe(0);
    expect(testSiteSpec.mock.lastCall).toEqual([{ type: "slurm", sshHost: "login" }]);
    for (const words of [[], ["far", "--type", "slurm"]]) {
      const { code, err } = await program.call("site", "test", ...words);
      expect([code, err]).toEqual([2, expect.stringContaining("give one site to test")]);
    }
  });
});

describe("stint site remove", () => {
  it("says what went and what stays, and is refused with jobs there", async () => {
    const removeSite = vi.fn<StintClient["removeSite"]>(async (name) => {
      if (name === "busy") throw aFault("refused");
      return { name, removed: ["its files"], left: ["its folder"] };
    });
    const program = capturedProgram({ removeSite });
    expect(await program.call("site", "remove", "--clean", "far", "busy")).toMatchObject({
      code: 5,
      out: "far: removed\n  removed: its files\n  left:    its folder\n",
    });
    expect(removeSite.mock.calls[0]).toEqual(["far", { clean: true }]);
    const { out } = await program.call("site", "remove", "far", "--json");
    expect(JSON.parse(out)).toEqual({ name: "far", removed: ["its files"], left: ["its folder"] });
  });
});
