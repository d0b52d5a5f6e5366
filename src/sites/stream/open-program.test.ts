import { expect, it } from "vitest";
import { openProgram } from "./open-program.ts";

it("a program that ignores TERM is killed some seconds after it is no longer read", async () => {
  const exec = ["sh", "-c", "trap '' TERM; echo ready; while :; do sleep 0.1; done"];
  const source = await openProgram({ href: "exec:test", exec, start: 0 });
  const read = (async () => {
    for await (const chunk of source.chunks) if (String(chunk).includes("ready")) source.close();
  })();
  await expect(read).rejects.toThrow("exec:test ended with signal SIGKILL");
}, 100_000);
