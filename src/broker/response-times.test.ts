/** How soon sites serve: what is asked of the thread when somebody looks, and how long they wait for it. */
import { afterEach, describe, expect, it } from "vitest";
import { aCluster, aPartition } from "../../test/cluster-scene.ts";
import { foreignSpec } from "../../test/engine-scene.ts";
import { add, clock, pass, queue, start, worldForEach } from "../../test/foreign-broker.ts";
import { scriptedForeignSite } from "../../test/scripted-foreign-site.ts";
import { steppableClock } from "../../test/steppable-clock.ts";
import { apply, createProjection, LAST_MOMENTS_MS, type ResponseAnswer } from "../engine/index.ts";
import type { Broker } from "./index.ts";
import type { AskedWhen } from "./predictions/protocol.ts";
import { createResponseBook } from "./response-times.ts";

const MINUTE = 60_000;

/** A book over one managed site "here" whose thread answers when a test lets it. */
function bookOfOne() {
  const hands = steppableClock(1_000_000);
  const projection = createProjection();
  const spec = { ...foreignSpec(4), type: "managed" } as const;
  apply(projection, { kind: "siteAdded", site: "here", spec, atMs: hands.nowMs() });
  const asked: AskedWhen[] = [];
  const answers: ((answer: ResponseAnswer | Error) => void)[] = [];
  const book = createResponseBook({
    round: { projection, nowMs: hands.nowMs },
    sites: { get: () => undefined },
    clock: hands,
    predictions: {
      respond: (question) => {
        asked.push(question);
        return new Promise((resolve, reject) => {
          answers.push((answer) => (answer instanceof Error ? reject(answer) : resolve(answer)));
        });
      },
    },
  });
  const answer = async (waitMs: number | Error): Promise<void> => {
    const estimated = { method: "schedule", score: null } as const;
    const said = { atMs: hands.nowMs(), estimated: { ...estimated, waitMs: Number(waitMs) }, worst: null };
    answers.shift()?.(waitMs instanceof Error ? waitMs : said);
    await new Promise((resolve) => setImmediate(resolve));
  };
  /** Whether a look that begins now has to wait. */
  const look = async (): Promise<{ readonly mayRead: () => boolean }> => {
    let isThere = false;
    void book.refreshed().then(() => {
      isThere = true;
    });
    await new Promise((resolve) => setImmediate(resolve));
    return { mayRead: () => isThere };
  };
  return { book, hands, projection, asked, answer, look, spec };
}

describe("BR-63 response times", () => {
  it("are of one processor for as long as the site's jobs usually ask; waited for at first", async () => {
    const { book, asked, answer, look } = bookOfOne();
    const first = await look();
    expect([first.mayRead(), book.of("here")]).toEqual([false, null]);
    expect(asked).toMatchObject([
      { site: "here", facts: { procs: 1, wallTimeMs: 60 * MINUTE + LAST_MOMENTS_MS } },
    ]);
    await answer(7);
    expect(first.mayRead()).toBe(true);
    expect(book.of("here")).toMatchObject({ atMs: 1_000_000, partition: null, estimated: { waitMs: 7 } });
  });

  it("are asked for once a minute, however many look, behind the back of those who have some", async () => {
    const { book, hands, asked, answer, look } = bookOfOne();
    await Promise.all([look(), look()]);
    await answer(7);
    hands.moveTo(1_000_000 + MINUTE - 1);
    expect((await look()).mayRead()).toBe(true);
    expect(asked).toHaveLength(1);
    hands.moveTo(1_000_000 + MINUTE);
    expect((await look()).mayRead()).toBe(true);
    expect(asked).toHaveLength(2);
    expect(book.of("here")?.estimated?.waitMs).toBe(7);
    await answer(8);
    expect(book.of("here")).toMatchObject({ atMs: 1_000_000 + MINUTE, estimated: { waitMs: 8 } });
  });

  it("of long ago are waited for, but for no longer than a second; then the old ones are told", async () => {
    const { book, hands, answer, look } = bookOfOne();
    await look();
    await answer(7);
    hands.moveTo(1_000_000 + 11 * MINUTE);
    const later = await look();
    expect(later.mayRead()).toBe(false);
    hands.moveTo(hands.nowMs() + 1000);
    await new Promise((resolve) => setImmediate(resolve));
    expect(later.mayRead()).toBe(true);
    expect(book.of("here")).toMatchObject({ atMs: 1_000_000, estimated: { waitMs: 7 } });
  });

  it("stand where the thread fails; of a site that was changed, or is gone, none do", async () => {
    const { book, hands, projection, answer, look, spec } = bookOfOne();
    await look();
    await answer(7);
    hands.moveTo(1_000_000 + MINUTE);
    await look();
    await answer(new Error("the thread has ended"));
    expect(book.of("here")?.estimated?.waitMs).toBe(7);
    apply(projection, {
      kind: "siteChanged",
      site: "here",
      spec: { ...spec, procs: 8 },
      atMs: hands.nowMs(),
    });
    expect(book.of("here")).toBeNull();
    await look();
    apply(projection, { kind: "siteRemoved", site: "here", by: "root", atMs: hands.nowMs() });
    await answer(9);
    expect(book.of("here")).toBeNull();
    expect((await look()).mayRead()).toBe(true);
  });
});

describe("BR-63 response times through the broker's API", () => {
  worldForEach();
  let broker: Broker | undefined;
  afterEach(() => broker?.stop());

  it("are of each site that can be asked, by its schedule before anything was learnt", async () => {
    broker = await start();
    for (const site of ["far", "unseen"]) await add(broker, site);
    await pass(10);
    queue.before = () => {
      throw new Error("it is away");
    };
    expect(broker.brokerApi.sites().map(({ response }) => response)).toEqual([null, null]);
    // Unbounded by the steppable clock: the thread answers when it answers.
    await broker.brokerApi.refreshResponseTimes(["far"]);
    const [far, unseen] = broker.brokerApi.sites();
    expect(far?.response).toEqual({
      ...{ atMs: clock.nowMs(), partition: null, worst: null },
      estimated: { waitMs: 0, method: "schedule", score: null },
    });
    expect(unseen?.response).toBeNull();
  });

  it("are of a cluster's partition to which a job that names none would go", async () => {
    const partitions = [aPartition("own", ["n3"]), { ...aPartition("main", ["n1", "n2"]), isDefault: true }];
    const snapshot = async () => aCluster({ partitions });
    const site = { ...scriptedForeignSite(queue, clock), name: "cluster", snapshot };
    broker = await start({ openSite: async () => ({ kind: "foreign", site }) });
    await add(broker, "cluster");
    await pass(10);
    await broker.brokerApi.refreshResponseTimes();
    expect(broker.brokerApi.sites()[0]?.response).toMatchObject({
      partition: "main",
      estimated: { waitMs: 0, method: "schedule" },
    });
  });
});
