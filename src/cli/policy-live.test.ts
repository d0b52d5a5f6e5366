import { describe, expect, it, vi } from "vitest";
import { aFault, aSite, capturedProgram } from "../../test/captured-program.ts";
import type {
  EnforcementActionView,
  PoliciesView,
  PolicySetView,
  SiteEnforcerView,
  SiteUsageView,
  SiteView,
  StintClient,
} from "../api/client/index.ts";
import { type LongForm, longForm } from "../formats/policy-file/index.ts";
import {
  ENFORCEMENT_DEFAULTS,
  inMilliseconds,
  inSeconds,
  POLICY_DEFAULTS,
  type Policy,
  SLURM_DEFAULTS,
} from "../model/index.ts";
import type { HoldingPolicies, LeftPauses, PolicyTools } from "./index.ts";

const AT = "2026-05-31T12:00:00.000Z";

function policy(consumer: string, sharePpm: number): Policy {
  const epoch = { window: { kind: "sliding", lengthMs: 3_600_000 }, sharePpm } as const;
  return { ...POLICY_DEFAULTS, provider: "here", consumer, epoch };
}

function version(number: number, ...policies: readonly Policy[]): PolicySetView {
  return {
    version: number,
    effectiveFrom: AT,
    appliedAt: AT,
    by: "ann",
    note: "as agreed",
    policies: inSeconds(policies),
  };
}

const enforcer: SiteEnforcerView = {
  ...{ site: "here", version: 2, granted: ["hold", "suspend"], form: "ours", isPaused: false },
};
const there = (change: Partial<PoliciesView> = {}): PoliciesView => ({
  ...{ now: null, coming: [], enforcers: [enforcer], followers: [] },
  ...change,
});
const formOf = (one: Policy): LongForm => longForm(one, { fromMs: null, untilMs: null });

/** A program whose files say these policies, and whose broker has others. */
function applying(said: readonly Policy[], before: PoliciesView, change: Partial<HoldingPolicies> = {}) {
  const holding = vi.fn<PolicyTools["holding"]>(async () => ({
    files: [{ file: "a.policy.yaml", problems: [], warnings: [] }],
    overProvisioned: [],
    policies: said.map((one) => ({ policy: one, form: formOf(one) })),
    ...change,
  }));
  const applyPolicies = vi.fn<StintClient["applyPolicies"]>(async ({ policies }) =>
    version(3, ...inMilliseconds(policies)),
  );
  const client = {
    sites: async (): Promise<readonly SiteView[]> => [aSite()],
    policies: async () => before,
    applyPolicies,
  };
  const policies = async () => ({ holding }) as unknown as PolicyTools;
  return { ...capturedProgram(client, { policies }), client, applyPolicies, holding };
}

