import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { JOB_DEFAULTS, type JobRecord } from "../../model/index.ts";
import type { SiteFiles } from "../../runtime/index.ts";
import { copyState } from "./begin-from.ts";
import { type GivenStates, givenFiles, givenStatesIn } from "./given-states.ts";
import { readIndex, readManifest } from "./read-states.ts";
import { type CarryWorld, carryState, statesOf } from "./saved-states.ts";

const record = (more: Partial<JobRecord>): JobRecord =>
  ({
    ...{ id: "j", owner: "ann", consumer: "cms/ann", attempt: 1, site: "a" },
    description: { ...JOB_DEFAULTS, executable: "x", checkpointable: true },
    ...more,
  }) as JobRecord;

describe("states of jobs at their sites", () => {
  let directory: string;
  let given: GivenStates;
  /** Contents by `token:path`. */
  let files: Map<string, string>;
  let warnings: string[];
  let isBroken: boolean;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), "stint-states-"));
    given = givenStatesIn(directory);
    files = new Map();
    warnings = [];
    isBroken = false;
  });
  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  const readFile: SiteFiles["readFile"] = async (token, name, from, most) => {
    if (isBroken) throw new Error("the site is away");
    const bytes = Buffer.from(files.get(`${token}:${name}`) ?? "");
    if (!files.has(`${token}:${name}`)) return undefined;
    return { bytes: bytes.subarray(from, from + most), sizeBytes: bytes.length };
  };
  const world = (): CarryWorld => ({
    sites: {
      get: (name: string) => (name === "a" ? { files: { readFile } } : undefined),
    } as unknown as CarryWorld["sites"],
    transfers: { pass: async ({ mostBytes }) => Math.min(2, mostBytes) },
    ...{ given, warn: (message) => warnings.push(message) },
  });
  /** What `stint-ckpt save` writes. */
  const save = (token: string, number: number, name: string, content: Record<string, string>): void => {
    const before = files.get(`${token}:.stint-ckpt/index`) ?? "";
    files.set(`${token}:.stint-ckpt/index`, `${before}${number} ${name} 100 1 3\n`);
    const lines = Object.entries(content).map(([path, text]) => `1 ${text.length} ./${path}\n`);
    files.set(`${token}:.stint-ckpt/${number}/manifest`, lines.join(""));
    for (const [path, text] of Object.entries(content))
      files.set(`${token}:.stint-ckpt/${number}/files/${path}`, text);
  };
  const sent = (job: JobRecord) =>
    Object.fromEntries(
      givenFiles(given, job).map(({ name, source }) => [name, readFileSync(source, "utf8")]),
    );
  const second = (more: Partial<JobRecord> = {}) =>
    record({ attempt: 2, ranBefore: { attempt: 1, site: "a", hasAsked: true }, ...more });

  it("BR-211 the last state goes to the next attempt; one that saved none hands on its own", async () => {
    save("j/1", 1, "old", { n: "111" });
    save("j/1", 2, "new", { "d/n": "abcde" });
    await carryState(world(), second());
    const state = { ".stint-restart/name": "new\n", ".stint-restart/files/d/n": "abcde" };
    expect(sent(second())).toEqual(state);
    files.clear();
    await carryState(world(), second());
    const third = record({ attempt: 3, ranBefore: { attempt: 2, site: "a" } });
    await carryState(world(), third);
    expect(sent(third)).toEqual(state);
    save("j/2", 1, "newer", { n: "2" });
    await carryState(world(), third);
    expect(sent(third)).toMatchObject({ ".stint-restart/name": "newer\n" });
    expect(readdirSync(join(directory, "j"))).toEqual(["3"]);
    await given.drop("j");
    expect(sent(third)).toEqual({});
  });

  it("BR-211 an attempt that asked for another and saved nothing is told so", async () => {
    await expect(carryState(world(), second())).rejects.toMatchObject({ code: "nothingSaved" });
    await carryState(world(), second({ ranBefore: { attempt: 1, site: "a" } }));
    await carryState(world(), record({ description: { ...JOB_DEFAULTS, executable: "x" } }));
    expect(sent(second())).toEqual({});
  });

  it("BR-211 a state that is not to be had whole is not begun from", async () => {
    save("j/1", 1, "a", { n: "111" });
    await carryState(world(), second());
    const third = record({ attempt: 3, ranBefore: { attempt: 2, site: "a" } });
    save("j/2", 1, "b", { m: "333", n: "444" });
    files.delete("j/2:.stint-ckpt/1/files/n");
    await carryState(world(), third);
    isBroken = true;
    await carryState(world(), third);
    expect(warnings).toHaveLength(2);
    expect(sent(third)).toEqual({ ".stint-restart/name": "a\n", ".stint-restart/files/n": "111" });
    expect(readdirSync(join(directory, ".coming"))).toEqual([]);
  });

  it("lists the newest of each name, of the present attempt and the one before", async () => {
    for (const [number, name] of [
      [1, "a"],
      [2, "b"],
      [3, "c"],
    ] as const)
      save("j/1", number, name, { n: "1" });
    save("j/2", 1, "b", { n: "2" });
    const all = await statesOf(world(), second());
    expect(all.map(({ name, attempt }) => `${name} ${attempt}`)).toEqual(["b 2", "c 1", "a 1"]);
    expect(all[0]).toMatchObject({ savedAtMs: 100_000, files: 1, sizeBytes: 3 });
    expect(await statesOf(world(), record({ site: "gone" }))).toEqual([]);
  });

  it("BR-212 another job of the owner begins from a state; of others nothing is told", async () => {
    save("j/1", 1, "a", { n: "7" });
    const find = async (id: string) => (id === "j" ? record({}) : undefined);
    const ask = (fromCheckpoint: string, owner = "ann") =>
      copyState({ ...world(), find, sandboxes: { given } }, "k", {
        ...{ owner, description: { ...JOB_DEFAULTS, executable: "x", fromCheckpoint } },
      });
    expect(await ask("j:b")).toEqual({ kind: "noCheckpoint", job: "j", name: "b", names: ["a"] });
    expect(await ask("j:a", "bob")).toEqual({ kind: "noCheckpointJob", job: "j" });
    expect(await ask("none:a", "bob")).toEqual({ kind: "noCheckpointJob", job: "none" });
    const job = record({ id: "k" });
    expect(sent(job)).toEqual({});
    expect(await ask("j:a")).toBeUndefined();
    const state = { ".stint-restart/name": "a\n", ".stint-restart/files/n": "7" };
    expect(sent(job)).toEqual(state);
    // Its elements, too, where it is an array.
    expect(sent(record({ id: "k-1", array: { id: "k", index: 1 } }))).toEqual(state);
    await given.sweep((id) => id !== "k");
    expect(sent(job)).toEqual({});
  });

  it.each(["1 a 100 1", "0 a 100 1 3", "1 ../a 100 1 3", "1 a b 100 1 3", "x"])(
    "BR-210 %j is no line of an index",
    (line) => {
      expect(readIndex(`${line}\n2 b 100 1 3\n`)).toHaveLength(1);
    },
  );

  it.each([
    "",
    "1 2 ./../a\n",
    "1 2 /a\n",
    "1 2 ./a/./b\n",
    "2 ./a\n",
    `1 ${2 ** 31} ./a\n`,
    "1 2 ./a\u0007\n",
  ])("BR-210 a job that writes %j as a manifest has no such state", (text) =>
    expect(readManifest(text)).toBeUndefined(),
  );
});
