import { type IncomingMessage, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { eventually } from "../../test/api/eventually.ts";
import { serve } from "../../test/api/serving.ts";
import type { Identity, JobRecord } from "../model/index.ts";
import type { JobView } from "./client/index.ts";

const running = { state: "RUNNING", site: "local", attempt: 1, startedAtMs: 1000 } as const;
const done = { state: "DONE", result: "ok", exitCode: 0, endedAtMs: 2000 } as const;

function open(
  socketPath: string,
  path: string,
  headers: Record<string, string> = {},
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request({ socketPath, path, headers, agent: false }, resolve).on("error", reject).end();
  });
}

async function textOf(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const part of bytes) parts.push(part);
  return Buffer.concat(parts).toString();
}

describe("files", () => {
  it("are listed, and read from the byte asked for", async () => {
    const { send, brokerApi, client } = await serve();
    brokerApi.put("abc", running);
    brokerApi.write("abc", "stdout", "hällo\n");
    brokerApi.write("abc", "a b%.log", "x");
    const files = [
      { name: "stdout", sizeBytes: 7 },
      { name: "a b%.log", sizeBytes: 1 },
    ];
    expect((await send("GET", "/api/v1/jobs/ab/files")).json).toEqual({ items: files });
    expect(await client.files("abc")).toEqual(files);
    const whole = await send("GET", "/api/v1/jobs/ab/files/stdout");
    expect(whole).toMatchObject({ status: 200, text: "hällo\n" });
    expect(whole.headers["content-type"]).toBe("application/octet-stream");
    expect((await send("GET", "/api/v1/jobs/ab/files/stdout?from=3")).text).toBe("llo\n");
    expect((await send("GET", "/api/v1/jobs/ab/files/stdout?from=99")).text).toBe("");
    expect(await textOf(client.readFile("abc", "a b%.log"))).toBe("x");
  });

  it("are removed when the job has ended, once or twice, and not before", async () => {
    const { send, brokerApi, client } = await serve();
    brokerApi.put("abc", running);
    brokerApi.write("abc", "stdout", "hello");
    const refused = await send("DELETE", "/api/v1/jobs/abc/files");
    expect(refused).toMatchObject({ status: 409, json: { type: "urn:stint:jobNotOver", state: "RUNNING" } });
    brokerApi.put("abc", done);
    expect((await send("DELETE", "/api/v1/jobs/ab/files")).json).toEqual({ items: [] });
    expect(await client.clearFiles("abc")).toEqual([]);
    expect(await client.files("abc")).toEqual([]);
    expect((await send("DELETE", "/api/v1/jobs/none/files")).status).toBe(404);
  });

  it("of any size come whole", async () => {
    const { brokerApi, client } = await serve();
    brokerApi.put("abc", done);
    const content = Buffer.alloc(3_000_001, "0123456789abcdefg");
    brokerApi.contents.set("abc/stdout", content);
    const parts: Uint8Array[] = [];
    for await (const part of client.readFile("abc", "stdout", { from: 1 })) parts.push(part);
    expect(Buffer.concat(parts).equals(content.subarray(1))).toBe(true);
  });

  it.each(["nothing", "nothing?follow=true", "%2e%2e", "a%2Fb", "a%00b"])(
    "that are not there, or no names, are refused: %s",
    async (name) => {
      const { send, brokerApi } = await serve();
      brokerApi.put("abc", done);
      const { status, json } = await send("GET", `/api/v1/jobs/abc/files/${name}`);
      if (name.startsWith("nothing")) {
        expect({ status, type: json.type }).toEqual({ status: 404, type: "urn:stint:unknownFile" });
      } else expect([400, 404]).toContain(status);
    },
  );

  it.each<[string, Partial<JobRecord>, string, string]>([
    [
      "cleared",
      { ...running, ...done, state: "CLEARED", retired: { from: "DONE", clearedAtMs: 0 } },
      "its files were removed at 1970-01-01T00:00:00Z; the job is CLEARED",
      "they cannot be restored; `stint events abc` shows who removed them",
    ],
    [
      "cancelled and cleared",
      { ...running, state: "CANCELLED", retired: { from: "CANCELLED", clearedAtMs: 0 } },
      "its files were removed at 1970-01-01T00:00:00Z; the job is CANCELLED",
      "they cannot be restored; `stint events abc` shows who removed them",
    ],
    [
      "purged",
      { ...running, ...done, state: "PURGED", retired: { from: "DONE", purgedAtMs: 0 } },
      "its files were removed at 1970-01-01T00:00:00Z; the job is PURGED",
      "they cannot be restored; `stint events abc` shows who removed them",
    ],
    [
      "waiting",
      { state: "WAITING" },
      "the job has not started yet; it is WAITING",
      "`stint why abc` shows what it waits for; `stint logs abc -f` follows its output",
    ],
    [
      "aborted before its start",
      { state: "ABORTED" },
      "the job is ABORTED and never started",
      "`stint why abc` shows the reason",
    ],
    [
      "ended",
      { ...running, ...done },
      "the job's directory has no file of that name",
      "`stint output abc` downloads all files that it has",
    ],
  ])("of a job that is %s and has none: the reason is that", async (_, record, why, remedy) => {
    const { brokerApi, client } = await serve();
    brokerApi.put("abc", record);
    const read = textOf(client.readFile("abc", "stdout"));
    await expect(read).rejects.toMatchObject({ code: "unknownFile", why, remedy });
  });

  it("followed, a file is sent as it grows until the job has ended and all of it is sent", async () => {
    const { brokerApi, socketPath } = await serve();
    brokerApi.put("abc", { state: "SCHEDULED" });
    const response = await open(socketPath, "/api/v1/jobs/abc/files/stdout?follow=true");
    expect(response.statusCode).toBe(200);
    let text = "";
    response.on("data", (bytes) => {
      text += bytes;
    });
    const ended = new Promise((resolve) => response.once("end", resolve));
    brokerApi.change("abc", running);
    for (const line of ["one\n", "two\n"]) {
      await sleep(20);
      brokerApi.write("abc", "stdout", line);
      await eventually(line, () => text.endsWith(line));
    }
    brokerApi.write("abc", "stdout", "last words\n");
    brokerApi.change("abc", done);
    await ended;
    expect(text).toBe("one\ntwo\nlast words\n");
  });

  it("followed, a file that never comes is empty when the job has ended", async () => {
    const { brokerApi, client } = await serve();
    brokerApi.put("abc", running);
    const text = textOf(client.readFile("abc", "stdout", { follow: true }));
    await sleep(30);
    brokerApi.change("abc", done);
    expect(await text).toBe("");
  });

  it("a reader that goes away is not read for any longer", async () => {
    const { brokerApi, socketPath } = await serve();
    brokerApi.put("abc", running);
    brokerApi.write("abc", "stdout", "one\n");
    let looks = 0;
    const { readFile } = brokerApi;
    brokerApi.readFile = (id, part) => {
      looks++;
      return readFile(id, part);
    };
    const response = await open(socketPath, "/api/v1/jobs/abc/files/stdout?follow=true");
    await eventually("a few looks", () => looks > 3);
    response.destroy();
    await sleep(30);
    const before = looks;
    await sleep(50);
    expect(looks).toBe(before);
  });
});

