import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, lstat, mkdir, stat, writeFile } from "node:fs/promises";
import { createServer as createNetServer } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { fakeBrokerApi } from "../../test/api/fake-broker-api.ts";
import { serve, serverOf, temporaryDirectory } from "../../test/api/serving.ts";
import { createClient } from "./client/index.ts";
import { listenOnSocket } from "./index.ts";

async function listen(path: string): Promise<{ readonly close: () => Promise<void> }> {
  const server = serverOf(fakeBrokerApi());
  const close = async (): Promise<void> => {
    await server.close();
  };
  onTestFinished(close);
  await listenOnSocket(server, path);
  return { close };
}

describe("the socket", () => {
  it("AP-15 is 0600 in a directory of 0700, and gone after closing", async () => {
    const directory = join(await temporaryDirectory(), "made", "here");
    const path = join(directory, "api.sock");
    const { close } = await listen(path);
    const [inside, outside] = [await stat(path), await stat(directory)];
    expect(inside.isSocket()).toBe(true);
    expect((inside.mode & 0o777).toString(8)).toBe("600");
    expect((outside.mode & 0o777).toString(8)).toBe("700");
    expect(await createClient({ socketPath: path }).health()).toEqual({ status: "ok" });
    await close();
    await expect(lstat(path)).rejects.toThrow("ENOENT");
  });

  it("AP-15 one that a broker answers is not taken over", async () => {
    const { socketPath, client } = await serve();
    await expect(listen(socketPath)).rejects.toMatchObject({ code: "socketInUse", kind: "refused" });
    expect(await client.health()).toEqual({ status: "ok" });
  });

  it("AP-15 one that something answers without a word is not taken over either", async () => {
    const path = join(await temporaryDirectory(), "api.sock");
    const mute = createNetServer().listen(path);
    onTestFinished(() => void mute.close());
    await once(mute, "listening");
    await expect(listen(path)).rejects.toMatchObject({ code: "socketInUse" });
  });

  it("AP-15 one left by a broker that was killed is taken over", async () => {
    const path = join(await temporaryDirectory(), "api.sock");
    const script = `require("node:net").createServer().listen(process.argv[1], () => console.log("up"))`;
    const killed = spawn(process.execPath, ["-e", script, path], { stdio: ["ignore", "pipe", "inherit"] });
    await once(killed.stdout, "data");
    killed.kill("SIGKILL");
    await once(killed, "exit");
    expect((await lstat(path)).isSocket()).toBe(true);
    await listen(path);
    expect(await createClient({ socketPath: path }).health()).toEqual({ status: "ok" });
  });

  it("AP-15 what is no socket is left alone", async () => {
    const path = join(await temporaryDirectory(), "api.sock");
    await writeFile(path, "precious");
    await expect(listen(path)).rejects.toMatchObject({ code: "socketPathTaken" });
    expect((await lstat(path)).size).toBe(8);
  });

  it("AP-15 a directory that others may enter is refused", async () => {
    const directory = join(await temporaryDirectory(), "open");
    await mkdir(directory);
    await chmod(directory, 0o750);
    await expect(listen(join(directory, "api.sock"))).rejects.toMatchObject({ code: "socketDirectoryOpen" });
  });

  it("AP-15 a path that no socket can have is refused with the limit", async () => {
    const path = join(await temporaryDirectory(), "x".repeat(120));
    await expect(listen(path)).rejects.toMatchObject({ code: "socketPathTooLong", kind: "badInput" });
    const file = join(await temporaryDirectory(), "file");
    await writeFile(file, "");
    await expect(listen(join(file, "api.sock"))).rejects.toMatchObject({ code: "socketImpossible" });
  });

  it("AP-15 closing ends what goes on", async () => {
    const { brokerApi, client, server } = await serve();
    brokerApi.put("abc", { state: "RUNNING" });
    const watching = client.watch("abc", () => {});
    const outcome = watching.catch((error: unknown) => error);
    await client.health();
    await server.close();
    expect(await outcome).toMatchObject({ code: "serverUnreachable" });
  });
});