describe("stint policy apply", () => {
  const before = there({ now: version(2, policy("cms", 200_000), policy("atlas", 100_000)) });
  const after = [policy("cms", 300_000), policy("lhcb", 100_000)];

  it("says what changes against what holds, and the new version", async () => {
    const { call, applyPolicies, holding } = applying(after, before);
    const { code, out, err } = await call("policy", "apply", "a.policy.yaml", "--note", "more");
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toMatch(/^CHANGE +PROVIDER +CONSUMER/);
    expect(out).toMatch(/^changed +here +cms +cpu +20% of 1h → 30% of 1h/m);
    expect(out).toMatch(/^removed +here +atlas /m);
    expect(out).toMatch(/^added +here +lhcb /m);
    expect(out).toMatch(/\nversion 3 holds from 2026-05-31 .* on\n$/);
    expect(applyPolicies.mock.calls).toEqual([
      [{ policies: inSeconds(after), note: "more" }, { onVersion: 2 }],
    ]);
    const places = [{ name: "here", procs: 8, memory: 2 ** 34 }];
    expect(holding.mock.calls).toEqual([[{ files: ["a.policy.yaml"], atMs: Date.parse(AT), places }]]);
  });

  it("recommends the cluster's own limits where an enforcer that polls keeps bursts", async () => {
    const burst = { bucketMs: 5000, sharePpm: 250_000 };
    const program = applying([{ ...policy("cms", 300_000), burst }], before);
    const spec = { ...SLURM_DEFAULTS, procs: 16, memoryBytes: 0, pollsPerMinute: 30 };
    const enforcement = { ...ENFORCEMENT_DEFAULTS, granted: ["hold"] as const };
    program.client.sites = async () => [
      aSite({ spec: inSeconds({ ...spec, type: "slurm" as const, enforcement }) }),
    ];
    const { err } = await program.call("policy", "apply", "a");
    expect(err).toContain("here is polled every 2 s");
    expect(err).toContain("the burst share of cms; if it must hold at every instant");
    expect(err).toContain("stint policy compile here");
  });

  it("from an instant, on top of the version compared with or of --on; the first is on 0", async () => {
    const coming = applying(after, there({ now: version(1), coming: [version(2, policy("cms", 1))] }));
    await coming.call("policy", "apply", "a", "--from", "2026-06-01T00:00:00Z");
    const from = { policies: inSeconds(after), effectiveFrom: "2026-06-01T00:00:00.000Z" };
    expect(coming.applyPolicies.mock.calls).toEqual([[from, { onVersion: 2 }]]);
    const first = applying(after, there());
    await first.call("policy", "apply", "a");
    await first.call("policy", "apply", "a", "--on", "7");
    expect(first.applyPolicies.mock.calls.map(([, on]) => on)).toEqual([{ onVersion: 0 }, { onVersion: 7 }]);
    expect((await first.call("policy", "apply", "a", "--on", "x")).code).toBe(2);
  });

  it("the same is not applied again, --dry-run nothing at all", async () => {
    const same = applying([policy("cms", 200_000)], there({ now: version(2, policy("cms", 200_000)) }));
    expect(await same.call("policy", "apply", "a")).toEqual({
      ...{ code: 0, out: "" },
      err: "stint: these are the policies that hold or will, as version 2; nothing is applied\n",
    });
    const dry = applying(after, before);
    const said = await dry.call("policy", "apply", "a", "--dry-run");
    expect(said.out).toContain("30% of 1h");
    expect(said.err).toBe("stint: nothing is applied\n");
    expect([...same.applyPolicies.mock.calls, ...dry.applyPolicies.mock.calls]).toEqual([]);
  });

  it("what is wrong with a file is told with its place; too much given away is a remark", async () => {
    const problem = { line: 3, column: 5, code: "x", what: "wrong", why: "because", remedy: "mend it" };
    const files = [{ file: "a.policy.yaml", problems: [problem], warnings: [] }];
    const wrong = applying(after, before, { files });
    const { code, err } = await wrong.call("policy", "apply", "a.policy.yaml");
    expect({ code, err }).toMatchObject({ code: 2, err: expect.stringContaining("a.policy.yaml:3:5") });
    expect(wrong.applyPolicies).not.toHaveBeenCalled();
    const consumers = [{ consumer: "cms", sharePpm: 800_000, entitledPpm: 600_000 }];
    const overProvisioned = [
      { resource: "cpu", provider: "here", sumPpm: 1_200_000, fromMs: null, consumers } as const,
    ];
    const much = await applying(after, before, { overProvisioned }).call("policy", "apply", "a");
    expect(much).toMatchObject({ code: 0, err: expect.stringContaining("here gives away 120% of its cpu") });
  });

  it("where others were applied meanwhile it ends with 5; JSON has version and changes", async () => {
    const program = applying(after, before);
    program.applyPolicies.mockRejectedValueOnce(aFault("refused"));
    expect((await program.call("policy", "apply", "a")).code).toBe(5);
    const { out } = await program.call("policy", "apply", "a", "-o", "json");
    expect(JSON.parse(out)).toMatchObject({
      applied: { version: 3 },
      changes: [{ change: "changed" }, {}, {}],
    });
  });
});

