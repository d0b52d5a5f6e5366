/** A person at a terminal: width, colours and the time zone of the one who asks. */
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type LiveBroker, startLiveBroker } from "./live-broker.ts";
import { stint, stintFile, temporaryFolder } from "./stint.ts";

const folder = temporaryFolder();
let broker: LiveBroker;
let failed = "";

beforeAll(async () => {
  broker = await startLiveBroker(folder);
  stint(["run", "--", "true"], folder, broker.environment);
  stint(["run", "--", "sh", "-c", "exit 3"], folder, broker.environment);
  [failed = ""] = stint(["list", "--state", "done", "-o", "name"], folder, broker.environment).out.split(
    "\n",
  );
});
afterAll(() => broker.end("SIGTERM"));

const ESCAPE = "\u001b";

/** What a terminal of this width shows. */
function shown(words: string, columns: number, environment: Readonly<Record<string, string>> = {}): string {
  const { NO_COLOR: _, ...inherited } = process.env;
  const command = `stty cols ${columns}; ${process.execPath} ${stintFile} ${words}`;
  const { stdout } = spawnSync("script", ["-qec", command, "/dev/null"], {
    encoding: "utf8",
    env: { ...inherited, ...broker.environment, ...environment },
  });
  return stdout.replaceAll("\r", "");
}

function withoutColours(text: string): string {
  return text.replaceAll(new RegExp(`${ESCAPE}\\[\\d*m`, "g"), "");
}

describe("a person at a terminal", () => {
  it("CL-5 CL-10 sees states in colours, with NO_COLOR the same words without", () => {
    const coloured = shown("list", 200);
    expect(coloured).toContain(`${ESCAPE}[32mDONE (ok)`);
    expect(coloured).toContain(`${ESCAPE}[31mDONE (exit 3)`);
    const plain = shown("list", 200, { NO_COLOR: "1" });
    expect(plain).not.toContain(ESCAPE);
    const states = (text: string) => text.match(/DONE \(.*?\)/g);
    expect(states(withoutColours(coloured))).toEqual(states(plain));
    expect(stint(["list"], folder, { ...broker.environment, NO_COLOR: "" }).out).not.toContain(ESCAPE);
  });

  it.each([60, 80, 200])("CL-10 sees a table that fits %d columns", (columns) => {
    const table = withoutColours(shown("list", columns));
    for (const line of table.split("\n")) expect(line.length).toBeLessThanOrEqual(columns);
    expect(table.includes("omitted: ")).toBe(!/ TIME /.test(table.split("\n")[0] ?? ""));
  });

  it("completes ids of jobs, sites and states as the broker knows them", () => {
    const program = join(folder, "stint");
    writeFileSync(program, `#!/bin/sh\nexec ${process.execPath} ${stintFile} "$@"\n`, { mode: 0o755 });
    const script = stint(["completion", "bash"], folder).out;
    const offered = (...words: string[]): readonly string[] => {
      const drive = `${script}
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _stint; printf '%s\\n' "\${COMPREPLY[@]}"`;
      const given = ["--norc", "-u", "-c", drive, "bash", program, ...words];
      const { stdout } = spawnSync("bash", given, {
        encoding: "utf8",
        env: { ...process.env, ...broker.environment },
      });
      return stdout.trimEnd().split("\n");
    };
    const ids = stint(["list", "-o", "name"], folder, broker.environment).out.trimEnd().split("\n");
    expect(offered("why", "")).toEqual(ids);
    expect(offered("logs", failed.slice(0, 6))).toEqual([failed]);
    expect(offered("list", "--site", "")).toEqual(["local"]);
    expect(offered("site", "drain", "lo")).toEqual(["local"]);
    expect(offered("list", "--state", "H")).toEqual(["HELD"]);
  });

  it("CL-45 sees times in her own zone, and programs get them in UTC", () => {
    const tokyo = stint(["status", failed], folder, { ...broker.environment, TZ: "Asia/Tokyo" }).out;
    const { submittedAt } = JSON.parse(
      stint(["status", failed, "-o", "json"], folder, { ...broker.environment, TZ: "Asia/Tokyo" }).out,
    );
    expect(submittedAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/);
    const there = new Date(Date.parse(submittedAt) + 9 * 3_600_000).toISOString();
    expect(tokyo).toMatch(/^submitted +.* \((\d+s|\d+m\d\ds) ago\)$/m);
    expect(tokyo).toContain(`submitted   ${there.slice(0, 10)} ${there.slice(11, 19)} UTC+9 (`);
    expect(stint(["list"], folder, broker.environment).out).toMatch(
      / ago, (Sun|Mon|Tue|Wed|Thu|Fri|Sat) \d\d:\d\d/,
    );
  });
});
