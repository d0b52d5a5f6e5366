import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { findStateDirectory, readSettings } from "./settings.ts";

const folder = mkdtempSync(join(tmpdir(), "stint-settings-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const file = join(folder, "any.yaml");
writeFileSync(file, "server:\n  stateDir: by-file\n  port: 1\n");
const xdg = { XDG_CONFIG_HOME: join(folder, "config"), XDG_STATE_HOME: join(folder, "state") };
const usual = join(xdg.XDG_CONFIG_HOME, "stint", "stint.yaml");
const line = (number: number, of = file) => ({ kind: "file", file: of, line: number });

describe("where a setting comes from", () => {
  it("MA-1 without anything, defaults", async () => {
    const { configuration, stateDirectory, port, url, sites } = await readSettings(xdg);
    expect(configuration).toEqual({ value: undefined, origin: { kind: "default" } });
    expect(stateDirectory).toEqual({ value: join(folder, "state", "stint"), origin: { kind: "default" } });
    expect([port.value, url.value, sites]).toEqual([undefined, undefined, []]);
  });

  it("MA-1 the file counts above defaults, the environment above it, a flag above all", async () => {
    const named = { ...xdg, STINT_CONFIG: file };
    const byFile = await readSettings(named);
    expect(byFile.configuration.origin).toEqual({ kind: "environment", variable: "STINT_CONFIG" });
    expect(byFile.stateDirectory).toEqual({ value: join(folder, "by-file"), origin: line(2) });
    expect(byFile.port).toEqual({ value: 1, origin: line(3) });
    const environment = { ...named, STINT_STATE_DIR: "/by/variable", STINT_PORT: "none" };
    const byVariable = await readSettings(environment);
    expect(byVariable.stateDirectory).toEqual({
      value: "/by/variable",
      origin: { kind: "environment", variable: "STINT_STATE_DIR" },
    });
    expect(byVariable.port.value).toBeNull();
    const byFlag = await readSettings(environment, { stateDirectory: "/by/flag", port: 0 });
    expect(byFlag.stateDirectory).toEqual({
      value: "/by/flag",
      origin: { kind: "flag", flag: "--state-dir" },
    });
    expect(byFlag.port).toEqual({ value: 0, origin: { kind: "flag", flag: "--port" } });
  });

  it("MA-1 a flag names the file, else STINT_CONFIG, else the usual place where it is there", async () => {
    mkdirSync(join(xdg.XDG_CONFIG_HOME, "stint"), { recursive: true });
    writeFileSync(usual, "server: { port: 2 }\n");
    expect((await readSettings(xdg)).port).toEqual({ value: 2, origin: line(1, usual) });
    const both = { ...xdg, STINT_CONFIG: file };
    expect((await readSettings(both)).port.value).toBe(1);
    expect((await readSettings(both, { configuration: usual })).port.value).toBe(2);
    expect((await readSettings(both, { configuration: null })).port.value).toBeUndefined();
  });

  it("MA-1 a variable that is empty is not set, and a relative XDG path is passed over", async () => {
    const { stateDirectory } = await readSettings(
      { STINT_CONFIG: "", STINT_PORT: "", STINT_STATE_DIR: "", XDG_STATE_HOME: "relative" },
      { configuration: null },
    );
    expect(stateDirectory.value).toBe(join(homedir(), ".local", "state", "stint"));
  });

  it("MA-1 all that is wrong with the file comes at once; a named file has to be there", async () => {
    writeFileSync(join(folder, "bad.yaml"), "server: { port: x, colour: red }\n");
    const wrong = await readSettings(xdg, { configuration: join(folder, "bad.yaml") }).catch((it) => it);
    expect(wrong.errors.map(({ what }: Error & { what: string }) => what.split(": ")[0])).toEqual([
      join(folder, "bad.yaml:1:17"),
      join(folder, "bad.yaml:1:20"),
    ]);
    const missing = await readSettings({ STINT_CONFIG: join(folder, "none.yaml") }).catch((it) => it);
    expect(missing.errors[0].why).toBe("there is no such file");
  });

  it.each(["x", "-1", "65536", "1.5"])("MA-1 STINT_PORT=%s is no port", async (text) => {
    await expect(readSettings({ ...xdg, STINT_PORT: text })).rejects.toMatchObject({ code: "badPort" });
  });

  it("MA-2 commands find the broker by the same rule, whatever else is wrong", async () => {
    writeFileSync(usual, "server: { stateDir: here }\nsites: [{ name: w, type: simulated, procs: 1,\n");
    expect(await findStateDirectory({ ...xdg, STINT_STATE_DIR: "/s" })).toBe("/s");
    const trace = "{ name: w, type: simulated, procs: 1, background: { trace: gone.swf } }";
    writeFileSync(usual, `server: { stateDir: here }\nsites: [${trace}]\n`);
    expect(await findStateDirectory({ ...xdg, STINT_PORT: "x" })).toBe(
      join(xdg.XDG_CONFIG_HOME, "stint", "here"),
    );
    await expect(readSettings(xdg)).rejects.toBeInstanceOf(AggregateError);
  });
});