describe("stint policy show", () => {
  it("the policies that hold and will, and which site enforces which with what", async () => {
    const coming = { ...version(3), effectiveFrom: "2026-06-01T00:00:00.000Z", note: "" };
    const rests = { version: null, granted: ["watch"], isPaused: true } as const;
    const paused: SiteEnforcerView = { ...enforcer, site: "far", ...rests };
    const policies = there({ now: version(2, policy("cms", 200_000)), coming: [coming] });
    const all = { ...policies, enforcers: [...policies.enforcers, paused] };
    const { call } = capturedProgram({ policies: async () => all });
    const { out } = await call("policy", "show");
    expect(out).toMatch(
      /^version 2 holds since 2026-05-31 .*, by ann: as agreed\nversion 3 will hold from .*\n\n/,
    );
    expect(out).toMatch(/^ +2 +here +cms +cpu +20% of 1h +100%, by 1m +entitlement, shared, forgive$/m);
    expect(out).toMatch(/^here +2 +hold, suspend +ours +enforces$/m);
    expect(out).toMatch(/^far +- +watch +ours +paused$/m);
    const [first] = policies.enforcers;
    const hindered = { ...policies, enforcers: [{ ...first, cannotAct: "the budget is used up" }] };
    const later = await capturedProgram({ policies: async () => hindered }).call("policy", "show");
    expect(later.out).toMatch(/cannot act: the budget is used up$/m);
    expect(JSON.parse((await call("policy", "show", "-o", "json")).out)).toEqual(all);
    expect((await call("policy", "show", "-o", "name")).out).toBe("here cms cpu\n");
    const [head, line] = (await call("policy", "show", "-o", "csv")).out.split("\r\n");
    expect([head, line?.split(",").length]).toEqual([
      "version,effectiveFrom,resource,provider,consumer,epoch,burst,rule,mode,carry",
      11,
    ]);
  });

  it("that there are none is told on stderr", async () => {
    const none = capturedProgram({ policies: async () => there(), policyVersions: async () => [] });
    expect((await none.call("policy", "show")).err).toBe("stint: no policies were ever applied\n");
    expect(await none.call("policy", "history")).toEqual({
      ...{ code: 0, out: "" },
      err: "stint: no policies were ever applied\n",
    });
  });

  it("history has all versions, newest first, with who applied them and why", async () => {
    const sets = [version(2, policy("cms", 1)), version(1)];
    const { call } = capturedProgram({ policyVersions: async () => sets });
    expect((await call("policy", "history")).out).toMatch(/^VERSION .*\n +2 .* ann +1 +as agreed\n +1 .* 0 /);
    expect(JSON.parse((await call("policy", "history", "-o", "json")).out)).toEqual({
      items: sets,
      next: null,
    });
    expect((await call("policy", "history", "-o", "name")).out).toBe("2\n1\n");
  });
});

describe("stint policy actions", () => {
  const action: EnforcementActionView = {
    ...{ at: AT, site: "here", verb: "suspend", job: "a1", isAdvice: true },
    cause: { kind: "roomFor", job: "b2", consumer: "atlas" },
    text: "suspend a1: to free capacity for b2 of atlas, which is within its share",
  };

  it("says when, where, what and why, and whether it was done", async () => {
    const items = [action, { ...action, isAdvice: false }];
    const { call } = capturedProgram({ enforcementActions: async () => ({ items, next: null }) });
    const { out } = await call("policy", "actions");
    expect(out).toMatch(
      /^AT +SITE +DONE +WHAT AND WHY\n.* here +no +suspend a1: to free capacity for b2 of atlas/,
    );
    expect(out).toMatch(/ here +yes +suspend a1/);
    expect((await call("policy", "actions", "-o", "name")).out).toBe("a1\na1\n");
    expect(JSON.parse((await call("policy", "actions", "-o", "json")).out)).toEqual({ items, next: null });
  });

  it("is narrowed to a site and a job, page after page up to -n", async () => {
    const pages = [{ items: Array<EnforcementActionView>(1000).fill(action), next: "further" }];
    const enforcementActions = vi.fn<StintClient["enforcementActions"]>(
      async () => pages.shift() ?? { items: [action], next: "more" },
    );
    const { call } = capturedProgram({ enforcementActions });
    const words = ["--site", "here", "--job", "a", "-n", "1001", "-o", "json"];
    const { items, next } = JSON.parse((await call("policy", "actions", ...words)).out);
    expect({ length: items.length, next }).toEqual({ length: 1001, next: "more" });
    const of = { site: "here", job: "a" };
    expect(enforcementActions.mock.calls).toEqual([
      [{ ...of, limit: 1000 }],
      [{ ...of, limit: 1, cursor: "further" }],
    ]);
  });

  it("that there are none, or more, is told to people on stderr", async () => {
    const none = capturedProgram({ enforcementActions: async () => ({ items: [], next: null }) });
    expect((await none.call("policy", "actions")).err).toBe("stint: no enforcer has done or said anything\n");
    const items = Array<EnforcementActionView>(100).fill(action);
    const many = capturedProgram({ enforcementActions: async () => ({ items, next: "x" }) });
    expect((await many.call("policy", "actions")).err).toContain("more than 100");
    expect((await many.call("policy", "actions", "-n", "100")).err).toBe("");
  });
});

