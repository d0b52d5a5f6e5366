/** Units are what systemd takes, and the container file names what there is. */
import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { DEFAULT_PORT } from "../src/api/index.ts";
import { stint, stintFile, temporaryFolder } from "./stint.ts";

const folder = temporaryFolder();
const hasSystemd = spawnSync("systemd-analyze", ["--version"]).status === 0;
const unit = (...words: string[]) => stint(["service", "unit", ...words], folder);

describe("a unit of systemd", () => {
  const kinds: readonly (readonly string[])[] = [
    ["--system", "--run-as", "root", "--config", "/etc/stint/stint.yaml"],
    ["--system", "--run-as", "root", "--state-dir", "/srv/with blank/50%/s$HOME"],
    ["--user"],
  ];

  it.skipIf(!hasSystemd).each(kinds.map((words) => [words.join(" "), words] as const))(
    "is valid to systemd-analyze: %s",
    (_, words) => {
      const file = join(folder, "stint-test.service");
      writeFileSync(file, unit(...words).out);
      const manager = words.includes("--user") ? ["--user"] : [];
      const environment = { ...process.env, XDG_RUNTIME_DIR: folder };
      const verified = spawnSync("systemd-analyze", [...manager, "verify", file], {
        ...{ encoding: "utf8", env: environment },
      });
      expect(verified.stderr.split("\n").filter((line) => line.includes("stint-test"))).toEqual([]);
      expect(verified.status).toBe(0);
    },
  );

  it.skipIf(!hasSystemd)("of the system is exposed little, by systemd's own measure", () => {
    const file = join(folder, "stint-hard.service");
    writeFileSync(file, unit("--system", "--run-as", "nobody").out);
    const words = ["security", "--offline=true", "--threshold=40", file];
    const judged = spawnSync("systemd-analyze", words, { encoding: "utf8" });
    expect(judged.status, judged.stdout.split("\n").slice(-3).join("\n")).toBe(0);
  });

  it("starts this program, lets jobs outlive it, and says paths literally", () => {
    const { out } = unit("--system", "--state-dir", "/srv/50%/$a", "--config", "/etc/$b c.yaml");
    expect(out).toContain(`ExecStart=${process.execPath} ${stintFile} up --config "/etc/$$b c.yaml"\n`);
    expect(out).toContain("Environment=STINT_STATE_DIR=/srv/50%%/$a\n");
    expect(out).toContain("ReadWritePaths=/srv/50%%/$a\n");
    expect(out).toContain("KillMode=process\n");
    expect(unit("--system").out).toContain("StateDirectory=stint\n");
    const user = unit("--user").out;
    expect(user).toContain("WantedBy=default.target\n");
    expect(user).not.toContain("User=");
  });

  it("has no path that begins nowhere", () => {
    const said = unit("--user", "--config", "stint.yaml");
    expect([said.code, said.err]).toEqual([2, expect.stringContaining("not an absolute path")]);
  });
});

describe("the container file", () => {
  const root = resolve(import.meta.dirname, "..");
  const text = readFileSync(join(root, "examples/operating/Containerfile"), "utf8");
  const hasPodman = spawnSync("podman", ["info"]).status === 0;

  it("runs as a user of its own, on the port and with the variables that there are", () => {
    expect(text).toMatch(/^USER 10001:10001$/m);
    expect(text).toContain(`EXPOSE ${DEFAULT_PORT}\n`);
    const settings = stint(["config", "show", "-o", "json"], folder, {
      ...{ STINT_STATE_DIR: "/var/lib/stint", STINT_CONFIG: "" },
    });
    expect(settings.out).toContain("STINT_STATE_DIR (environment)");
    const base = /^FROM \S+node:(\d+)/m.exec(text)?.[1];
    // Node 22 is the first with SQLite built in: nothing is compiled.
    expect(Number(base)).toBeGreaterThanOrEqual(22);
  });

  it("asks for its health as Node can", () => {
    // In podman's default format, OCI, the instruction is ignored.
    expect(text).toMatch(/^# +podman build --format docker /m);
    const [, command = ""] = /HEALTHCHECK[^\n]*\\\n\s+CMD (\[.*\])$/m.exec(text) ?? [];
    const [program, ...words] = JSON.parse(command) as string[];
    expect(program).toBe("node");
    const ran = spawnSync(process.execPath, words, { env: { STINT_STATE_DIR: folder } });
    expect(ran.status).toBe(1);
  });

  it.skipIf(!hasPodman)("builds", () => {
    execFileSync("npm", ["pack", "--pack-destination", folder], { cwd: root });
    const arguments_ = [
      "build",
      "--format",
      "docker",
      "-f",
      join(root, "examples/operating/Containerfile"),
      "--build-arg",
    ];
    execFileSync("podman", [...arguments_, "PACKAGE=stint-0.1.0.tgz", folder]);
  });
});
