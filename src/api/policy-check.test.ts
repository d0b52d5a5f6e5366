/** Checking policies without applying them. */
import { expect, it } from "vitest";
import { serve } from "../../test/api/serving.ts";
import type { PolicyVersion } from "../engine/index.ts";
import { type Identity, POLICY_DEFAULTS, type Policy } from "../model/index.ts";

const HOUR_MS = 3_600_000;
const cms: Policy = {
  ...POLICY_DEFAULTS,
  ...{ provider: "local", consumer: "cms" },
  epoch: { window: { kind: "sliding", lengthMs: HOUR_MS }, sharePpm: 200_000 },
};
const version: PolicyVersion = {
  ...{ version: 3, policies: [cms], effectiveFromMs: 0, appliedAtMs: 0, by: "ann", note: "" },
};
const cmsText = `- resource: cpu
  provider: local
  consumer: cms
  epoch: { interval: 1h, share: 20%, window: sliding }
  burst: { interval: 1m, share: 100% }
  rule: entitlement
  mode: shared
  carry: forgive
`;
const path = "/api/v1/policies/check";

async function checking(policies: readonly Policy[] = [cms]) {
  const { client, send, brokerApi } = await serve({
    identify: (): Identity => ({ owner: "ann", consumer: "cms/top", role: "user" }),
  });
  if (policies.length > 0)
    brokerApi.policiesNow = { now: { ...version, policies }, coming: [], enforcers: [] };
  const check = async (body: object) => client.call("checkPolicies", { body });
  return { check, send, brokerApi };
}

it("a text is read, compared with the last version, and nothing is applied", async () => {
  const { check, brokerApi } = await checking();
  const said = await check({ text: "CPU, local, atlas, (3600,30), (60,50)\nCPU, local, cms, (3600,80)\n" });
  expect(said).toMatchObject({
    ...{ ok: true, onVersion: 3, lines: [1, 2] },
    policies: [
      { consumer: "atlas", epoch: { sharePpm: 300_000 }, burst: { bucketSec: 60, sharePpm: 500_000 } },
      { consumer: "cms", epoch: { sharePpm: 800_000 } },
    ],
    changes: [
      { change: "changed", before: { epoch: { share: "20%" } }, after: { epoch: { share: "80%" } } },
      { change: "added", before: null, after: { consumer: "atlas" } },
    ],
    overProvisioned: [
      {
        sumPpm: 1_100_000,
        consumers: [
          { consumer: "atlas", entitledPpm: 300_000 },
          { consumer: "cms", entitledPpm: 700_000 },
        ],
      },
    ],
  });
  expect(brokerApi.asked).toEqual([]);
});

it("errors have their line and column, and the policies that are right are read all the same", async () => {
  const { check } = await checking();
  const { ok, findings, policies } = await check({
    text: "CPU, local, atlas, (3600,30), (60,10)\nCPU, local, cms, (3600,20)\nCPU, moon, cms, (3600,20)\n",
  });
  expect(ok).toBe(false);
  expect(findings.map(({ severity, line, column, code }) => [severity, line, column, code])).toEqual([
    ["error", 1, 35, "burstBelowEpoch"],
    ["error", 3, 6, "unknownProvider"],
  ]);
  expect(policies.map(({ consumer }) => consumer)).toEqual(["cms"]);
});

it("entries are checked like a text; a finding points at its entry", async () => {
  const { check } = await checking();
  const epoch = { window: { kind: "sliding", lengthSec: 3600 }, sharePpm: 200_000 };
  const burst = { bucketSec: 60, sharePpm: 100_000 };
  const entry = { ...POLICY_DEFAULTS, provider: "local", consumer: "cms", epoch };
  const right = { ...entry, burst: { bucketSec: 60, sharePpm: 1_000_000 } };
  const { findings } = await check({ policies: [right, { ...entry, consumer: "atlas", burst }] });
  expect(findings).toMatchObject([
    { severity: "error", pointer: "/policies/1", code: "burstBelowEpoch", line: 13 },
  ]);
  expect((await check({ policies: [right] })).changes).toEqual([]);
});

it("without either, the policies in force are given as the text to edit", async () => {
  expect(await (await checking()).check({})).toMatchObject({ ok: true, text: cmsText, changes: [] });
  const none = await checking([]);
  expect(await none.check({})).toMatchObject({ ok: true, onVersion: 0, text: "[]\n", policies: [] });
  expect(await none.check({ text: "[]" })).toMatchObject({ ok: true, policies: [], changes: [] });
  expect(await none.check({ text: "" })).toMatchObject({ ok: false, findings: [{ code: "nothingThere" }] });
});

it("whoever loses all access is warned, and a text beside policies is refused", async () => {
  const { check, send } = await checking();
  const { ok, findings } = await check({ text: "CPU, local, atlas, (3600,30)\n" });
  expect(ok).toBe(true);
  expect(findings).toMatchObject([{ severity: "warning", code: "lockedOut" }]);
  const both = await send("POST", path, { body: { text: "[]", policies: [] } });
  expect(both).toMatchObject({ status: 400, json: { type: "urn:stint:invalidRequest" } });
});