describe("stint usage", () => {
  const usage: SiteUsageView = {
    ...{ site: "here", at: AT, capacity: { procs: 8, gpus: 0, memoryBytes: 2 ** 34 } },
    free: { procs: 3, gpus: 0, memoryBytes: 2 ** 33 },
    ...{ jobsRunning: 3, jobsWaiting: 4 },
    levels: [
      {
        ...{
          resource: "cpu",
          consumer: "cms",
          inUse: 5,
          waiting: 16,
          jobsRunning: 2,
          jobsWaiting: 4,
          usedPpm: 123_456,
        },
        ...{ epochPpm: 200_000, burstPpm: 1_000_000, rule: "entitlement", mode: "shared" },
        window: { kind: "sliding", lengthSec: 3600 },
      },
      {
        ...{
          resource: "memory",
          consumer: "cms/top",
          inUse: 2 ** 30,
          waiting: 0,
          jobsRunning: 1,
          jobsWaiting: 0,
          usedPpm: 0,
        },
        ...{ epochPpm: 500_000, burstPpm: 600_000, rule: "cap", mode: "dedicated" },
        window: { kind: "fixed", unit: "week", offsetSec: 0 },
      },
    ],
  };
  const siteUsage = vi.fn<StintClient["siteUsage"]>(async (site) =>
    site === "here" ? usage : { ...usage, site, levels: [] },
  );

  it("is a table a site of what each level uses and may", async () => {
    const { call } = capturedProgram({ sites: async () => [aSite(), aSite({ name: "far" })], siteUsage });
    const { out, err } = await call("usage");
    const [head, columns, cms, top] = out.split("\n");
    expect(head).toMatch(
      /^here at .*: 3 of 8 processors, 8G of 16G of memory free; jobs: 3 running, 4 waiting$/,
    );
    expect(columns).toMatch(/^CONSUMER +RESOURCE +IN-USE +WAITING +USED% +EPOCH% +BURST% +RULE +MODE$/);
    expect(cms).toMatch(/^cms +cpu +5 +16 +12.35 +20 +100 +entitlement +shared$/);
    expect(top).toMatch(/^cms\/top +memory +1G +0B? +0 +50 +60 +cap +dedicated$/);
    expect(err).toBe("stint: no policy names a consumer of yours at far\n");
    expect((await call("usage", "-o", "wide")).out).toMatch(/ 1h .*\n.* the week /);
  });

  it("of one site, in every form", async () => {
    const { call } = capturedProgram({ siteUsage, sites: async () => [aSite()] });
    expect(JSON.parse((await call("usage", "here", "-o", "json")).out)).toEqual(usage);
    expect(JSON.parse((await call("usage", "-o", "json")).out)).toEqual({ items: [usage], next: null });
    expect((await call("usage", "here", "-o", "name")).out).toBe("here cms cpu\nhere cms/top memory\n");
    const [head, line] = (await call("usage", "here", "-o", "csv")).out.split("\r\n");
    expect(head).toBe(
      "site,consumer,resource,inUse,waiting,jobsRunning,jobsWaiting,usedPpm," +
        "epochPpm,burstPpm,window,rule,mode",
    );
    expect(line).toMatch(/^here,cms,cpu,5,16,2,4,123456,/);
    const unknown = capturedProgram({ siteUsage: () => Promise.reject(aFault("notFound")) });
    expect((await unknown.call("usage", "nowhere")).code).toBe(3);
  });
});

