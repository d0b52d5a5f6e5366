import { describe, expect, it } from "vitest";
import { foreignSpec } from "../../test/engine-scene.ts";
import { add, clock, logbook, queue, start, worldForEach } from "../../test/foreign-broker.ts";
import { scriptedForeignSite } from "../../test/scripted-foreign-site.ts";
import { type ScriptedShares, scriptedShares, sharesOf } from "../../test/scripted-shares.ts";
import { ENFORCEMENT_DEFAULTS, type EnforcementStep, POLICY_DEFAULTS, type Policy } from "../model/index.ts";
import type { Broker, OpenSite } from "./index.ts";

worldForEach();

const policy = (consumer: string, percent: number, burst = 100): Policy => ({
  ...POLICY_DEFAULTS,
  ...{ provider: "far", consumer, burst: { bucketMs: 5000, sharePpm: burst * 10_000 } },
  epoch: { window: { kind: "sliding", lengthMs: 3_600_000 }, sharePpm: percent * 10_000 },
});

/** A broker whose site "far" has this accounting. */
async function brokerOver(shares: ScriptedShares, granted: readonly EnforcementStep[] = ["compile"]) {
  const site = { ...scriptedForeignSite(queue, clock), shares: sharesOf(shares) };
  const broker = await start({ openSite: async (): Promise<OpenSite> => ({ kind: "foreign", site }) });
  if (broker.brokerApi.sites().length === 0) {
    const spec = { ...foreignSpec(10), enforcement: { ...ENFORCEMENT_DEFAULTS, granted } };
    await add(broker, "far", spec);
    await applyPolicies(broker, policy("cms", 20, 50), policy("atlas", 80));
  }
  return broker;
}

function applyPolicies({ brokerApi }: Broker, ...policies: readonly Policy[]) {
  const request = { policies, effectiveFromMs: null, onVersion: null, by: "admin", note: "" };
  return brokerApi.ask({ kind: "applyPolicies", ...request });
}

/** What became of each change, in their order. */
async function order({ brokerApi }: Broker, verb: "apply" | "takeBack", isForced = false) {
  const answer = await brokerApi.changeShares({ site: "far", by: "ann", verb, isForced });
  if (answer === "notACluster" || !answer.ok) throw new Error(JSON.stringify(answer));
  return answer.value.map(({ change, result }) => `${change.name} ${result}`);
}

/** The kinds of events about shares that are in the log. */
async function logged(): Promise<readonly string[]> {
  const kinds: string[] = [];
  for await (const { kind } of logbook.events(1)) if (kind.startsWith("shares")) kinds.push(kind);
  return kinds;
}

const stateOf = ({ accounts, names, qos }: ScriptedShares) =>
  JSON.stringify([[...accounts].sort(), [...names].sort(), [...qos]]);