describe("watching", () => {
  it("AP-14 tells of the job as it is and of every change until it has ended", async () => {
    const { brokerApi, client } = await serve();
    brokerApi.put("abc");
    const told: string[] = [];
    const final = client.watch("ab", (job) => told.push(`${job.state} ${job.procs}`));
    await eventually("WAITING", () => told.length === 1);
    brokerApi.change("abc", { state: "SCHEDULED" });
    brokerApi.change("abc", { state: "SCHEDULED" });
    brokerApi.put("other");
    brokerApi.change("other", { state: "DONE" });
    brokerApi.change("abc", running);
    brokerApi.change("abc", done);
    expect(await final).toMatchObject({ id: "abc", state: "DONE", exitCode: 0 });
    expect(told).toEqual(["WAITING 1", "SCHEDULED 1", "RUNNING 1", "DONE 1"]);
    await eventually("it is forgotten", () => brokerApi.listening() === 0);
  });

  it("AP-14 of a job that is over is one event, whatever was seen before", async () => {
    const { brokerApi, socketPath, client } = await serve();
    brokerApi.put("abc", done);
    const response = await open(socketPath, "/api/v1/jobs/abc/watch", { "last-event-id": "17" });
    expect(response.headers["content-type"]).toBe("text/event-stream");
    expect(await textOf(response)).toMatch(/^event: job\ndata: \{"id":"abc".*\}\n\n$/);
    expect((await client.watch("abc", () => {})).state).toBe("DONE");
  });

  it.each(["watch", "files/stdout?follow=true"])(
    "a stream (%s) ends when its token is good no more, and the next request is told why",
    async (way) => {
      const state = { isGood: true };
      const who: Identity = { owner: "vo/u", consumer: "vo/u", role: "admin", token: "abcdefghijkl" };
      const { brokerApi, socketPath, send } = await serve({
        identify: () => (state.isGood ? who : { why: "tokenRevoked", owner: who.owner }),
      });
      brokerApi.put("abc", running);
      brokerApi.write("abc", "stdout", "hello");
      const response = await open(socketPath, `/api/v1/jobs/abc/${way}`);
      state.isGood = false;
      await expect(textOf(response)).rejects.toMatchObject({ code: "ECONNRESET" });
      expect(await send("GET", "/api/v1/jobs/abc")).toMatchObject({
        ...{ status: 401, json: { type: "urn:stint:tokenRevoked" } },
      });
    },
  );

  it("AP-14 a change while the job is being read is neither lost nor told before", async () => {
    const { brokerApi, client } = await serve();
    brokerApi.put("abc");
    const { job } = brokerApi;
    let looks = 0;
    brokerApi.job = async (id) => {
      const record = await job(id);
      // The second look is the watcher's first: it is ending while the answer is on its way.
      if (++looks === 2) brokerApi.change("abc", done);
      return record;
    };
    const told: string[] = [];
    await client.watch("abc", ({ state }) => told.push(state));
    expect(told).toEqual(["DONE"]);
  });

  it("AP-14 a watcher that goes away is forgotten", async () => {
    const { brokerApi, socketPath, client } = await serve();
    brokerApi.put("abc", running);
    const response = await open(socketPath, "/api/v1/jobs/abc/watch");
    const stop = new AbortController();
    const watching = client.watch("abc", () => {}, stop.signal);
    watching.catch(() => {});
    await eventually("two listen", () => brokerApi.listening() === 2);
    response.destroy();
    stop.abort();
    await expect(watching).rejects.toThrow("aborted");
    await eventually("nobody listens", () => brokerApi.listening() === 0);
  });

  it("AP-14 a watcher that reads slowly gets the newest, and the end", async () => {
    const { brokerApi, socketPath } = await serve();
    // An event fills the buffers of the connection soon.
    const big = { userTags: { big: "x".repeat(500_000) } };
    brokerApi.put("abc", running, big);
    const response = await open(socketPath, "/api/v1/jobs/abc/watch");
    response.pause();
    for (let attempt = 2; attempt <= 60; attempt++) brokerApi.change("abc", { attempt });
    brokerApi.change("abc", done);
    const events = (await textOf(response)).split("\n\n").filter((event) => event !== "");
    expect(events.length).toBeLessThan(30);
    const last: JobView = JSON.parse(events.at(-1)?.replace("event: job\ndata: ", "") ?? "");
    expect(last).toMatchObject({ attempt: 60, state: "DONE" } satisfies Partial<JobRecord>);
  });

  it("AP-14 a job that is not there is a problem, not a stream", async () => {
    const { send } = await serve();
    expect(await send("GET", "/api/v1/jobs/abc/watch")).toMatchObject({ status: 404 });
  });
});
