/**
 * `stint sim SCENARIO.yaml` as people run it, and every scenario that is shipped.
 */
import { spawn } from "node:child_process";
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

describe("stint sim SCENARIO.yaml", () => {
  it.each(readdirSync(examples))("CL-19 SI-34 the example %s runs", (file) => {
    const out = join(folder, `of-${file}`);
    const ran = stint(["sim", join(examples, file), "--out", out]);
    expect({ code: ran.code, err: ran.err }).toEqual({ code: 0, err: "" });
    expect(ran.out).toContain(`${out}/report.html`);
    const summary = JSON.parse(readFileSync(join(out, "summary.json"), "utf8"));
    expect(summary.simulationsDone).toBe(summary.simulationsPlanned);
    expect(summary.estimates.length).toBeGreaterThan(1);
  });

  it("CL-1 CL-19 writes JSON to stdout and results beside it, under the scenario's name", () => {
    const file = write("small.yaml", SMALL);
    const { code, out, err } = stint(["sim", file, "-o", "json", "--workers", "1"], folder);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toBe(readFileSync(join(folder, "small-results", "summary.json"), "utf8"));
    const again = stint(["sim", file], folder);
    expect(again.code).toBe(5);
    expect(again.err).toContain("small-results: there is something in this directory");
    expect(stint(["sim", file, "--force"], folder).code).toBe(0);
  });

  it("CL-2 FO-41 tells everything that is wrong, with its place, before anything is simulated", () => {
    const file = write("wrong.yaml", `${SMALL}replicates: many\nbroker: {}\n`);
    const { code, out, err } = stint(["sim", file], folder);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toContain("stint: wrong.yaml:3:13: replicates: ");
    expect(err).toContain("stint: wrong.yaml:4:1: broker is not known here");
    expect(existsSync(join(folder, "wrong-results"))).toBe(false);
  });

  it.each([
    [["sim", trace, "--out", "x"], "--out means nothing here"],
    [["sim", "odd.yaml", "--procs", "7"], "--procs means nothing here"],
  ])("CL-19 refuses options of the other kind: %j", (words, what) => {
    write("odd.yaml", SMALL);
    const { code, err } = stint(words, folder);
    expect({ code, what: err.split("\n")[0] }).toEqual({ code: 2, what: `stint: ${what}` });
  });

  it("CL-19 SI-33 Ctrl-C keeps what is done", async () => {
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
});
