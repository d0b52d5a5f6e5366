import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { sitePilotProgram } from "./pilot-script.ts";

/** Script of a job that ends when it finds a file, is told to, or its directory is gone, and says which. */
const JOB = `trap ': > "$2"; exit' TERM
: > "$1/begun"
until [ -e "$1/go" ] || [ ! -d "$1" ]; do sleep 0.1; done
: > "$1/report.1"`;

it("EN-301 a pilot that drains ends its suspended jobs, and finishes the others", async () => {
  const root = mkdtempSync(join(tmpdir(), "stint-pilot-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const work = join(root, "work");
  mkdirSync(work);
  const [program = "", ...words] = sitePilotProgram({ procs: 2, arguments: [] });
  const pilot = spawn(program, words, { cwd: work, stdio: "ignore" });
  onTestFinished(() => void pilot.kill("SIGKILL"));
  const [running, suspended] = ["running", "it's suspended"].map((name, at) => {
    const directory = join(root, name);
    mkdirSync(directory);
    const [own, ended] = [directory, join(directory, "report.ended")].map(word);
    writeFileSync(join(directory, "script"), `set -- ${own} ${ended}\n${JOB}`);
    writeFileSync(join(work, `order.${at}.1`), `payload ${at} ${own}\n`);
    return directory;
  });
  for (const each of [running, suspended]) {
    await expect.poll(() => existsSync(join(each, "begun"))).toBe(true);
  }
  writeFileSync(join(suspended, "suspended"), "");
  pilot.kill("SIGTERM");
  await expect.poll(() => existsSync(join(suspended, "report.ended"))).toBe(true);
  writeFileSync(join(running, "go"), "");
  await once(pilot, "exit");
  expect(readdirSync(running)).toContain("report.1");
  expect(readdirSync(running)).not.toContain("report.ended");
  expect(readdirSync(work).filter((name) => /^(pid|place)\./.test(name))).toEqual([]);
});

it("EN-311 a holder that gets no order ends by itself", async () => {
  const root = mkdtempSync(join(tmpdir(), "stint-pilot-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const [program = "", ...words] = sitePilotProgram({ procs: 1, arguments: ["1"] });
  const holder = spawn(program, words, { cwd: root, stdio: "ignore" });
  onTestFinished(() => void holder.kill("SIGKILL"));
  expect(await once(holder, "exit")).toEqual([0, null]);
});

/** A text in single quotes, in which a shell changes nothing. */
function word(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
