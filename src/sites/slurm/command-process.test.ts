import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { commandProcess } from "./command-process.ts";
import { runProcess } from "./run-process.ts";

const TIMEOUT_MS = 20_000;

describe("commands started by another process", () => {
  it.each([
    { name: "says what it said", words: ["sh", "-c", "cat; echo no >&2; exit 3"], input: "ä\u0000b" },
    { name: "has the variables", words: ["sh", "-c", 'echo "$WORD"'] },
    { name: "cannot be started", words: ["no-such-command"] },
    { name: "is told much", words: ["wc", "-c"], input: "x".repeat(3_000_000) },
    { name: "says much", words: ["head", "-c", "3000000", "/dev/zero"] },
  ])("$name: the same as by this one", async ({ words, input = "" }) => {
    const order = { words, input, variables: { WORD: "said $HOME" }, timeoutMs: TIMEOUT_MS };
    const [there, here] = await Promise.all([commandProcess()(order), runProcess(order)]);
    expect(there.stdout.equals(here.stdout)).toBe(true);
    expect({ ...there, stdout: 0 }).toEqual({ ...here, stdout: 0 });
  });

  it("ends in its time", async () => {
    const order = { words: ["sleep", "60"], variables: {}, timeoutMs: 100 };
    expect(await commandProcess()(order)).toMatchObject({ code: null, isTimedOut: true });
  });

  it("in doubt where that process is killed; the next one is run by another", async () => {
    const start = commandProcess();
    const order = { variables: {}, timeoutMs: TIMEOUT_MS };
    const { stdout } = await start({ ...order, words: ["sh", "-c", "echo $PPID"] });
    const sleeping = start({ ...order, words: ["sleep", "5"] });
    process.kill(Number(stdout.toString()), "SIGKILL");
    expect(await sleeping).toMatchObject({ code: null, isTimedOut: true, notStarted: null });
    expect((await start({ ...order, words: ["echo", "again"] })).stdout.toString()).toBe("again\n");
  });

  it("keeps nobody alive, and ends with its parent", () => {
    const file = new URL("../../../dist/sites/slurm/index.js", import.meta.url).href;
    const program =
      `const { commandProcess } = await import(${JSON.stringify(file)});` +
      'const order = { words: ["sh", "-c", "echo $PPID"], variables: {}, timeoutMs: 20000 };' +
      "process.stdout.write((await commandProcess()(order)).stdout);";
    const pid = execFileSync(process.execPath, ["--input-type=module", "-e", program], { encoding: "utf8" });
    return expect.poll(() => isThere(Number(pid)), { timeout: TIMEOUT_MS }).toBe(false);
  });
});

function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
