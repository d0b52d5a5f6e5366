import { createHash } from "node:crypto";
import { connect } from "node:net";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { serve, temporaryDirectory } from "../../test/api/serving.ts";
import { sandboxesIn } from "../broker/index.ts";

const content = "hello world";
const sha256 = createHash("sha256").update(content).digest("hex");
const path = `/api/v1/uploads/${sha256}`;
const headers = { "content-type": "application/octet-stream" };
const asJson = { "content-type": "application/json" };

/** A server whose uploads are on the disk. */
async function withUploads() {
  const serving = await serve();
  const { uploads } = sandboxesIn(join(await temporaryDirectory(), "sandboxes"));
  Object.assign(serving.brokerApi, { uploads });
  return serving;
}

describe("uploads", () => {
  it("are sent in pieces, looked up, listed and removed", async () => {
    const { send } = await withUploads();
    expect((await send("GET", path)).json).toEqual({
      ...{ sha256, sizeBytes: null, receivedBytes: 0, whole: false, expiresAt: null },
    });
    const first = await send("PUT", `${path}?sizeBytes=11`, { body: "hello", headers });
    expect(first).toMatchObject({ status: 200, json: { receivedBytes: 5, whole: false } });
    const second = await send("PUT", `${path}?sizeBytes=11&from=5`, { body: " world", headers: asJson });
    expect(second.json).toMatchObject({ sizeBytes: 11, whole: true, expiresAt: expect.any(String) });
    expect((await send("GET", "/api/v1/uploads")).json).toEqual({ items: [second.json] });
    expect((await send("DELETE", path)).json).toMatchObject({ whole: true });
    expect((await send("GET", "/api/v1/uploads")).json).toEqual({ items: [] });
  });

  it("keep what arrived before the connection was lost", async () => {
    const { send, socketPath } = await withUploads();
    const socket = connect(socketPath);
    socket.write(
      `PUT ${path}?sizeBytes=11 HTTP/1.1\r\nHost: localhost\r\nContent-Length: 11\r\n` +
        "Content-Type: application/octet-stream\r\n\r\nhello",
    );
    const received = async () => (await send("GET", path)).json.receivedBytes;
    await expect.poll(received, { timeout: 200_000 }).toBe(5);
    socket.destroy();
    const rest = await send("PUT", `${path}?sizeBytes=11&from=5`, { body: " world", headers });
    expect(rest.json).toMatchObject({ whole: true });
  });

  it.each([
    ["a piece from elsewhere", `${path}?sizeBytes=11&from=3`, 409, "uploadOffset"],
    ["more than was said", `${path}?sizeBytes=4`, 400, "uploadTooLong"],
    ["other content", `/api/v1/uploads/${"0".repeat(64)}?sizeBytes=11`, 409, "uploadHashDiffers"],
    ["no hash", "/api/v1/uploads/..%2Fx?sizeBytes=11", 400, "invalidRequest"],
    ["no size", path, 400, "invalidRequest"],
  ])("%s is refused", async (_, where, status, code) => {
    const { send } = await withUploads();
    const answer = await send("PUT", where, { body: content, headers });
    expect(answer).toMatchObject({ status, json: { type: `urn:stint:${code}` } });
  });

  it("are named by descriptions, and by no path that leaves the job's directory", async () => {
    const { send } = await serve();
    const submit = (file: string) =>
      send("POST", "/api/v1/jobs", { body: { executable: "sh", inputSandbox: [file] } });
    expect((await submit(`upload:${sha256}/a`)).status).toBe(201);
    expect((await submit(`upload+x:${sha256}/./bin/a`)).status).toBe(201);
    for (const wrong of [`upload:${sha256}/..`, `upload:${sha256}/./../a`, "upload:12/a", `x:${sha256}/a`]) {
      expect((await submit(wrong)).status, wrong).toBe(400);
    }
  });
});
