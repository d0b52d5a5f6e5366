/**
 * `stint sim SCENARIO.yaml` as people run it, and every scenario that is shipped.
 */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { stint, stintFile, temporaryFolder } from "./stint.ts";

const folder = temporaryFolder();
const examples = resolve(import.meta.dirname, "../examples/scenarios");
const trace = resolve(import.meta.dirname, "../examples/poisson.swf");

function write(name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  return name;
}

const SMALL = "name: small\nsites: [{ name: w, procs: 16, workload: { model: poisson, jobs: 40 } }]\n";

const hasPython = spawnSync("python3", ["-c", "pass"]).status === 0;
const runnable = readdirSync(examples).filter(
  (file) => hasPython || !readFileSync(join(examples, file), "utf8").includes("exec:python3"),
);
const withoutPython = hasPython ? "" : " (without python3 not those of programs)";

/** A program that says hello, notes itself, and then thinks for ever; Ctrl-C would end it. */
const THINKER = `
  require("node:fs").writeFileSync("thinks", String(process.pid));
  process.on("SIGINT", () => require("node:fs").writeFileSync("interrupted", ""));
  console.log('{"protocol":1}');
  setInterval(() => {}, 1000);`;

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe("stint sim SCENARIO.yaml", () => {
  it.each(runnable)(`the example %s runs${withoutPython}`, (file) => {
    const out = join(folder, `of-${file}`);
    const ran = stint(["sim", join(examples, file), "--out", out]);
    expect({ code: ran.code, err: ran.err }).toEqual({ code: 0, err: "" });
    expect(ran.out).toContain(`${out}/report.html`);
    const summary = JSON.parse(readFileSync(join(out, "summary.json"), "utf8"));
    expect(summary.simulationsDone).toBe(summary.simulationsPlanned);
    expect(summary.estimates.length).toBeGreaterThan(1);
  });

  it("CL-1 writes JSON to stdout and results beside it, under the scenario's name", () => {
    const file = write("small.yaml", SMALL);
    const { code, out, err } = stint(["sim", file, "-o", "json", "--workers", "1"], folder);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toBe(readFileSync(join(folder, "small-results", "summary.json"), "utf8"));
    const again = stint(["sim", file], folder);
    expect(again.code).toBe(5);
    expect(again.err).toContain("small-results: this directory is not empty");
    expect(stint(["sim", file, "--force"], folder).code).toBe(0);
  });

  it("CL-2 FO-22 all problems are reported with their positions before anything is simulated", () => {
    const file = write("wrong.yaml", `${SMALL}replicates: many\nbroker: {}\n`);
    const { code, out, err } = stint(["sim", file], folder);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toContain("stint: wrong.yaml:3:13: replicates: ");
    expect(err).toContain("stint: wrong.yaml:4:1: broker is not known here");
    expect(existsSync(join(folder, "wrong-results"))).toBe(false);
  });

  it.each([
    [["sim", trace, "--out", "x"], "--out has no effect here"],
    [["sim", "odd.yaml", "--procs", "7"], "--procs has no effect here"],
  ])("refuses options of the other kind: %j", (words, what) => {
    write("odd.yaml", SMALL);
    const { code, err } = stint(words, folder);
    expect({ code, what: err.split("\n")[0] }).toEqual({ code: 2, what: `stint: ${what}` });
  });

  it("SI-7 Ctrl-C keeps finished simulations", async () => {
    const long = SMALL.replace("jobs: 40", "jobs: 20000");
    const file = write("long.yaml", `${long}replicates: 500\njobsOut: all\n`);
    const child = spawn(process.execPath, [stintFile, "sim", file, "--workers", "2"], { cwd: folder });
    const directory = join(folder, "long-results");
    let err = "";
    child.stderr.on("data", (chunk) => {
      err += chunk;
    });
    const ended = once(child, "exit");
    const isOneDone = () =>
      existsSync(directory) && readdirSync(directory).some((name) => /^[^.].*csv$/.test(name));
    while (!isOneDone()) await new Promise((again) => setTimeout(again, 20));
    child.kill("SIGINT");
    expect(await ended).toEqual([130, null]);
    expect(err).toMatch(/^stint: stopped after \d+ of 500 simulations; their results are in long-results\n$/);
    const { simulationsDone } = JSON.parse(readFileSync(join(directory, "summary.json"), "utf8"));
    const files = readdirSync(directory);
    expect(files.filter((name) => name.endsWith(".tmp"))).toEqual([]);
    expect(files.filter((name) => name.endsWith(".swf"))).toHaveLength(simulationsDone);
  });

  it("SI-22 Ctrl-C terminates a busy program, which is no failure", async () => {
    write("thinker.cjs", THINKER);
    const discipline = "discipline: exec:node thinker.cjs, ";
    const file = write("thinking.yaml", SMALL.replace("procs:", `${discipline}procs:`));
    const child = spawn(process.execPath, [stintFile, "sim", file], { cwd: folder, detached: true });
    let err = "";
    child.stderr.on("data", (chunk) => {
      err += chunk;
    });
    const ended = once(child, "exit");
    const noted = join(folder, "thinks");
    while (!existsSync(noted) || readFileSync(noted, "utf8") === "") {
      await new Promise((again) => setTimeout(again, 20));
    }
    // As a terminal does: to the whole group, of which the program is no part.
    process.kill(-(child.pid ?? 0), "SIGINT");
    expect(await ended).toEqual([130, null]);
    expect(err).toBe("stint: stopped after 0 of 1 simulations; their results are in thinking-results\n");
    expect(isThere(Number(readFileSync(noted, "utf8")))).toBe(false);
    expect(existsSync(join(folder, "interrupted"))).toBe(false);
  });

  it("CL-2 FO-43 incompatible words are reported with their positions", () => {
    const more = "discipline: exec:./nowhere.py, priority: fair, slots: { every: 1h }, onOutage: lost";
    const file = write("unfit.yaml", SMALL.replace("procs: 16", `procs: 16, ${more}`));
    const { code, out, err } = stint(["sim", file], folder);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    for (const words of [
      "unfit.yaml:2:43: sites[0].discipline: the program ./nowhere.py cannot be started",
      'unfit.yaml:2:72: sites[0].priority: "fair" is not known',
      "unfit.yaml:2:100: onOutage cannot be combined with the other settings of this site",
    ]) {
      expect(err).toContain(words);
    }
  });
});
