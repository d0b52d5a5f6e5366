import { chmodSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { clock, logbook, pass, start, warnings, worldForEach } from "../../../test/foreign-broker.ts";
import { exited, running, type ScriptedSite, scriptedSite } from "../../../test/scripted-site.ts";
import { JOB_DEFAULTS, type Search, type SiteSpec } from "../../model/index.ts";
import { projectLog, type SiteReport, VIEWS } from "../../runtime/index.ts";
import { compareViews } from "../../store/index.ts";
import type { Broker, OpenSite } from "../index.ts";
import { askProgram } from "./ask-program.ts";

worldForEach();

const HERE: SiteSpec = {
  type: "managed",
  procs: 4,
  memoryBytes: 2 ** 30,
  discipline: "fcfs",
  defaultWallTimeMs: 3_600_000,
};

/** A site that outlives brokers, whose jobs take half a second and write this. */
function openHere(output: (token: string) => string) {
  const known = new Map<string, SiteReport>();
  let now: ScriptedSite | undefined;
  const tell = (token: string, report: SiteReport): void => {
    known.set(token, report);
    now?.tell(report);
  };
  return async (): Promise<OpenSite> => {
    const site = scriptedSite(({ token }) => {
      clock.wakeAt(clock.nowMs() + 100, () => tell(token, running(token, clock.nowMs())));
      clock.wakeAt(clock.nowMs() + 500, () => tell(token, exited(token, clock.nowMs())));
    });
    site.known = [...known.values()];
    site.readFile = async (token, name, fromByte, maxBytes) => {
      const bytes = Buffer.from(output(token));
      if (name !== "stdout") return undefined;
      return { bytes: bytes.subarray(fromByte, fromByte + maxBytes), sizeBytes: bytes.length };
    };
    now = site;
    return { kind: "managed", site };
  };
}

const submit = (broker: Broker, method: Search["method"], evaluations = 6) =>
  broker.brokerApi.ask({
    kind: "submitArray",
    ...{ array: "s", consumer: "a", owner: "u" },
    description: {
      ...{ ...JOB_DEFAULTS, executable: "run", array: `0-${evaluations - 1}%2`, stdOutput: "stdout" },
      sweep: {
        ...{ parameters: [{ name: "x", from: 0, step: 1, count: 101 }], combine: "product" },
        search: {
          ...{ objective: { kind: "pattern", pattern: "loss=(\\S+)" }, goal: "minimize", method },
          ...{ evaluations, parallel: 2 },
        },
      },
    },
  });

/** Lets time pass until a search is over; programs take time of their own. */
async function over(broker: Broker) {
  for (let look = 0; look < 300; look++) {
    const array = await broker.brokerApi.array("s");
    if (array !== undefined && array.endedAtMs !== null) return array;
    await pass(500);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error("the search does not end");
}

const loss = (token: string): string => `loss=${Math.abs(Number(token.replace(/^s-|\/.*/g, "")) - 3)}\n`;
const annealing = { kind: "annealing", seed: 1, restarts: 0 } as const;

function program(text: string): string {
  const file = join(mkdtempSync(join(tmpdir(), "stint-search-")), "choose");
  writeFileSync(file, `#!/bin/sh\n${text}\n`);
  chmodSync(file, 0o755);
  return file;
}

describe("searches at work", () => {
  it("BR-130 values are read and the best is known; the log says all of it", async () => {
    const broker = await start({ openSite: openHere(loss) });
    await broker.brokerApi.ask({ kind: "addSite", site: "here", spec: HERE });
    expect(await submit(broker, annealing)).toMatchObject({ ok: true });
    const { search, size } = await over(broker);
    expect({ ...search, size }).toMatchObject({
      ...{ evaluated: 6, failed: 0, end: { kind: "evaluated" }, size: 6 },
      best: { index: 3, value: 0 },
    });
    await broker.stop();
    expect(await compareViews({ logbook, schemas: VIEWS, project: projectLog() })).toEqual([]);
    expect(warnings).toEqual([]);
  });

  it("BR-131 the next broker goes on where the first one was", async () => {
    const openSite = openHere(loss);
    const first = await start({ openSite });
    await first.brokerApi.ask({ kind: "addSite", site: "here", spec: HERE });
    await submit(first, annealing, 12);
    await pass(1500);
    const before = (await first.brokerApi.array("s"))?.search?.evaluated ?? 0;
    expect(before).toBeGreaterThan(0);
    await first.stop();
    const next = await start({ openSite });
    const { search } = await over(next);
    expect(search).toMatchObject({ evaluated: 12, failed: expect.any(Number), end: { kind: "evaluated" } });
    await next.stop();
    expect(await compareViews({ logbook, schemas: VIEWS, project: projectLog() })).toEqual([]);
  });

  it("BR-130 a missing objective ends the search with its reason", async () => {
    const broker = await start({ openSite: openHere(() => "no loss here\n") });
    await broker.brokerApi.ask({ kind: "addSite", site: "here", spec: HERE });
    await submit(broker, annealing);
    const { search, size } = await over(broker);
    expect(size).toBe(2);
    expect(search?.end).toMatchObject({
      kind: "objectiveMissing",
      why: expect.stringContaining("no line fits"),
    });
    await broker.stop();
  });

  it("BR-132 a program chooses by what it is told, until it chooses nothing", async () => {
    const seen = join(mkdtempSync(join(tmpdir(), "stint-search-")), "seen");
    const text = `cat > ${seen}; n=$(grep -c '"index"' ${seen}); [ $n -ge 4 ] || printf '{"x":%d}\\n' $n`;
    const broker = await start({ openSite: openHere(loss) });
    await broker.brokerApi.ask({ kind: "addSite", site: "here", spec: HERE });
    await submit(broker, { kind: "exec", command: [program(text)] }, 50);
    const { search, size } = await over(broker);
    expect([size, search?.evaluated, search?.end?.kind]).toEqual([4, 4, "chosen"]);
    expect(search?.best).toMatchObject({ index: 3, values: { x: "3" }, value: 0 });
    const lines = readFileSync(seen, "utf8").trim().split("\n");
    expect(lines[1]).toBe('{"index":0,"values":{"x":"0"},"value":3,"state":"done"}');
    expect(lines.at(-1)).toBe('{"wanted":2}');
    await broker.stop();
  });

  it.each([
    ["echo no >&2; exit 3", "it ended with 3: no"],
    ["echo '{\"x\":1000}'", "line 1 of its answer: x is none"],
    ["echo hello", "a point is a JSON object"],
    ["exec sleep 60", "did not answer within 0.3 s"],
  ])("BR-132 a program that does %j has failed", async (text, why) => {
    const parameters = [{ name: "x", from: 0, step: 1, count: 101 }];
    const search = {
      objective: { kind: "exitCode" },
      goal: "minimize",
      parallel: 1,
      evaluations: 9,
    } as const;
    const command = [program(text)];
    const asked = await askProgram(
      {
        command,
        parameters,
        search: { ...search, method: { kind: "exec", command } },
        points: [],
        wanted: 1,
      },
      text.includes("sleep") ? { mostMs: 300 } : {},
    );
    expect(asked.ok ? "" : asked.refusal).toContain(why);
  });

  it("BR-132 a program that is nowhere ends its search", async () => {
    const broker = await start({ openSite: openHere(loss) });
    await broker.brokerApi.ask({ kind: "addSite", site: "here", spec: HERE });
    await submit(broker, { kind: "exec", command: ["/no/such/program"] });
    const { search, size } = await over(broker);
    expect([size, search?.end]).toMatchObject([
      0,
      { kind: "programFailed", why: expect.stringContaining("ENOENT") },
    ]);
    await broker.stop();
  });
});