describe("EN-82 a cluster's own shares are changed on request, and restored", () => {
  it("exactly: what was there before is there after", async () => {
    const shares = scriptedShares({ atlas: 7, root: 1 });
    const before = stateOf(shares);
    const broker = await brokerOver(shares);
    expect(await order(broker, "apply")).toEqual(["cms made", "atlas made"]);
    expect(shares.accounts.get("cms")).toMatchObject({ shares: 200, group: { tres: { cpu: 5 } } });
    expect(shares.accounts.get("atlas")?.shares).toBe(800);
    expect(await order(broker, "apply")).toEqual([]);
    expect(await order(broker, "takeBack")).toEqual(["atlas takenBack", "cms takenBack"]);
    expect(stateOf(shares)).toBe(before);
    expect(await order(broker, "takeBack")).toEqual([]);
    await broker.stop();
  });

  it("what was changed twice goes back all the way", async () => {
    const shares = scriptedShares({ cms: 3, atlas: 7 });
    const before = stateOf(shares);
    const broker = await brokerOver(shares);
    await order(broker, "apply");
    await applyPolicies(broker, policy("cms", 50, 90), policy("atlas", 50));
    expect(await order(broker, "apply")).toEqual(["cms made", "atlas made"]);
    expect(shares.accounts.get("cms")).toMatchObject({ shares: 500, group: { tres: { cpu: 9 } } });
    await order(broker, "takeBack");
    expect(stateOf(shares)).toBe(before);
    await broker.stop();
  });

  it("what takes it back is in the log before anything is run", async () => {
    const shares = scriptedShares({ cms: 3, atlas: 7 });
    const broker = await brokerOver(shares);
    const seen: (readonly string[])[] = [];
    shares.before = async () => void seen.push(await logged());
    await order(broker, "apply");
    expect(seen[0]).toEqual(["sharesOrdered"]);
    await order(broker, "takeBack");
    expect(seen[2]?.at(-1)).toBe("sharesTakeBackOrdered");
    await broker.stop();
  });

  it("the first that fails ends it; said again, it goes on", async () => {
    const shares = scriptedShares({ cms: 3, atlas: 7 });
    const broker = await brokerOver(shares);
    shares.before = () => {
      throw new Error("no");
    };
    expect(await order(broker, "apply")).toEqual(["cms failed", "atlas notTried"]);
    expect(shares.asked).toHaveLength(1);
    shares.before = () => undefined;
    expect(await order(broker, "apply")).toEqual(["cms made", "atlas made"]);
    await broker.stop();
  });

  it("a command that complains of what it did has done it", async () => {
    const shares = scriptedShares({ cms: 3, atlas: 7 });
    const broker = await brokerOver(shares);
    shares.after = () => {
      throw new Error("the connection was lost");
    };
    expect(await order(broker, "apply")).toEqual(["cms made", "atlas made"]);
    await broker.stop();
  });

  it.each([
    ["before", 7],
    ["after", 800],
  ] as const)("a broker that died %s a command is taken back, or goes on", async (when, atlas) => {
    const shares = scriptedShares({ cms: 3, atlas: 7 });
    const unchanged = stateOf(shares);
    for (const next of ["takeBack", "apply"] as const) {
      const broker = await brokerOver(shares);
      const never = new Promise<void>(() => undefined);
      const reached = new Promise<void>((reach) => {
        shares[when] = (command) => {
          if (!command.includes("atlas")) return;
          reach();
          return never;
        };
      });
      void order(broker, "apply").catch(() => undefined);
      await reached;
      // It is gone with its memory: another one begins with the log alone.
      shares[when] = () => undefined;
      const other = await brokerOver(shares);
      expect(shares.accounts.get("atlas")?.shares).toBe(atlas);
      if (next === "apply") {
        await order(other, "apply");
        expect(shares.accounts.get("atlas")?.shares).toBe(800);
      }
      await order(other, "takeBack");
      expect(stateOf(shares)).toBe(unchanged);
      await other.stop();
    }
  });

  it("what somebody else has changed since is left alone, unless that is said", async () => {
    const shares = scriptedShares({ cms: 3, atlas: 7 });
    const before = stateOf(shares);
    const broker = await brokerOver(shares);
    await order(broker, "apply");
    const cms = shares.accounts.get("cms");
    if (cms !== undefined) shares.accounts.set("cms", { ...cms, shares: 42 });
    expect(await order(broker, "takeBack")).toEqual(["atlas takenBack", "cms left"]);
    expect(shares.accounts.get("cms")?.shares).toBe(42);
    expect(await order(broker, "takeBack", true)).toEqual(["cms takenBack"]);
    expect(stateOf(shares)).toBe(before);
    await broker.stop();
  });

  it("an account that others use by now is left, too", async () => {
    const shares = scriptedShares({ atlas: 800 });
    const broker = await brokerOver(shares);
    await order(broker, "apply");
    const cms = shares.accounts.get("cms");
    if (cms !== undefined) shares.accounts.set("eve", { ...cms, user: "eve" });
    expect(await order(broker, "takeBack")).toEqual(["cms left"]);
    await broker.stop();
  });

  it("without a grant of its own nothing is run, and what to grant is said", async () => {
    const shares = scriptedShares({ cms: 3 });
    const broker = await brokerOver(shares, ["hold", "suspend"]);
    await expect(order(broker, "apply")).rejects.toMatchObject({
      code: "compileNotGranted",
      remedy: expect.stringContaining("grant: [compile]"),
    });
    expect(shares.asked).toEqual([]);
    expect(await logged()).toEqual([]);
    await broker.stop();
  });

  it("a site whose shares were changed is not removed before that is taken back", async () => {
    const shares = scriptedShares({ cms: 3, atlas: 7 });
    const broker = await brokerOver(shares);
    await order(broker, "apply");
    const remove = () => broker.brokerApi.removeSite({ site: "far", by: "ann", isClean: false });
    expect(await remove()).toMatchObject({ refusal: { kind: "siteHasShares", count: 2 } });
    await order(broker, "takeBack");
    expect(await remove()).toMatchObject({ ok: true });
    await broker.stop();
  });

  it("a site that knows no shares has none to change", async () => {
    const broker = await start();
    await add(broker, "far");
    const request = { site: "far", by: "ann", verb: "apply", isForced: false } as const;
    expect(await broker.brokerApi.changeShares(request)).toBe("notACluster");
    expect(await broker.brokerApi.changeShares({ ...request, site: "nowhere" })).toMatchObject({ ok: false });
    await broker.stop();
  });
});
