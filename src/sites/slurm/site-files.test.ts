import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../test/stint.ts";
import { commandRunner } from "./run-command.ts";
import { AttemptFiles } from "./site-files.ts";

const directory = temporaryFolder();
const here = commandRunner({ sshHost: null, slurmConf: null, socketDirectory: directory });
const files = new AttemptFiles(here, directory);

function workOf(token: string, script: string): void {
  const work = join(files.placeOf(token), "work");
  mkdirSync(work, { recursive: true });
  execFileSync("sh", ["-c", script], { cwd: work });
}

const textOf = async (token: string, name: string): Promise<string | undefined> => {
  const part = await files.readPart(token, name, 0, 100);
  return part === undefined ? undefined : `${part.bytes}`;
};

beforeAll(() => {
  const script =
    "mkdir -p results/deep ./-d; echo a > results/a.csv; echo bb > results/deep/b; echo c > ./-d/-c; " +
    "echo out > stdout; ln -s /etc results/etc; ln -s results alias; ln -s /etc/passwd results/passwd; " +
    "echo d > 'x\n1 y'";
  workOf("1/1", script);
});

describe("files of attempts at a cluster", () => {
  it("SU-43 directories are listed with all their files, without links that lead out", async () => {
    expect(await files.list("1/1")).toEqual([
      { name: "-d/-c", sizeBytes: 2 },
      { name: "results/a.csv", sizeBytes: 2 },
      { name: "results/deep/b", sizeBytes: 3 },
      { name: "stdout", sizeBytes: 4 },
      { name: "x\n1 y", sizeBytes: 2 },
    ]);
    expect(await files.size("1/1")).toBe(13);
    expect(await files.list("2/1")).toEqual([]);
    expect(await files.size("2/1")).toBe(0);
  });

  it("EN-304 what is beside the job's directory is for its account alone: a script has secrets", async () => {
    const open = ["sh", "-c", 'umask 022; exec "$@"', "sh"];
    const there = new AttemptFiles(
      ({ words, ...more }) => here({ ...more, words: [...open, ...words] }),
      directory,
    );
    await there.write("9/1", "script", "export SECRET=1\n");
    expect(statSync(join(files.placeOf("9/1"), "script")).mode & 0o777).toBe(0o600);
  });

  it("SU-43 are read by their paths in the job's directory", async () => {
    expect(await textOf("1/1", "results/deep/b")).toBe("bb\n");
    expect(await textOf("1/1", "-d/-c")).toBe("c\n");
    expect(await textOf("1/1", "stdout")).toBe("out\n");
    expect(await textOf("1/1", "x\n1 y")).toBe("d\n");
    expect(await files.readPart("1/1", "results/deep/b", 1, 1)).toMatchObject({ sizeBytes: 3 });
  });

  it.each([
    ...["results/etc/passwd", "alias/a.csv", "results/passwd", "../../x", "results/../stdout", "/etc/passwd"],
    ...["results", "results/", "./stdout", "stdout/x", "results//a.csv", "none/x", ""],
  ])("SU-43 there is no file %j", async (name) => {
    expect(await files.readPart("1/1", name, 0, 100)).toBeUndefined();
  });

  it("SU-43 a link in the place of the job's directory shows nothing", async () => {
    workOf("3/1", "cd ..; rmdir work; ln -s /etc work");
    expect(await files.list("3/1")).toEqual([]);
    expect(await files.size("3/1")).toBe(0);
    expect(await files.readPart("3/1", "passwd", 0, 100)).toBeUndefined();
  });

  it("SU-43 a listing is bounded, its top files always in it, and the size is of all", async () => {
    const script =
      "mkdir many; (cd many; seq -f f%g 10050 | xargs touch); echo top > zz; " +
      "d=.; for i in $(seq 40); do d=$d/d; mkdir $d; echo $i > $d/n; done";
    workOf("4/1", script);
    const listed = await files.list("4/1");
    expect(listed).toHaveLength(10_000);
    expect(listed.map(({ name }) => name)).toContain("zz");
    expect(await files.size("4/1")).toBe(4 + 9 * 2 + 31 * 3);
  });

  it("SU-44 input files are sent many to a command, with folders and the permission to execute", async () => {
    const sources = temporaryFolder();
    const names = Array.from({ length: 2500 }, (_, at) => `tree/${at % 7}/ä ${at}`);
    const long = `deep/${"x".repeat(120)}/run.sh`;
    const inputs = [...names, long].map((name, at) => {
      const source = join(sources, `${at}`);
      writeFileSync(source, `${name}\n`, { mode: name === long ? 0o700 : 0o600 });
      return { name, source };
    });
    let commands = 0;
    const counted = new AttemptFiles((request) => {
      commands++;
      return here(request);
    }, directory);
    await counted.send("5/1", inputs);
    expect(commands).toBe(2);
    const sent = (name: string) => join(files.placeOf("5/1"), "work", name);
    expect(names.filter((name) => readFileSync(sent(name), "utf8") !== `${name}\n`)).toEqual([]);
    const modeOf = (name: string) => (statSync(sent(name)).mode & 0o777).toString(8);
    expect([names[0], long, "tree", "tree/0"].map(modeOf)).toEqual(["600", "700", "700", "700"]);
    expect(Date.now() - statSync(sent(long)).mtimeMs).toBeLessThan(3_600_000);
  });

  it("SU-44 a large input file is sent whole, and none needs no command", async () => {
    const source = join(temporaryFolder(), "large");
    const content = Buffer.alloc(9 * 1024 * 1024 + 7, "large ");
    writeFileSync(source, content);
    await files.send("6/1", [
      { name: "first", source },
      { name: "second", source },
    ]);
    for (const name of ["first", "second"]) {
      expect(readFileSync(join(files.placeOf("6/1"), "work", name)).equals(content)).toBe(true);
    }
    const none = new AttemptFiles(() => Promise.reject(new Error("a command")), directory);
    await none.send("7/1", []);
  });
});
