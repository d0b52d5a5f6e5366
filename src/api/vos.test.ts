import { describe, expect, it } from "vitest";
import { serve } from "../../test/api/serving.ts";
import type { ChoiceRow } from "../engine/index.ts";
import type { VoRecord } from "../model/index.ts";
import type { Prospect } from "../runtime/index.ts";

const row: ChoiceRow = {
  ...{ site: "local", type: "managed", takesJobs: true, honoured: "later", freeProcs: 3, lastSentMs: null },
  because: {
    ...{ limit: "burst", resource: "cpu", level: "cms" },
    policy: {
      ...{ resource: "cpu", provider: "local", consumer: "cms", rule: "cap", mode: "shared", carry: "repay" },
      epoch: { window: { kind: "sliding", lengthMs: 1 }, sharePpm: 1 },
      burst: { bucketMs: 1, sharePpm: 1 },
    },
  },
  ...{ predictedStartMs: 5, costProcMs: 1_800_000, usedPpm: 1_250_000, score: { kept: 3, missed: 1 } },
};
const prospect: Prospect = {
  ...{ site: "local", partition: null, takesJobs: true, unfit: null, trouble: null, when: null },
  choice: { row, isRecommended: true, isChosen: false },
};
const assess = "/api/v1/jobs/assess";

describe("the choice table of a job", () => {
  it("each site has its row: which policy, use, price, how often honoured", async () => {
    const { client, brokerApi } = await serve();
    brokerApi.prospects = [prospect];
    const {
      items: [item],
    } = await client.assess({ select: "leastUsed", condition: "FreeProcs > 1" });
    expect(item.choice).toEqual({
      ...{ honoured: "later", limit: "burst", level: "cms", priceSu: 0.5, usedShare: 1.25, freeProcs: 3 },
      policy: { resource: "cpu", provider: "local", consumer: "cms" },
      ...{ honouredRate: 0.75, followed: 4, isRecommended: true, isChosen: false },
    });
    expect(brokerApi.thoughtOf[0]).toMatchObject({
      selector: "leastUsed",
      condition: { text: "FreeProcs > 1" },
    });
  });

  it("a condition that is none is told with its place", async () => {
    const { send, brokerApi } = await serve();
    const { status, json } = await send("POST", assess, { body: { condition: "FreeProc > 1" } });
    expect(status).toBe(400);
    expect(json).toMatchObject({
      ...{ type: "urn:stint:conditionInvalid", pointer: "/condition", line: 1, column: 1 },
      detail: "the condition has an error at column 1: a row has no FreeProc",
      remedy: "did you mean FreeProcs?",
    });
    expect((await send("POST", assess, { body: { select: "best" } })).status).toBe(400);
    expect((await send("POST", assess, { body: { condition: "" } })).status).toBe(400);
    expect(brokerApi.thoughtOf).toEqual([]);
  });
});

const record: VoRecord = {
  ...{ vo: "cms", selector: "random", enforcement: { extraPpm: 50_000 }, changedAtMs: 0, by: "boss" },
  ...{ lastSite: "local", sentAtMs: { local: 1000 } },
};
const view = {
  ...{ vo: "cms", selector: "random", enforcement: { extraPpm: 50_000 }, by: "boss", lastSite: "local" },
  ...{ changedAt: "1970-01-01T00:00:00.000Z", sentAt: { local: "1970-01-01T00:00:01.000Z" } },
};

describe("how organisations have their jobs placed", () => {
  it("is listed, and told of one, also of one that has said nothing", async () => {
    const { client, brokerApi } = await serve();
    brokerApi.voRecords = [record];
    expect(await client.vos()).toEqual([view]);
    expect(await client.vo("cms")).toEqual(view);
    expect(await client.vo("lhcb")).toMatchObject({
      vo: "lhcb",
      selector: null,
      enforcement: null,
      by: null,
    });
  });

  it("is seen and said by an organisation's own VO admins, by nobody else's", async () => {
    const admin = { owner: "cms/boss", consumer: "cms", role: "voAdmin" } as const;
    const { send, brokerApi } = await serve({ identify: () => admin });
    brokerApi.voRecords = [record, { ...record, vo: "lhcb" }];
    const { json } = await send("GET", "/api/v1/vos");
    expect(json).toEqual({ items: [view] });
    expect((await send("GET", "/api/v1/vos/lhcb")).status).toBe(403);
    const body = { selector: null, enforcement: null };
    expect((await send("PUT", "/api/v1/vos/lhcb", { body })).status).toBe(403);
    expect((await send("PUT", "/api/v1/vos/cms", { body })).status).toBe(200);
    expect(brokerApi.asked).toEqual([{ kind: "changeVo", vo: "cms", ...body, by: "cms/boss" }]);
  });

  it("is said whole: a selector that is none, and half a request, are refused", async () => {
    const { send, client, brokerApi } = await serve();
    for (const body of [{ selector: "best", enforcement: null }, { selector: null }, { enforcement: null }]) {
      expect((await send("PUT", "/api/v1/vos/cms", { body })).status).toBe(400);
    }
    expect(brokerApi.asked).toEqual([]);
    await client.changeVo("cms", { selector: "cheapest", enforcement: { extraPpm: 1 } });
    expect(brokerApi.asked).toMatchObject([{ selector: "cheapest", enforcement: { extraPpm: 1 } }]);
  });
});
