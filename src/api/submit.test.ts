import { describe, expect, it } from "vitest";
import { type Answer, type Serving, serve } from "../../test/api/serving.ts";
import type { Command } from "../model/index.ts";
import { derivedJobId } from "./job-ids.ts";

const job = { executable: "true" };
const isId = expect.stringMatching(/^[a-z2-7]{12}$/);

function post({ send }: Serving, body: unknown, key?: string): Promise<Answer> {
  return send("POST", "/api/v1/jobs", { body, headers: key === undefined ? {} : { "idempotency-key": key } });
}

describe("submitting", () => {
  it("AP-8 one description gives an id, with the defaults filled in", async () => {
    const serving = await serve();
    const { status, json, headers } = await post(serving, { ...job, arguments: ["a b"], wallTimeSec: 5 });
    expect({ status, json }).toEqual({ status: 201, json: { ids: [isId] } });
    const [submitted] = serving.brokerApi.asked;
    expect(headers.location).toBe(`/api/v1/jobs/${serving.brokerApi.records.keys().next().value}`);
    expect(submitted).toEqual({
      kind: "submit",
      job: isId,
      owner: "me",
      consumer: "local/me",
      description: {
        executable: "true",
        arguments: ["a b"],
        environment: {},
        stdOutput: "stdout",
        stdError: "stderr",
        inputSandbox: [],
        outputSandbox: [],
        procs: 1,
        userTags: {},
        wallTimeMs: 5000,
      },
    });
  });

  it("AP-4 a time limit beyond ten years is told at its place", async () => {
    const serving = await serve();
    const mostSec = 10 * 366 * 24 * 3600;
    expect((await post(serving, { ...job, wallTimeSec: mostSec })).status).toBe(201);
    const { status, json } = await post(serving, { ...job, wallTimeSec: mostSec + 1 });
    expect({ status, text: JSON.stringify(json) }).toMatchObject({
      ...{ status: 400, text: expect.stringContaining("/wallTimeSec") },
    });
  });

  it("files that no site would take are 422, with the facts of each", async () => {
    const serving = await serve();
    const facts = { level: "a", provider: "here", usedBytes: 1024, askedBytes: 4096, limitBytes: 2048 };
    const limit = { site: "here", limit: "burst", ...facts, isNever: true, untilMs: null } as const;
    const { untilMs: until, ...same } = limit;
    const shown = { ...same, until };
    serving.brokerApi.refuse = () => ({ kind: "filesOverQuota", limits: [limit] });
    const { status, json } = await post(serving, job);
    expect(status).toBe(422);
    expect(json).toMatchObject({ type: "urn:stint:filesOverQuota", limits: [shown] });
    expect(json.why).toBe(
      "a at here (a storage policy of here) may store 2K and uses 1K, and 4K more are needed",
    );
  });

  it("many descriptions give their ids in order, all different", async () => {
    const serving = await serve();
    const body = Array.from({ length: 1000 }, (_, at) => ({ executable: "true", arguments: [String(at)] }));
    const { status, json } = await post(serving, body);
    expect(status).toBe(201);
    const ids = json.ids as string[];
    expect(new Set(ids).size).toBe(1000);
    expect(serving.brokerApi.records.get(ids[617] ?? "")?.description.arguments).toEqual(["617"]);
  });

  it("AP-8 another id is drawn when one is taken", async () => {
    const serving = await serve();
    let refusals = 0;
    serving.brokerApi.refuse = (command) => {
      if (command.kind !== "submit" || refusals === 2) return undefined;
      refusals++;
      return { kind: "idInUse", id: command.job };
    };
    expect((await post(serving, job)).status).toBe(201);
    expect(refusals).toBe(2);
  });

  it("a delay cost is passed on, and shown; what no budget allows is 402 with the facts", async () => {
    const { client, brokerApi, send } = await serve();
    const [id] = await client.submit([{ executable: "x", delayCostSuPerHour: 16 }]);
    expect(brokerApi.asked).toMatchObject([{ description: { delayCostSuPerHour: 16 } }]);
    expect(id).toBeDefined();
    const facts = { site: "local", consumer: "cms", declaredSuPerHour: 16, procs: 4 };
    const budget = { usedSuPerHour: 30, budgetSuPerHour: 40 };
    brokerApi.refuse = () => ({ kind: "delayCostOverBudget", ...facts, ...budget });
    const answer = await send("POST", "/api/v1/jobs", { body: { executable: "x", delayCostSuPerHour: 16 } });
    expect(answer).toMatchObject({ status: 402, json: { ...facts, ...budget } });
    const wrong = await send("POST", "/api/v1/jobs", { body: { executable: "x", delayCostSuPerHour: 1.5 } });
    expect(wrong.status).toBe(400);
  });

  it("those that are refused are told by pointer, beside the ids of the others", async () => {
    const serving = await serve();
    serving.brokerApi.refuse = (it) => (isWide(it) ? { kind: "gpusNotOffered", gpus: 2 } : undefined);
    const wide = { executable: "wide" };
    const { status, json } = await post(serving, [job, wide, job, wide]);
    expect(status).toBe(422);
    expect(json).toMatchObject({
      type: "urn:stint:gpusNotOffered",
      detail: "description 2 of 4: no site offers 2 GPUs",
      pointer: "/1",
      ids: [isId, null, isId, null],
      errors: [{ pointer: "/1" }, { pointer: "/3" }],
    });
    expect(json.remedy).toContain("2 of the others were accepted");
    expect((await post(serving, [wide, wide])).json.remedy).not.toContain("accepted");
  });
});

