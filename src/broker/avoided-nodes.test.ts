import { expect, it } from "vitest";
import { scene } from "../../test/engine-scene.ts";
import { Fault } from "../base/index.ts";
import { avoidedNodes } from "../engine/index.ts";
import type { JobRecord } from "../model/index.ts";
import { avoidedNodesAt } from "./avoided-nodes.ts";

/** A job that waits at a site whose node n3 was set aside when it was submitted. */
function withWaitingJob() {
  const play = scene({});
  play.foreign("far", 8);
  play.look("far");
  for (const job of ["a", "b"]) play.submit(job, 1);
  play.settle();
  for (const [job, siteJob] of [
    ["a", "41"],
    ["b", "42"],
  ] as const)
    play.tell({ kind: "attemptQueued", job, attempt: 1, siteJob });
  const given: string[] = [];
  const warnings: string[] = [];
  let trouble: Fault | undefined;
  const orders: Promise<void>[] = [];
  const avoided = avoidedNodesAt({
    site: {
      name: "far",
      avoidNodes: async ({ token, siteJob }, nodes) => {
        given.push(`${token} ${siteJob}: ${nodes.join(",")}`);
        if (trouble !== undefined) throw trouble;
      },
    },
    projection: play.projection,
    inTurn: (_, order) => orders.push(order()),
    warn: (text) => warnings.push(text),
  });
  const setAside = (node: string) =>
    play.tell({ kind: "nodeSetAside", site: "far", node, quick: 5, ended: 6 });
  const readmit = (node: string) => play.tell({ kind: "nodeReadmitted", site: "far", node, by: "ops" });
  return {
    ...{ play, avoided, given, warnings, setAside, readmit },
    job: (id: string): JobRecord => {
      const record = play.records.get(id);
      if (record === undefined) throw new Error(`${id} is a job`);
      return record;
    },
    update: async () => {
      avoided.update();
      await Promise.all(orders.splice(0));
      return given.splice(0);
    },
    fail: (fault: Fault | undefined) => {
      trouble = fault;
    },
  };
}

it("BR-292 waiting jobs may use a readmitted node again, and avoid no further ones", async () => {
  const { avoided, job, update, setAside, readmit, play } = withWaitingJob();
  for (const node of ["n3", "n4"]) setAside(node);
  avoided.submitted(job("a"), avoidedNodes(play.projection, job("a")));
  avoided.submitted(job("b"), []);
  expect(await update()).toEqual([]);
  setAside("n5");
  expect(await update()).toEqual([]);
  readmit("n3");
  expect(await update()).toEqual(["a/1 41: n4"]);
  expect(await update()).toEqual([]);
  readmit("n4");
  play.running("a");
  expect(await update()).toEqual([]);
});

it("BR-292 jobs from before a restart of the broker are told at a readmission", async () => {
  const { update, setAside, readmit } = withWaitingJob();
  for (const node of ["n3", "n4"]) setAside(node);
  expect(await update()).toEqual([]);
  readmit("n3");
  expect(await update()).toEqual(["a/1 41: n4", "b/1 42: n4"]);
});

it("BR-292 an order that did not reach the site is repeated, a refused one is not", async () => {
  const { avoided, job, update, setAside, readmit, fail, warnings } = withWaitingJob();
  setAside("n3");
  avoided.submitted(job("a"), ["n3"]);
  avoided.submitted(job("b"), []);
  readmit("n3");
  const words = { code: "x", what: "no", why: "no", remedy: "no" };
  fail(new Fault({ kind: "unreachable", ...words }));
  expect(await update()).toEqual(["a/1 41: "]);
  fail(new Fault({ kind: "notAllowed", ...words }));
  expect(await update()).toEqual(["a/1 41: "]);
  expect(await update()).toEqual([]);
  expect(warnings).toHaveLength(2);
});
