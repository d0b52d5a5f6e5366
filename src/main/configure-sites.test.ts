import { describe, expect, it } from "vitest";
import { type FakeBrokerApi, fakeBrokerApi } from "../../test/api/fake-broker-api.ts";
import { accepted, Fault } from "../base/index.ts";
import type { ConfiguredSite } from "../formats/stint-yaml/index.ts";
import { SLURM_DEFAULTS } from "../model/index.ts";
import { configureSites } from "./configure-sites.ts";

const cluster = (name: string): ConfiguredSite => ({
  name,
  line: 3,
  settings: { ...SLURM_DEFAULTS, type: "slurm" },
  lines: new Map(),
});

const away = new Fault({
  kind: "unreachable",
  code: "siteUnreachable",
  what: "cannot see its nodes",
  why: "no route",
  remedy: "look at its controller",
});

/** Configures sites with a broker whose `addSite` answers as given. */
async function configured(
  names: readonly string[],
  answer: (name: string, count: number) => Promise<void>,
  whileUp: (told: string[], brokerApi: FakeBrokerApi) => Promise<void>,
): Promise<void> {
  const fake = fakeBrokerApi();
  const [local] = fake.sites();
  const counts = new Map<string, number>();
  const told: string[] = [];
  const ending = new AbortController();
  const brokerApi: FakeBrokerApi = {
    ...fake,
    async ask(command) {
      if (command.kind !== "addSite") return fake.ask(command);
      const count = (counts.get(command.site) ?? 0) + 1;
      counts.set(command.site, count);
      await answer(command.site, count);
      fake.siteViews.set(command.site, { ...local, name: command.site, spec: command.spec });
      return accepted([]);
    },
  };
  await configureSites(brokerApi, {
    sites: names.map(cluster),
    file: "stint.yaml",
    isThisMachineOffered: false,
    batchSystemHere: async () => undefined,
    tell: (line) => told.push(line),
    signal: ending.signal,
    waits: { patienceMs: 50, tryAgainMs: 5 },
  });
  await whileUp(told, fake);
  ending.abort();
}

const there = (brokerApi: FakeBrokerApi, name: string) =>
  expect.poll(() => brokerApi.siteViews.has(name)).toBe(true);

describe("clusters of the configuration", () => {
  it("one that cannot be asked is not added yet, is tried again, and holds up nobody", async () => {
    const answer = async (name: string, count: number) => {
      if (name === "west" && count < 3) throw away;
    };
    await configured(["west", "east"], answer, async (told, brokerApi) => {
      expect(brokerApi.siteViews.has("east")).toBe(true);
      expect(told[0]).toContain(
        "stint.yaml:3: site west cannot be used: cannot see its nodes: no route; it is not added",
      );
      expect(told[0]).toContain("do:  look at its controller");
      await there(brokerApi, "west");
      await expect.poll(() => told.at(-1)).toBe("stint: site west is added\n");
    });
  });

  it("those that hang are asked at once, waited for together, and added when they answer", async () => {
    const letGo: (() => void)[] = [];
    const answer = () => new Promise<void>((resolve) => letGo.push(resolve));
    await configured(["west", "east"], answer, async (told, brokerApi) => {
      expect([letGo.length, told.length]).toEqual([2, 1]);
      expect(told[0]).toContain("added when they do");
      for (const resolve of letGo) resolve();
      await there(brokerApi, "west");
      await there(brokerApi, "east");
    });
  });

  it("MA-6 what is wrong with one stops the start, with its place", async () => {
    const wrong = new Fault({ ...away, kind: "badInput", what: "it cannot be", why: "so", remedy: "x" });
    const answer = () => Promise.reject(wrong);
    const starting = configured(["west"], answer, async () => undefined);
    await expect(starting).rejects.toMatchObject({ what: "stint.yaml:3: it cannot be", kind: "badInput" });
  });
});
