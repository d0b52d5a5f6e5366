import { chmodSync, writeFileSync } from "node:fs";
import { connect as connectTo, createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { serve, temporaryDirectory } from "../../../test/api/serving.ts";
import { sandboxesIn } from "../../broker/index.ts";
import { uploadNamed } from "../../model/index.ts";
import { createClient } from "./index.ts";

/** A server whose uploads are on the disk, and a directory for files. */
async function withUploads() {
  const serving = await serve();
  const folder = await temporaryDirectory();
  const sandboxes = sandboxesIn(join(folder, "sandboxes"));
  Object.assign(serving.brokerApi, { uploads: sandboxes.uploads });
  return { ...serving, sandboxes, folder };
}

/** A way to a socket that breaks once, after so many bytes towards it. */
async function breakingWay(socketPath: string, afterBytes: number): Promise<string> {
  const path = join(await temporaryDirectory(), "way.sock");
  let left = afterBytes;
  const server = createServer((near) => {
    const far = connectTo(socketPath);
    far.pipe(near);
    near.on("data", (bytes) => {
      far.write(bytes);
      const before = left;
      left -= bytes.length;
      if (before > 0 && left <= 0) near.destroy();
    });
    near.on("error", () => undefined).on("close", () => far.destroy());
    far.on("error", () => undefined).on("close", () => near.destroy());
  });
  await new Promise<void>((resolve) => server.listen(path, resolve));
  onTestFinished(() => void server.close());
  return path;
}

describe("the upload of a file", () => {
  it("names its content, keeps its permission to execute, and sends nothing that is there", async () => {
    const { client, folder, sandboxes, brokerApi } = await withUploads();
    const path = join(folder, "run.sh");
    writeFileSync(path, "#!/bin/sh\n");
    chmodSync(path, 0o755);
    const name = await client.upload(path);
    expect(uploadNamed(name)).toMatchObject({ name: "run.sh", isExecutable: true });
    const append = vi.spyOn(brokerApi.uploads, "append");
    expect(uploadNamed(await client.upload(path, { name: "bin/run" }))?.name).toBe("bin/run");
    expect(append).not.toHaveBeenCalled();
    expect(await sandboxes.keep("1", [name], { owner: "me" })).toBe(10);
    await expect(client.upload(join(folder, "none"))).rejects.toMatchObject({ code: "fileUnreadable" });
    await expect(client.upload(folder)).rejects.toMatchObject({ code: "fileUnreadable" });
  });

  it("goes on where its connection was lost", async () => {
    const { socketPath, folder, sandboxes } = await withUploads();
    const path = join(folder, "large");
    writeFileSync(path, Buffer.alloc(5_000_000, "line\n"));
    const client = createClient({ socketPath: await breakingWay(socketPath, 2_500_000) });
    onTestFinished(() => client.close());
    const heard: number[] = [];
    const name = await client.upload(path, { onProgress: (bytes) => heard.push(bytes) });
    expect(heard.at(-1)).toBe(5_000_000);
    // What had come before was not sent again.
    expect([...heard].sort((a, b) => a - b)).toEqual(heard);
    expect(await sandboxes.keep("1", [name], { owner: "me" })).toBe(5_000_000);
  });

  it("is given up where the broker refuses it", async () => {
    const { client, folder } = await withUploads();
    const path = join(folder, "data");
    writeFileSync(path, "data");
    await expect(
      client.upload(path, { onProgress: () => writeFileSync(path, "DATA") }),
    ).rejects.toMatchObject({ code: "sandboxChanged", what: expect.stringContaining(path) });
  });

  it("is for brokers on other machines, as their addresses show", () => {
    const isElsewhere = (url: string) => createClient({ url, token: "t" }).isElsewhere;
    expect(["https://grid.example.org", "https://10.0.0.7:7846"].map(isElsewhere)).toEqual([true, true]);
    const here = ["http://127.0.0.1:7846", "http://[::1]:1", "https://localhost:1"];
    expect(here.map(isElsewhere)).toEqual([false, false, false]);
    expect(createClient({ socketPath: "/run/stint.sock" }).isElsewhere).toBe(false);
  });
});
