import { describe, expect, it } from "vitest";
import { foreignSpec } from "../../test/engine-scene.ts";
import {
  add,
  clock,
  logged,
  opened,
  pass,
  queue,
  start,
  submit,
  withFar,
  worldForEach,
} from "../../test/foreign-broker.ts";
import { Fault } from "../base/index.ts";
import type { SiteCheck } from "../model/index.ts";
import type { Broker, SiteCare } from "./index.ts";

worldForEach();

const check: SiteCheck = { what: "queue", works: true, isNeeded: true, why: "it is seen", remedy: null };

/** Care that says what was asked of it. */
function caring(more: Partial<SiteCare> = {}) {
  const asked: string[] = [];
  const care: SiteCare = {
    async test(name, { procs }) {
      asked.push(`test ${name} ${procs}`);
      return [check];
    },
    async leave(name, _, isClean) {
      asked.push(`leave ${name} ${isClean}`);
      return isClean ? { removed: ["its files"], left: [] } : { removed: [], left: ["its files"] };
    },
    async putAway(name, _, isClean) {
      asked.push(`putAway ${name} ${isClean}`);
      return isClean ? { removed: ["its folder"], left: [] } : { removed: [], left: ["its folder"] };
    },
    ...more,
  };
  return { asked, care };
}

const remove = (broker: Broker, isClean = false) =>
  broker.brokerApi.removeSite({ site: "far", by: "u1", isClean });
const names = (broker: Broker): string[] => broker.brokerApi.sites().map(({ name }) => name);

describe("removing a site", () => {
  it("BR-20 its traces are removed first, its folder last, and its name is free", async () => {
    const { asked, care } = caring();
    const broker = await withFar({ care });
    const value = { removed: ["its files", "its folder"], left: [] };
    expect(await remove(broker, true)).toEqual({ ok: true, value });
    expect(asked).toEqual(["leave far true", "putAway far true"]);
    expect([names(broker), await logged("siteRemoved")]).toEqual([[], 1]);
    const { surveys } = queue;
    await pass(5000);
    expect(queue.surveys).toBe(surveys);
    await add(broker, "far", foreignSpec(2));
    await pass();
    expect(opened).toEqual(["far", "far"]);
    await broker.stop();
    const after = await start({ care });
    expect(names(after)).toEqual(["far"]);
    await after.stop();
  });

  it("BR-20 without clean nothing is deleted, and what stays is listed", async () => {
    const { care } = caring();
    const broker = await withFar({ care });
    const value = { removed: [], left: ["its files", "its folder"] };
    expect(await remove(broker)).toEqual({ ok: true, value });
    await broker.stop();
    const after = await start({ care });
    expect(names(after)).toEqual([]);
    await after.stop();
  });

  it("BR-20 with a job of ours it is refused, nothing is changed, and the site goes on", async () => {
    const { asked, care } = caring();
    const broker = await withFar({ care });
    await submit(broker, "a", "far");
    await pass();
    expect(await remove(broker, true)).toMatchObject({ refusal: { kind: "siteHasJobs", jobs: ["a"] } });
    expect([asked, await logged("siteDrained")]).toEqual([[], 0]);
    queue.startAll(clock.nowMs());
    queue.endAll(clock.nowMs());
    await pass(3000);
    expect(await broker.brokerApi.job("a")).toMatchObject({ state: "DONE", site: "far" });
    expect(await remove(broker, true)).toMatchObject({ ok: true });
    expect(await broker.brokerApi.job("a")).toMatchObject({ state: "DONE", site: "far" });
    await broker.stop();
  });

  it("BR-20 a job that arrives during removal is not lost: the site stays as it was", async () => {
    const { care } = caring({
      leave: async () => {
        await submit(broker, "late", "far");
        return { removed: ["its files"], left: [] };
      },
    });
    const broker = await withFar({ care });
    expect(await remove(broker, true)).toMatchObject({ refusal: { kind: "siteHasJobs", jobs: ["late"] } });
    expect(broker.brokerApi.sites()).toMatchObject([{ name: "far", isDraining: false }]);
    await pass(3000);
    expect(queue.asked).toContain("submit late/1");
    await broker.stop();
  });

  it("BR-20 if its traces cannot be removed it stays, and can be removed without that", async () => {
    const away = { kind: "unreachable", code: "siteUnreachable", what: "", why: "", remedy: "" } as const;
    const { care } = caring({
      leave: async (_, __, isClean) => {
        if (isClean) throw new Fault(away);
        return { removed: [], left: ["its files"] };
      },
    });
    const broker = await withFar({ care });
    await expect(remove(broker, true)).rejects.toMatchObject({ code: "siteUnreachable" });
    await pass();
    expect(broker.brokerApi.sites()).toMatchObject([{ name: "far", isDraining: false, trouble: null }]);
    expect(await remove(broker)).toMatchObject({ ok: true });
    expect(await remove(broker)).toMatchObject({ refusal: { kind: "unknownSite" } });
    await broker.stop();
  });
});

describe("testing a site", () => {
  it("by its name, also if it cannot be opened, or by a new spec", async () => {
    const { asked, care } = caring();
    const broker = await withFar({ care });
    expect(await broker.brokerApi.testSite("far")).toEqual([check]);
    expect(await broker.brokerApi.testSite(foreignSpec(7))).toEqual([check]);
    expect(await broker.brokerApi.testSite("fra")).toBeUndefined();
    expect(asked).toEqual(["test far 4", "test null 7"]);
    await broker.stop();
  });
});