describe("checking", () => {
  it.each([
    ["text for a number", { ...job, procs: "3" }, "/procs", "must be integer, not string"],
    ["a number for text", { executable: 3 }, "/executable", "must be string, not number"],
    ["null for nothing", { ...job, gpus: null }, "/gpus", "must be integer, not null"],
    ["half a processor", { ...job, procs: 1.5 }, "/procs", "must be integer"],
    ["no processor", { ...job, procs: 0 }, "/procs", "must be >= 1"],
    ["no executable", {}, "/executable", "executable is missing"],
    ["an empty executable", { executable: "" }, "/executable", "fewer than 1"],
    ["a NUL", { ...job, arguments: ["a", "b\0"] }, "/arguments/1", "text without NUL"],
    ["an unknown field", { ...job, proc: 3 }, "/proc", "proc is not known; is procs meant?"],
    ["an unknown field", { ...job, "a/b": 3 }, "/a~1b", "a/b is not known"],
    [
      "a relative path",
      { ...job, inputSandbox: ["run.sh"] },
      "/inputSandbox/0",
      "the absolute path of a file",
    ],
    ["a directory", { ...job, inputSandbox: ["/data/"] }, "/inputSandbox/0", "the absolute path of a file"],
    [
      "two of a name",
      { ...job, inputSandbox: ["/a/x", "/b/x"] },
      "/inputSandbox/1",
      "the job's directory would contain two files named x",
    ],
    ["a path for a name", { ...job, stdOutput: "../out" }, "/stdOutput", "without /"],
    ["the directory itself", { ...job, stdError: ".." }, "/stdError", "without /"],
    ["a variable with =", { ...job, environment: { "A=B": "c" } }, "/environment/A=B", "is not known"],
    ["neither one nor many", 3, "", "must be object, not number"],
    ["one of many", [job, { executable: 1 }], "/1/executable", "must be string"],
    ["two of a name among many", [job, { ...job, inputSandbox: ["/a/x", "/b/x"] }], "/1/inputSandbox/1", "x"],
    ["none", [], "", "must not have fewer than 1 items"],
    ["1001", Array.from({ length: 1001 }, () => job), "", "must not have more than 1000 items"],
  ])("AP-2 AP-4 %s: nothing is submitted", async (_, body, pointer, detail) => {
    const serving = await serve();
    const { status, json } = await post(serving, body);
    expect(status).toBe(400);
    expect(json).toMatchObject({ type: "urn:stint:invalidRequest", pointer });
    expect(json.why).toContain(detail);
    expect(json.errors).toMatchObject([{ pointer, detail: expect.stringContaining(detail) }]);
    expect(serving.brokerApi.asked).toEqual([]);
  });

  it("AP-2 every place that is wrong is told at once", async () => {
    const { json } = await post(await serve(), { procs: 0, gpu: 1 });
    const pointers = (json.errors as { pointer: string }[]).map(({ pointer }) => pointer);
    expect(pointers.sort()).toEqual(["/executable", "/gpu", "/procs"]);
    expect(json.why).toContain("(and 2 more)");
  });
});

