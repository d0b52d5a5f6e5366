import { expect, it } from "vitest";
import { serve } from "../../test/api/serving.ts";
import type { PlansView } from "../contract/index.ts";
import type { PlanTextTask } from "./workflow-planning.ts";

const NO_PLANS: PlansView = {
  ...{ findings: [], name: "a", format: "Stint workflow", remarks: [] },
  beginAt: "2026-11-28T08:00:00.000Z",
  ...{ evaluations: 1, stopped: false, notExecutable: null, plans: [] },
};

it("a plan is made on what the caller may reserve, by the usual planner where none is named", async () => {
  const tasks: PlanTextTask[] = [];
  const plan = async (task: PlanTextTask) => {
    tasks.push(task);
    return NO_PLANS;
  };
  const { send, brokerApi } = await serve({ planning: { plan } });
  const site = { name: "elm", procs: 4, speed: 1, price: 1 };
  const link = { latencyMs: 0, bytesPerSec: 1 };
  brokerApi.platformNow = { platform: { sites: [site], link, pairs: [] }, beginMs: 1000 };
  const body = { text: "tasks: []", deadlineSec: 60 };
  expect(await send("POST", "/api/v1/plans", { body })).toMatchObject({ status: 200, json: NO_PLANS });
  await send("POST", "/api/v1/plans", { body: { ...body, planner: "heft", runtimeSec: 1.5 } });
  const usual = { text: "tasks: []", alpha: 0.5, seed: 1, slack: 0.1, deadlineMs: 60_000 };
  expect(tasks).toMatchObject([
    { ...usual, planner: "search", beginAt: "1970-01-01T00:00:01.000Z", platform: { sites: [site] } },
    { ...usual, planner: "heft", runtimeMs: 1500 },
  ]);
});

it("a plan is refused without a site, for callers who may not submit, and for unknown sites", async () => {
  const { send } = await serve();
  const body = { text: "tasks: []" };
  const answer = await send("POST", "/api/v1/plans", { body });
  expect(answer).toMatchObject({ status: 409, json: { type: "urn:stint:noSiteToPlanOn" } });
  const unknown = await send("POST", "/api/v1/plans", { body: { ...body, sites: ["moon"] } });
  expect(unknown).toMatchObject({ status: 422, json: { type: "urn:stint:unknownSite" } });
  const auditor = { owner: "you", consumer: "local/you", role: "auditor" } as const;
  const others = await serve({ identify: () => auditor });
  expect(await others.send("POST", "/api/v1/plans", { body })).toMatchObject({ status: 403 });
});
