import { spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { JOB_DEFAULTS, type JobDescription, type SiteOffer } from "../model/index.ts";
import { withLaunchers, withSettings } from "./applications.ts";

const folder = mkdtempSync(join(tmpdir(), "stint-applications-"));
const NASTY = "a b'\"$HOME`id`;*\n\\";

function fileWith(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  chmodSync(path, 0o600);
  return path;
}

/** Runs the command of a job in `folder`, as a site does. */
function ran(table: NonNullable<SiteOffer["applications"]>, said: Partial<JobDescription>) {
  const job: JobDescription = { ...JOB_DEFAULTS, executable: "printenv", ...said };
  const launched = withLaunchers(table, job, [job.executable, ...job.arguments]);
  const [program = "", ...words] = withSettings(table, job, launched);
  const { status, stdout, stderr } = spawnSync(program, words, {
    ...{ cwd: folder, encoding: "utf8" },
    env: { PATH: process.env.PATH, STINT_DIRECTORY: folder, ...job.environment },
  });
  return { status, stdout, stderr };
}

const printed = (name: string) => ({ executable: "printenv", arguments: [name] });
const init = fileWith(
  "init.sh",
  'module() { [ "$2" != gone ] && LOADED="${LOADED}[$2]" && export LOADED; }\n',
);

describe("BR-190 the applications of a job", () => {
  it("nothing is added where the job names none, or the site has nothing to do for it", () => {
    const job = { ...JOB_DEFAULTS, executable: "x" };
    const named = { ...job, applications: ["a"] };
    const table = { a: {}, b: { modules: ["m"], launcher: ["mpirun"] } };
    for (const one of [job, named]) {
      expect(withSettings(table, one, ["x", "y"])).toEqual(["x", "y"]);
      expect(withLaunchers(table, one, ["x", "y"])).toEqual(["x", "y"]);
    }
  });

  it("modules are loaded in their order through the site's script; names ignore case", () => {
    const table = { a: { modules: ["one/1", NASTY], init }, B: { modules: ["two"], init } };
    const { stdout } = ran(table, { ...printed("LOADED"), applications: ["a", "b"] });
    expect(stdout).toBe(`[one/1][${NASTY}][two]\n`);
  });

  it("a range of versions is met by the newest of them", () => {
    const table = Object.fromEntries(["9", "12", "11"].map((v) => [`gnu/${v}`, { environment: { GNU: v } }]));
    const gotten = (...applications: string[]) => ran(table, { ...printed("GNU"), applications }).stdout;
    expect([gotten("gnu >= 10"), gotten("gnu < 12"), gotten("gnu/9")]).toEqual(["12\n", "11\n", "9\n"]);
  });

  it("a module that cannot be loaded, or a script without module, ends the job before its program", () => {
    const touch = { executable: "touch", arguments: [join(folder, "ran")], applications: ["a"] };
    const gone = ran({ a: { modules: ["gone"], init } }, touch);
    expect(gone).toMatchObject({ status: 78, stderr: "stint: module gone could not be loaded\n" });
    const missing = ran({ a: { modules: ["m"], init: "/nowhere/init" } }, touch);
    expect(missing).toMatchObject({ status: 78, stderr: expect.stringContaining("/nowhere/init") });
    const empty = ran({ a: { modules: ["m"], init: fileWith("empty.sh", "") } }, touch);
    expect(empty).toMatchObject({ status: 78, stderr: expect.stringContaining("does not define module") });
    expect(spawnSync("ls", [folder], { encoding: "utf8" }).stdout).not.toContain("ran");
  });

  it("directories come before PATH in their order, and variables of the job stay", () => {
    const table = { a: { path: ["/one", "/two"], environment: { X: NASTY, MINE: "theirs" } } };
    const job = { applications: ["a"], environment: { MINE: "mine" } };
    expect(ran(table, { ...job, ...printed("PATH") }).stdout).toBe(`/one:/two:${process.env.PATH}\n`);
    expect(ran(table, { ...job, ...printed("X") }).stdout).toBe(`${NASTY}\n`);
    expect(ran(table, { ...job, ...printed("MINE") }).stdout).toBe("mine\n");
  });

  it("launchers come before the program, the first application's first; no word is changed", () => {
    const table = { a: { launcher: ["env", "A=1 2"] }, b: { launcher: ["env", "B=$A"] } };
    const words = ["-c", 'printf "%s|" "$A" "$B" "$@"', "sh", NASTY, "", "-n"];
    const { stdout } = ran(table, { executable: "sh", arguments: words, applications: ["a", "b"] });
    expect(stdout).toBe(`1 2|$A|${NASTY}||-n|`);
  });

  it("behind a launcher a program of the input sandbox is found and made executable", () => {
    fileWith("brought", '#!/bin/sh\necho "brought $1"\n');
    const job = { executable: "./brought", arguments: ["x y"], applications: ["a"] };
    expect(ran({ a: { launcher: ["env"] } }, job).stdout).toBe("brought x y\n");
    expect(ran({ a: { environment: { A: "1" } } }, job).stdout).toBe("brought x y\n");
  });

  it("a container's image comes between launcher and program", () => {
    const job = { ...JOB_DEFAULTS, executable: "x", applications: ["a"] };
    const command = withLaunchers({ a: { launcher: ["mpirun"], container: "/i.sif" } }, job, ["x", "y"]);
    expect(command.slice(-7)).toEqual(["4", "mpirun", "apptainer", "exec", "/i.sif", "x", "y"]);
  });
});