describe("stint pause", () => {
  const unreachable = () => Promise.reject(aFault("unreachable"));
  const left = () => {
    const leave = vi.fn<LeftPauses["leave"]>(async (site) => `/state/pause/${site}`);
    const takeBack = vi.fn<LeftPauses["takeBack"]>(async () => true);
    return { leave, takeBack, leftPauses: async () => ({ leave, takeBack }) };
  };

  it("has enforcers rest, and go on; each site in turn", async () => {
    const pauseEnforcement = vi.fn<StintClient["pauseEnforcement"]>(async (site) => {
      if (site === "b") throw aFault("notFound", "there is no site b");
      return { ...there().enforcers[0], site, isPaused: true };
    });
    const continueEnforcement = async () => there().enforcers[0];
    const { call } = capturedProgram({ pauseEnforcement, continueEnforcement }, left());
    const { code, out, err } = await call("pause", "a", "b", "c");
    expect({ code, out }).toEqual({ code: 3, out: "a: paused\nc: paused\n" });
    expect(err).toContain("there is no site b");
    expect((await call("pause", "here", "--continue")).out).toBe("here: resumed\n");
  });

  it("where the broker does not answer it leaves word, and says so", async () => {
    const { leftPauses, leave } = left();
    const { call } = capturedProgram({ pauseEnforcement: unreachable }, { leftPauses });
    const { code, out } = await call("pause", "a", "b");
    expect(code).toBe(0);
    expect(out).toMatch(/^a: the broker does not answer; .* when it starts, .* \(\/state\/pause\/a\)\nb: /);
    expect(leave.mock.calls).toEqual([["a"], ["b"]]);
  });

  it("where word cannot be left, or it was refused, it fails as anything does", async () => {
    const leave = async () => undefined;
    const nowhere = { leftPauses: async () => ({ ...left(), leave }) };
    const broker = { pauseEnforcement: unreachable, continueEnforcement: unreachable };
    expect((await capturedProgram(broker, nowhere).call("pause", "a")).code).toBe(69);
    expect((await capturedProgram(broker).call("pause", "a")).code).toBe(69);
    const here = left();
    const denied = { pauseEnforcement: () => Promise.reject(aFault("notAllowed")) };
    expect((await capturedProgram(denied, here).call("pause", "a")).code).toBe(4);
    expect(here.leave).not.toHaveBeenCalled();
  });

  it("--continue takes back the word that was left, and still says that nobody answers", async () => {
    const { leftPauses, takeBack } = left();
    const { call } = capturedProgram({ continueEnforcement: unreachable }, { leftPauses });
    const { code, err } = await call("pause", "a", "--continue");
    expect(code).toBe(69);
    expect(err).toContain("the pause left for a is taken back");
    expect(takeBack.mock.calls).toEqual([["a"]]);
  });
});

describe("stint undo", () => {
  it("reverses what was done to each job in turn; what cannot be is told", async () => {
    const undoEnforcement = vi.fn<StintClient["undoEnforcement"]>(async (job) => {
      if (job === "b") throw aFault("refused", "nothing is to be undone for job b");
    });
    const { code, out, err } = await capturedProgram({ undoEnforcement }).call("undo", "a", "b", "c");
    expect(code).toBe(5);
    expect(out).toBe("a: undone, and left alone\nc: undone, and left alone\n");
    expect(err).toContain("nothing is to be undone for job b");
  });
});

describe("all of them", () => {
  const commands = ["policy apply", "policy show", "policy history", "policy actions"];
  it.each([...commands, "usage", "pause", "undo"])("stint %s --help has examples", async (command) => {
    const { out, code } = await capturedProgram({}).call(...command.split(" "), "--help");
    expect(code).toBe(0);
    expect(out).toContain(`Examples:\n  $ stint ${command}`);
  });
});