describe("idempotency", () => {
  it("AP-9 the same key with the same body gives the same ids and 200", async () => {
    const serving = await serve();
    const body = [job, { ...job, procs: 2 }];
    const first = await post(serving, body, "k1");
    const again = await post(serving, body, "k1");
    expect([first.status, again.status]).toEqual([201, 200]);
    expect(again.json).toEqual(first.json);
    expect(first.json.ids).toEqual([derivedJobId("me", "k1", 0), derivedJobId("me", "k1", 1)]);
    expect(serving.brokerApi.asked).toHaveLength(2);
    expect((await post(serving, body, "k2")).json).not.toEqual(first.json);
  });

  it("AP-9 defaults said or not said are the same body", async () => {
    const serving = await serve();
    await post(serving, job, "k");
    expect((await post(serving, { procs: 1, ...job, arguments: [] }, "k")).status).toBe(200);
  });

  it.each([
    ["another", [{ ...job, procs: 2 }, job]],
    ["another behind", [job, { ...job, procs: 2 }, job]],
    ["fewer", [job]],
  ])("AP-9 %s under the same key is 409, and nothing is submitted", async (_, body) => {
    const serving = await serve();
    await post(serving, [job, job], "k");
    const answer = await post(serving, body, "k");
    expect(answer).toMatchObject({ status: 409, json: { type: "urn:stint:idempotencyKeyReused", key: "k" } });
    expect(serving.brokerApi.asked).toHaveLength(2);
  });

  it("AP-9 what is missing of it is submitted", async () => {
    const serving = await serve();
    const body = [job, { executable: "wide" }];
    serving.brokerApi.refuse = (it) => (isWide(it) ? { kind: "noSite" } : undefined);
    expect((await post(serving, body, "k")).status).toBe(422);
    serving.brokerApi.refuse = () => undefined;
    const answer = await post(serving, body, "k");
    expect(answer).toMatchObject({ status: 201, json: { ids: [isId, isId] } });
    expect(serving.brokerApi.asked).toHaveLength(2);
  });

  it("AP-9 twenty requests at once with one key submit once", async () => {
    const serving = await serve();
    const answers = await Promise.all(Array.from({ length: 20 }, () => post(serving, [job, job], "k")));
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(19).fill(200), 201]);
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(serving.brokerApi.asked).toHaveLength(2);
  });

  it("AP-9 a request that fails does not stand in the way of the next with its key", async () => {
    const serving = await serve();
    serving.brokerApi.refuse = () => {
      throw new Error("broken");
    };
    expect((await post(serving, job, "k")).status).toBe(500);
    serving.brokerApi.refuse = () => undefined;
    expect((await post(serving, job, "k")).status).toBe(201);
  });

  it("AP-9 keys of different owners, and keys and numbers that run together, never meet", () => {
    const ids = [
      derivedJobId("a", "k", 0),
      derivedJobId("b", "k", 0),
      derivedJobId("a", "k", 1),
      derivedJobId("a", "k1", 0),
      derivedJobId("ak", "", 0),
    ];
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toEqual(ids.map(() => isId));
  });

  it.each(["", "a b", "ä", "x".repeat(256)])("AP-9 a key is visible ASCII: %j", async (key) => {
    const answer = await post(await serve(), job, key);
    expect(answer).toMatchObject({ status: 400, json: { parameter: "idempotency-key" } });
  });
});

function isWide(command: Command): boolean {
  return command.kind === "submit" && command.description.executable === "wide";
}

describe("for whom", () => {
  const asked = ({ brokerApi }: Serving) =>
    brokerApi.asked.flatMap((command) => (command.kind === "submit" ? [command.consumer] : []));

  it("an organisation below one's own path narrows it, one above leaves it as it is", async () => {
    const serving = await serve();
    for (const virtualOrganisation of ["local/me/snow", "local", "local/me"]) {
      expect((await post(serving, { ...job, virtualOrganisation })).status).toBe(201);
    }
    expect(asked(serving)).toEqual(["local/me/snow", "local/me", "local/me"]);
  });

  it("another is refused with both, and nothing is submitted", async () => {
    const serving = await serve();
    const { status, json } = await post(serving, { ...job, virtualOrganisation: "local/you" });
    expect({ status, json }).toMatchObject({
      status: 403,
      json: {
        type: "urn:stint:notYourOrganisation",
        ...{ virtualOrganisation: "local/you", consumer: "local/me", pointer: "/virtualOrganisation" },
      },
    });
    expect(asked(serving)).toEqual([]);
    expect((await post(serving, { ...job, virtualOrganisation: "a b" })).status).toBe(400);
  });

  it("an admin submits for anybody, and narrows that; the same key for others is another", async () => {
    const serving = await serve();
    const forThem = (consumer: string, body: object) =>
      serving.send("POST", `/api/v1/jobs?for=${consumer}`, { body, headers: { "idempotency-key": "k" } });
    const request = { ...job, virtualOrganisation: "cms/higgs" };
    expect((await forThem("cms", request)).status).toBe(201);
    expect((await forThem("cms", request)).status).toBe(200);
    expect((await forThem("cms/higgs/ann", request)).status).toBe(409);
    expect(asked(serving)).toEqual(["cms/higgs"]);
  });
});
