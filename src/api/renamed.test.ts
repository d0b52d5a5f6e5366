import { describe, expect, it } from "vitest";
import { serve } from "../../test/api/serving.ts";
import { RENAMED } from "../contract/index.ts";
import { POLICY_DEFAULTS } from "../model/index.ts";

type Sent = readonly [method: "POST" | "PUT", path: string, body: object];

const site = (spec: object): Sent => [
  "POST",
  "sites",
  { name: "far", spec: { type: "simulated", procs: 1, ...spec } },
];
const rules = (reservations: object): Sent => site({ reservations });
const priced = (rule: object): Sent => rules({ prices: [rule] });
const policy = (change: object): Sent => [
  "PUT",
  "policies",
  { policies: [{ ...POLICY_DEFAULTS, provider: "west", consumer: "cms", ...change }] },
];
const told = (change: object): Sent => ["PUT", "peers/east", { leftOut: 0, dispatched: [], ...change }];
const read = (reading: object): Sent => [
  "POST",
  "sensors/reports",
  { site: "local", host: "node1", sensor: "s", readings: [{ seq: 1, ...reading }] },
];

/** Each old name, sent where it was. */
const SENT: { readonly [Old in keyof typeof RENAMED]: Sent } = {
  cpuNumber: ["POST", "jobs", { executable: "true", cpuNumber: 2 }],
  wallTimeMs: ["POST", "jobs", { executable: "true", wallTimeMs: 60_000 }],
  defaultWallTimeMs: site({ defaultWallTimeMs: 60_000 }),
  skipMs: site({ background: { trace: "/data/a.swf", skipMs: 1 } }),
  orderMs: site({ delays: { orderMs: 1 } }),
  startMs: site({ delays: { startMs: 1 } }),
  aheadMs: rules({ aheadMs: 1 }),
  longestMs: rules({ longestMs: 1 }),
  noticeMs: rules({ noticeMs: 1 }),
  farMs: rules({ farMs: 1 }),
  offerMs: rules({ offerMs: 1 }),
  clockMs: priced({ clockMs: 0 }),
  fromMs: priced({ fromMs: 0 }),
  untilMs: priced({ untilMs: 1 }),
  minRunMs: site({ enforcement: { minRunMs: 1 } }),
  leaseMs: site({ enforcement: { leaseMs: 1 } }),
  lengthMs: policy({ epoch: { sharePpm: 1, window: { kind: "sliding", lengthMs: 1 } } }),
  offsetMs: policy({ epoch: { sharePpm: 1, window: { kind: "fixed", unit: "day", offsetMs: 0 } } }),
  bucketMs: policy({ burst: { sharePpm: 1, bucketMs: 1 } }),
  asOfMs: told({ asOfMs: 1 }),
  startedAtMs: told({ dispatched: [{ id: "a/1", startedAtMs: null }] }),
  limitMs: told({ dispatched: [{ id: "a/1", limitMs: 1 }] }),
  overMs: read({ overMs: null }),
  cpuMs: read({ jobs: [{ owner: "ann", cpuMs: 1 }] }),
  usedMs: read({ jobs: [{ owner: "ann", usedMs: null }] }),
};

describe("AP-2 a field under the name that it had in earlier versions", () => {
  it("is told its present one, first of all that is wrong", async () => {
    const { send } = await serve();
    for (const [old, [method, path, body]] of Object.entries(SENT)) {
      const { status, json } = await send(method, `/api/v1/${path}`, { body });
      const present = RENAMED[old as keyof typeof RENAMED];
      expect({ old, status, pointer: json.pointer, why: json.why }).toEqual({
        ...{ old, status: 400, pointer: expect.stringMatching(new RegExp(`/${old}$`)) },
        why: expect.stringContaining(`${old} is not known: it is called ${present}`),
      });
    }
  });

  it("is not known where the present one is not either", async () => {
    const { send } = await serve();
    const { json } = await send("POST", "/api/v1/jobs", { body: { executable: "true", leaseMs: 1 } });
    expect(json).toMatchObject({ why: "leaseMs is not known" });
  });

  it("says the unit where that is another", async () => {
    const { send } = await serve();
    const whys = [SENT.cpuNumber, SENT.wallTimeMs, SENT.asOfMs].map(async ([method, path, body]) =>
      String((await send(method, `/api/v1/${path}`, { body })).json.why).replace(/ \(and.*/, ""),
    );
    expect(await Promise.all(whys)).toEqual([
      "cpuNumber is not known: it is called procs",
      "wallTimeMs is not known: it is called wallTimeSec, in seconds",
      "asOfMs is not known: it is called asOf, an instant as in 2026-11-20T08:30:00Z",
    ]);
  });
});
