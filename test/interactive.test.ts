/** A terminal of a job, from a real terminal of a user's, with a broker that is killed in the middle. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { startLiveBroker } from "./live-broker.ts";
import { stint, stintFile, temporaryFolder } from "./stint.ts";

/** A command at a terminal of 30 rows and 100 columns. */
function atTerminal(words: string, environment: Readonly<Record<string, string>>) {
  const command = `stty rows 30 cols 100; exec ${process.execPath} ${stintFile} ${words}`;
  const child: ChildProcess = spawn("script", ["-qec", command, "/dev/null"], {
    stdio: ["pipe", "pipe", "inherit"],
    env: { ...process.env, ...environment, TERM: "xterm" },
  });
  let out = "";
  child.stdout?.on("data", (bytes) => {
    out += bytes;
  });
  return {
    type: (keys: string) => child.stdin?.write(keys),
    async shows(text: string): Promise<void> {
      for (let tries = 0; !out.includes(text); tries++) {
        if (tries > 1000) throw new Error(`${text} is not in ${JSON.stringify(out)}`);
        await sleep(100);
      }
    },
    ended: once(child, "close").then(([code]) => code as number | null),
  };
}

it("a terminal is left, watched, come back to, and survives its broker", {
  timeout: 400_000,
}, async () => {
  const folder = temporaryFolder();
  let broker = await startLiveBroker(folder);
  const { environment } = broker;
  const first = atTerminal("run -i -- sh", environment);
  await first.shows("# ");
  first.type("stty size; echo one$((1+1))\r");
  await first.shows("30 100\r\none2");
  first.type("\r~.");
  expect(await first.ended).toBe(0);

  const [id = ""] = stint(["list", "-o", "name"], folder, environment).out.split("\n");
  const again = atTerminal(`attach ${id}`, environment);
  const watcher = atTerminal(`attach ${id} --watch`, environment);
  await Promise.all([again.shows("one2"), watcher.shows("one2")]);
  await broker.end("SIGKILL");
  again.type("echo two$((1+1))\r");
  broker = await startLiveBroker(folder);
  try {
    await Promise.all([again.shows("two2"), watcher.shows("two2")]);
    again.type("sleep 1000\r");
    await again.shows("sleep 1000");
    again.type("\x03");
    again.type("exit 7\r");
    expect(await Promise.all([again.ended, watcher.ended])).toEqual([7, 7]);
    expect(stint(["logs", id], folder, environment).out).toContain("two2");
    const batch = stint(["submit", "--", "true"], folder, environment).out.trim();
    expect(stint(["attach", batch], folder, environment).err).toContain("has no terminal");
  } finally {
    await broker.end("SIGTERM");
  }
});
