import { afterEach, describe, expect, it } from "vitest";
import type { JobRecord, PilotRecord } from "../../model/index.ts";
import type { Round } from "../../runtime/index.ts";
import { createPilotDriver } from "./pilot-driver.ts";

let stop: (() => void) | undefined;
afterEach(() => stop?.());

/** Counts how often it is gone through. */
class CountedSet extends Set<string> {
  count = 0;
  override [Symbol.iterator]() {
    this.count++;
    return super[Symbol.iterator]();
  }
}

function driven(pilots: readonly Partial<PilotRecord>[], payloads: readonly Partial<JobRecord>[]) {
  const own = new CountedSet(payloads.flatMap(({ id }) => id ?? []));
  const jobs = new Map(
    [...payloads, ...pilots.map(({ job: id }) => ({ id, attempt: 1 }))].map((it) => [it.id, it]),
  );
  const books = { pilots: new Map(pilots.map((it) => [it.job, it])), audit: new Map() };
  const projection = { jobs, books, sites: new Map([["west", { own }]]) };
  const round = {
    projection,
    durable: async () => undefined,
    report: async () => undefined,
    wake: () => undefined,
  };
  const asked: string[][] = [];
  const site = {
    lookAtPilots: async ({ payloads: some }: { payloads: readonly { token: string }[] }) => {
      asked.push(some.map(({ token }) => token));
      return { pilots: [], payloads: [] };
    },
  };
  const driver = createPilotDriver({
    round: round as unknown as Round,
    sites: { get: () => site as never },
    clock: { nowMs: () => 0, wakeAt: () => () => undefined } as never,
    find: async (id) => jobs.get(id) as JobRecord | undefined,
    warn: (text) => expect.fail(text),
  });
  stop = driver.stop.bind(driver);
  return { driver, own, asked };
}

const ENDED = { site: "west", state: "ENDED", endedAtMs: 0 } as const;

describe("looks at pilots", () => {
  it("EN-303 payloads of ended pilots are looked for once, however many pilots have ended", async () => {
    const pilots = Array.from({ length: 500 }, (_, at) => ({ ...ENDED, job: `p${at}` }));
    const payload = { id: "a", attempt: 2, siteJob: "7.a_2", pilot: "p499", startedAtMs: 0 };
    const { driver, own, asked } = driven(pilots, [payload, { id: "queued", attempt: 1 }]);
    driver.look();
    await expect.poll(() => asked).toEqual([["a/2"]]);
    expect(own.count).toBeLessThan(5);
  });

  it("EN-303 without pilots and payloads that are not over nothing is asked", async () => {
    const { driver, asked } = driven([{ ...ENDED, job: "p" }], [{ id: "queued", attempt: 1 }]);
    driver.look();
    await new Promise((resolve) => setImmediate(resolve));
    expect(asked).toEqual([]);
  });
});
