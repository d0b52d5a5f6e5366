import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type LiveBroker, startLiveBroker } from "./live-broker.ts";
import { stint, temporaryFolder } from "./stint.ts";

const folder = temporaryFolder();
const state = join(folder, "state");
let broker: LiveBroker;

/** Runs a command against the broker of these tests. */
const ask = (...words: string[]) => stint(words, folder, broker.environment);
const node = process.execPath;

/** Waits until a job is in a state; the test's own time limit bounds it. */
async function until(id: string, wanted: string): Promise<void> {
  while ((JSON.parse(ask("status", id, "-o", "json").out) as { state: string }).state !== wanted) {
    await setTimeout(50);
  }
}

function describeJob(name: string, lines: readonly string[]): string {
  const path = join(folder, name);
  writeFileSync(path, `${lines.join("\n")}\n`);
  return path;
}

/** The processors of the one site. */
function allProcs(): number {
  const { items } = JSON.parse(ask("site", "list", "-o", "json").out) as {
    items: { spec: { procs: number } }[];
  };
  return items[0].spec.procs;
}

beforeAll(async () => {
  broker = await startLiveBroker(state);
});
afterAll(() => broker.end("SIGTERM"));

describe("stint run, from the command line to a process and back", () => {
  it("CL-1 carries the program's streams and exit code, and nothing else", () => {
    const program = "process.stdout.write('out\\0'); process.stderr.write('err'); process.exit(7)";
    expect(ask("run", "--", node, "-e", program)).toEqual({ code: 7, out: "out\0", err: "err" });
  });

  it("BR-4 passes arguments on as they are, never through a shell", () => {
    const words = ["a b", "$(touch nope)", "`x`", "'", '"', "*", "ü\n2"];
    const { out } = ask(
      "run",
      "--",
      node,
      "-e",
      "console.log(JSON.stringify(process.argv.slice(1)))",
      ...words,
    );
    expect(JSON.parse(out)).toEqual(words);
    expect(existsSync(join(folder, "nope"))).toBe(false);
  });

  it.each([
    { words: ["run", "-n", "999", "--", "true"], says: "large enough" },
    { words: ["run", "--", "no-such-program-here"], says: "not on the PATH" },
  ])("CL-2 $words: 125, and says why", ({ words, says }) => {
    const { code, out, err } = ask(...words);
    expect({ code, out }).toEqual({ code: 125, out: "" });
    expect(err).toContain(says);
  });
});

describe("submitting, asking, bringing home", () => {
  it("BR-4 takes files along and brings files back", async () => {
    writeFileSync(join(folder, "in.txt"), "one\ntwo\n");
    const job = describeJob("count.yaml", [
      `executable: ${JSON.stringify(node)}`,
      "arguments:",
      "  - -e",
      "  - |",
      "    const fs = require('fs');",
      "    fs.writeFileSync('out.txt', fs.readFileSync('in.txt', 'utf8').toUpperCase());",
      "inputSandbox: in.txt",
      "outputSandbox: [out.txt]",
    ]);
    const id = ask("submit", "-o", "name", job).out.trim();
    await until(id, "DONE");
    expect(ask("output", id, "--to", join(folder, "home")).code).toBe(0);
    expect(readFileSync(join(folder, "home", "out.txt"), "utf8")).toBe("ONE\nTWO\n");
  });

  it("EN-7 EN-11 says why a job waits, and cancels what runs", async () => {
    const long = describeJob("long.yaml", [
      `executable: ${JSON.stringify(node)}`,
      'arguments: ["-e", "setTimeout(() => undefined, 600000)"]',
      `cpuNumber: ${allProcs()}`,
    ]);
    const [first, second] = [long, long].map((file) => ask("submit", "-o", "name", file).out.trim());
    await until(first, "RUNNING");
    expect(ask("why", second).out).toContain("0 free");
    expect(ask("hold", second).code).toBe(0);
    expect(ask("why", second).out).toContain("held");
    expect(ask("cancel", first, second).code).toBe(0);
    await until(first, "CANCELLED");
    await until(second, "CANCELLED");
    expect(ask("cancel", first).code).toBe(5);
    expect(ask("cancel", "zzzzzz").code).toBe(3);
  });
});

describe("a broker that dies", () => {
  it("BR-1 BR-2 killed in the middle: nothing is lost, nothing runs twice", async () => {
    const marks = join(folder, "marks");
    const program = [
      `require('fs').appendFileSync(${JSON.stringify(marks)}, process.argv[1] + '\\n');`,
      "setTimeout(() => process.exit(Number(process.argv[1])), 700);",
    ].join(" ");
    const ids = [3, 4, 5, 6].map((code) => {
      const file = describeJob(`mark-${code}.yaml`, [
        `executable: ${JSON.stringify(node)}`,
        `arguments: ["-e", ${JSON.stringify(program)}, "${code}"]`,
      ]);
      return ask("submit", "-o", "name", file).out.trim();
    });
    await broker.end("SIGKILL");
    expect(ask("list").code).toBe(69);
    await setTimeout(300);
    broker = await startLiveBroker(state);
    for (const id of ids) await until(id, "DONE");
    const codes = ids.map(
      (id) => (JSON.parse(ask("status", id, "-o", "json").out) as { exitCode: number }).exitCode,
    );
    expect(codes).toEqual([3, 4, 5, 6]);
    expect(readFileSync(marks, "utf8").trim().split("\n").sort()).toEqual(["3", "4", "5", "6"]);
  });

  it("a second broker on the same state directory is refused", () => {
    const { code, err } = ask("up");
    expect(code).not.toBe(0);
    expect(err).toMatch(/^stint: .+\n {2}why: .+\n {2}do: {2}.+\n$/);
  });
});
