/**
 * Schedules of a real broker: the starts promised to what waits, and what was believed at an instant of the
 * past, before something that nobody could know came in between.
 */
import { describe, expect, it } from "vitest";
import { createClient } from "../src/api/client/index.ts";
import { liveSetting } from "./live-setting.ts";
import { adminToken } from "./page/browser.ts";

describe("the schedule of a real broker", () => {
  const live = liveSetting(["  - { name: home, type: managed, procs: 4, memory: 4G }"]);
  const scheduleOf = async (query: { readonly asOf?: string; readonly since?: string } = {}) => {
    const client = createClient({ url: live.url(), token: adminToken(live.stateDirectory) });
    try {
      return await client.schedule("home", query);
    } finally {
      client.close();
    }
  };
  const barNamed = async (name: string, query = {}) =>
    (await scheduleOf(query)).bars.find((bar) => bar.name === name);

  const patience = { timeout: 200_000 };
  const endedCount = async () =>
    (await scheduleOf()).bars.filter(({ name, kind }) => name === "scored" && kind === "past").length;

  it("has what waits at its planned start, and the starts promised to it when it came", async () => {
    // Nothing is promised before forecasts have been scored: each of these waits for those before it. Of
    // jobs that come at once only some are forecast.
    for (let times = 0; times < 5; times++)
      live.ask("submit", "--name", "scored", "-a", "0-14", "-n", "4", "-t", "1m", "--", "sleep", "0.1");
    await expect.poll(endedCount, patience).toBe(75);
    live.ask("submit", "--name", "long", "-n", "3", "-t", "1h", "--", "sleep", "600");
    live.ask("submit", "--name", "wide", "-n", "4", "-t", "30m", "--", "sleep", "600");
    await expect.poll(() => barNamed("long").then((bar) => bar?.kind), patience).toBe("running");
    const long = await barNamed("long");
    const wide = await barNamed("wide");
    expect(wide).toMatchObject({ kind: "queued", from: long?.until, rows: [[0, 4]] });
    await expect
      .poll(() => barNamed("wide").then((bar) => bar?.promises.length), patience)
      .toBeGreaterThan(0);
    const { promises = [] } = (await barNamed("wide")) ?? {};
    expect(promises.map(({ probability }) => probability)).toEqual([0.5, 0.8, 0.95]);
    const starts = promises.map(({ startAt }) => startAt);
    expect(starts.toSorted()).toEqual(starts);
    expect(
      starts.every((start) => start >= (long?.from ?? "")),
      String(starts),
    ).toBe(true);
    expect((await barNamed("long"))?.promises).toEqual([]);
  });

  it("as of the past it has what was believed then, whatever came afterwards", async () => {
    const { at, bars: believed } = await scheduleOf();
    const named = (name: string) => believed.find((bar) => bar.name === name);
    const id = named("long")?.job ?? "";
    live.ask("cancel", id);
    await live.until(id, "CANCELLED");
    live.ask("submit", "--name", "later", "-n", "1", "-t", "10m", "--", "sleep", "600");
    await expect.poll(() => barNamed("wide").then((bar) => bar?.kind), patience).toBe("running");

    const then = await scheduleOf({ asOf: at });
    expect(then).toMatchObject({ at, partial: false, free: [] });
    const shown = then.bars.filter(({ name }) => name !== "scored");
    expect(shown.map(({ name, kind, from, until }) => [name, kind, from, until])).toEqual(
      ["long", "wide"].map((name) => [name, named(name)?.kind, named(name)?.from, named(name)?.until]),
    );
    const wide = await barNamed("wide");
    expect(Date.parse(wide?.from ?? "")).toBeLessThan(Date.parse(named("wide")?.from ?? ""));
    // An earlier instant than the one before is read from the beginning again.
    const before = new Date(Date.parse(named("long")?.from ?? "") - 600_000).toISOString();
    expect((await scheduleOf({ asOf: before })).bars).toEqual([]);
    expect((await scheduleOf({ asOf: at })).bars).toHaveLength(then.bars.length);
  });

  it("is the same after the broker was started again", async () => {
    const { at, bars } = await scheduleOf();
    await live.end("SIGTERM");
    await live.up();
    const again = await scheduleOf({ asOf: at });
    const told = ({ name, kind, from }: (typeof bars)[number]) => [name, kind, from];
    expect(again.bars.map(told)).toEqual(bars.map(told));
  });

  it("has no future that somebody believed", async () => {
    const asOf = new Date(Date.now() + 3_600_000).toISOString();
    await expect(scheduleOf({ asOf })).rejects.toThrow("it must be an instant of the past");
  });
});
