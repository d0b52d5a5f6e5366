/** Where and when, asked of a broker with several sites. */
import { afterEach, describe, expect, it } from "vitest";
import { aCluster, aJob, aPartition } from "../../test/cluster-scene.ts";
import { foreignSpec } from "../../test/engine-scene.ts";
import {
  add,
  clock,
  logbook,
  openScripted,
  pass,
  queue,
  start,
  worldForEach,
} from "../../test/foreign-broker.ts";
import { scriptedForeignSite } from "../../test/scripted-foreign-site.ts";
import { type ClusterSnapshot, type SiteSpec, SLURM_DEFAULTS } from "../model/index.ts";
import type { ProspectQuestion } from "../runtime/index.ts";
import type { Broker, OpenSite } from "./index.ts";

worldForEach();
let broker: Broker | undefined;
afterEach(() => broker?.stop());

const question: ProspectQuestion = {
  job: { procs: 2, memoryBytes: 0, gpus: 0, limitMs: 60_000, queue: null },
  owner: "u",
  deadlineMs: null,
};

/** A scripted site that is a cluster, too. */
const cluster =
  (look: () => Promise<ClusterSnapshot>) =>
  async (name: string, spec: SiteSpec): Promise<OpenSite> =>
    name === "cluster"
      ? { kind: "foreign", site: { ...scriptedForeignSite(queue, clock), name, snapshot: look } }
      : openScripted(name, spec);

describe("prospects", () => {
  it("BR-18 every site answers; one that cannot be asked delays no other", async () => {
    broker = await start({
      openSite: cluster(async () => {
        throw new Error("its controller is gone");
      }),
    });
    for (const site of ["far", "cluster"]) await add(broker, site);
    await add(broker, "small", foreignSpec(1));
    await pass(10);
    const found = await broker.brokerApi.assess(question);
    expect(found.map(({ site }) => site)).toEqual(["far", "cluster", "small"]);
    const [far, gone, small] = found;
    expect(far).toMatchObject({
      unfit: null,
      trouble: null,
      when: { forecast: null, noRecord: { settled: 0 } },
    });
    expect(gone).toMatchObject({ when: null, trouble: "its controller is gone" });
    expect(small).toMatchObject({ when: null, unfit: { kind: "siteTooSmall", procs: 1 } });
    expect(
      (await broker.brokerApi.assess({ ...question, sites: ["small"] })).map(({ site }) => site),
    ).toEqual(["small"]);
  });

  it("a site that does not match is not asked, and neither recommended nor taken", async () => {
    broker = await start({});
    for (const site of ["far", "near"]) await add(broker, site);
    await pass(10);
    const clauses = [{ of: "job", text: "other.Gpus >= 1" }] as const;
    const unmatched = new Map([["near", clauses]]);
    const asked = { ...question, consumer: "cms", selector: "random", unmatched } as const;
    const [far, near] = await broker.brokerApi.assess(asked);
    const choice = { isRecommended: false, isChosen: false, row: { honoured: "never" } };
    expect(near).toMatchObject({ unfit: { kind: "noMatch", clauses }, when: null, choice });
    expect(far).toMatchObject({ unfit: null, choice: { isRecommended: true, isChosen: true } });
  });

  it("BR-18 a cluster is asked for a partition or its default; nothing is recorded", async () => {
    const whole = aCluster({ partitions: [aPartition("main", ["n1", "n2"]), aPartition("own", ["n3"])] });
    broker = await start({ openSite: cluster(async () => whole) });
    await add(broker, "cluster");
    await pass(10);
    const { seq } = await logbook.head();
    const at = (queueName: string | null, procs: number) =>
      broker?.brokerApi.assess({ ...question, job: { ...question.job, queue: queueName, procs } });
    expect(await at(null, 8)).toMatchObject([{ partition: "main", unfit: null, takesJobs: true }]);
    expect(await at("own", 8)).toMatchObject([{ partition: "own", unfit: { kind: "blocked" }, when: null }]);
    expect((await logbook.head()).seq).toBe(seq);
  });

  it("EN-287 a cluster that publishes aggregates shows no partition, node or job of others", async () => {
    const whole = aCluster({ jobs: [aJob("1"), aJob("2", { procs: 4 })] });
    broker = await start({ openSite: cluster(async () => whole) });
    await add(broker, "cluster", { ...foreignSpec(16), publish: "aggregates" });
    await pass(10);
    const { brokerApi } = broker;
    const at = (procs: number) => brokerApi.assess({ ...question, job: { ...question.job, procs } });
    expect(await at(2)).toMatchObject([{ partition: null, unfit: null }]);
    expect(await at(900)).toMatchObject([{ partition: null, unfit: { kind: "blockedUnseen" }, when: null }]);
    expect(await brokerApi.queueAds("cluster")).toEqual([]);
    expect(await brokerApi.queueThere("cluster")).toMatchObject({ areJobsPrivate: true });
    const there = await brokerApi.explainThere("cluster", "2");
    expect(there).toMatchObject({ areJobsPrivate: true });
    expect(there).not.toHaveProperty("whose");
    const asked = { site: "cluster", sinceMs: 0, untilMs: null, asOfMs: null, reader: "u" };
    const schedule = await brokerApi.schedule({ ...asked, sees: () => false });
    expect(schedule).toMatchObject({ areJobsPrivate: true, nodes: [] });
  });

  it("BR-63 a job in a long queue is explained with its predicted start", async () => {
    const jobs = Array.from({ length: 400 }, (_, at) => aJob(String(at), { priority: 1000 - at, procs: 4 }));
    broker = await start({ openSite: cluster(async () => aCluster({ jobs })) });
    await add(broker, "cluster");
    await pass(10);
    const answer = await broker.brokerApi.explainThere("cluster", "399");
    if (answer === "notACluster") throw new Error("it is one");
    expect(answer.explanation?.prediction?.startAtMs).toBeGreaterThan(0);
    expect(answer.explanation?.unknown).toEqual([]);
    expect(await broker.brokerApi.explainThere("nowhere", "1")).toBe("notACluster");
  });

  it("a job that was submitted there itself is whose its account and user say", async () => {
    const jobs = [
      aJob("7", { account: "phys", user: "alice" }),
      aJob("8_[1-3]", { account: "chem", user: "bob", arrayJob: "8" }),
      aJob("9", { account: null, user: null }),
    ];
    broker = await start({ openSite: cluster(async () => aCluster({ jobs })) });
    const slurm = { ...SLURM_DEFAULTS, type: "slurm", procs: 8, memoryBytes: 2 ** 33 } as const;
    await add(broker, "cluster", { ...slurm, consumers: { phys: "physics" } });
    await pass(10);
    const whose = async (siteJob: string) => {
      const answer = await broker?.brokerApi.explainThere("cluster", siteJob);
      return answer === "notACluster" ? answer : answer?.whose;
    };
    expect(await whose("7")).toEqual({ owner: "physics/alice", consumer: "physics/alice" });
    expect(await whose("8_2")).toEqual({ owner: "chem/bob", consumer: "chem/bob" });
    expect(await whose("9")).toBeUndefined();
  });
});
