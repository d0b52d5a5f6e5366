import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { stintFile, temporaryFolder } from "./stint.ts";

const folder = temporaryFolder();

interface Running {
  readonly child: ChildProcess;
  readonly err: () => string;
  readonly ended: Promise<unknown[]>;
}

/** The program as a process of its own, with a state directory of this test. */
function running(words: readonly string[], state: string): Running {
  const child = spawn(process.execPath, [stintFile, ...words], {
    env: { ...process.env, NO_COLOR: "1", STINT_STATE_DIR: join(folder, state) },
  });
  let err = "";
  child.stderr.on("data", (text) => {
    err += text;
  });
  return { child, err: () => err, ended: once(child, "close") };
}

/** Waits until the program has said so. */
async function said({ child, err }: Running, words: string): Promise<void> {
  while (!err().includes(words)) await once(child.stderr ?? child, "data");
}

/** A broker that takes every connection and never answers; gives what resolves at the first question. */
async function silentBroker(state: string): Promise<{ readonly asked: Promise<unknown> }> {
  mkdirSync(join(folder, state));
  const server = createServer((socket) => socket.on("error", () => undefined));
  server.listen(join(folder, state, "stint.sock"));
  await once(server, "listening");
  afterAll(() => server.close());
  return { asked: once(server, "connection") };
}

describe("the daily commands as processes", () => {
  it.each([
    { words: ["status"], code: 69 },
    { words: ["list", "-o", "json"], code: 69 },
    { words: ["run", "--", "true"], code: 125 },
  ])("CL-3 CL-7 $words without a broker: $code, three lines", async ({ words, code }) => {
    const program = running(words, "nobody");
    expect(await program.ended).toEqual([code, null]);
    expect(program.err()).toMatch(/^stint: .+\n {2}why: .*stint\.sock\n {2}do: {2}.*stint up.*\n$/);
  });

  it("CL-11 submit reads stdin; what is wrong with it is told before anybody is asked", async () => {
    const bad = running(["submit", "-"], "nobody");
    bad.child.stdin?.end("executabel: hostname\n");
    expect(await bad.ended).toEqual([2, null]);
    expect(bad.err()).toContain("-:1:1");
    const good = running(["submit", "-"], "nobody");
    good.child.stdin?.end("executable: hostname\n");
    expect(await good.ended).toEqual([69, null]);
  });

  it("CL-8 a second Ctrl-C of run ends it by the signal, even where the broker never answers", async () => {
    const { asked } = await silentBroker("silent");
    const program = running(["run", "--", "true"], "silent");
    await asked;
    program.child.kill("SIGINT");
    await said(program, "again to leave it");
    program.child.kill("SIGINT");
    expect(await program.ended).toEqual([null, "SIGINT"]);
    expect(program.err()).toContain("stint list");
  });
});
