import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type DagNodeRecord, JOB_DEFAULTS, type JobRecord } from "../../model/index.ts";
import { type GatherWorld, gatherStates } from "./gather-states.ts";
import { type GivenStates, givenFiles, givenStatesIn } from "./given-states.ts";

const description = { ...JOB_DEFAULTS, executable: "x", checkpointable: true };
const job = (id: string, index: number, isPart = true): JobRecord =>
  ({
    ...{ id, owner: "ann", consumer: "cms/ann", attempt: 1, site: "a", description },
    part: {
      ...{ id: "d", index, name: `n${index}` },
      ...(isPart ? { steps: { of: "p", from: 0, count: 2 } } : {}),
    },
  }) as unknown as JobRecord;
const node = (index: number, name: string, last: string | null, tries = 1): DagNodeRecord =>
  ({
    ...{ dag: "d", index, job: last, tries },
    node: {
      ...{ name, description, parents: name === "post" ? [0, 1] : [] },
      ...(name === "post" ? {} : { stepRange: { of: "p", from: 0, count: 2 } }),
    },
  }) as unknown as DagNodeRecord;

describe("states between the jobs of a partitionable job", () => {
  let directory: string;
  let given: GivenStates;
  let files: Map<string, string>;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), "stint-gather-"));
    given = givenStatesIn(directory);
    files = new Map();
  });
  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  const world = (jobs: readonly JobRecord[], nodes: readonly DagNodeRecord[]) =>
    ({
      sites: {
        get: () => ({
          files: {
            readFile: async (token: string, name: string, from: number, most: number) => {
              const bytes = Buffer.from(files.get(`${token}:${name}`) ?? "");
              const part = { bytes: bytes.subarray(from, from + most), sizeBytes: bytes.length };
              return files.has(`${token}:${name}`) ? part : undefined;
            },
          },
        }),
      },
      transfers: { pass: async ({ mostBytes }: { mostBytes: number }) => mostBytes },
      ...{ given, warn: () => undefined, nodesOf: () => nodes },
      find: async (id: string) => jobs.find((one) => one.id === id),
    }) as unknown as GatherWorld;
  const save = (token: string, name: string, content: Readonly<Record<string, string>>): void => {
    files.set(`${token}:.stint-ckpt/index`, `1 ${name} 100 1 3\n`);
    const lines = Object.entries(content).map(([path, text]) => `1 ${text.length} ./${path}\n`);
    files.set(`${token}:.stint-ckpt/1/manifest`, lines.join(""));
    for (const [path, text] of Object.entries(content))
      files.set(`${token}:.stint-ckpt/1/files/${path}`, text);
  };
  const sent = (one: JobRecord) =>
    Object.fromEntries(
      givenFiles(given, one).map(({ name, source }) => [
        name.replace(".stint-restart/", ""),
        readFileSync(source, "utf8"),
      ]),
    );

  it("BR-281 a further try of a sub-job begins from the last state of an earlier one", async () => {
    const tries = ["d-0", "d-0-2", "d-0-3"].map((id) => job(id, 0));
    save("d-0/1", "step-0", { ".stint-steps": "0\t0\t0\n" });
    const third = tries[2] ?? job("d-0-3", 0);
    await gatherStates(world(tries, [node(0, "p.1", "d-0-3", 3)]), third);
    expect(sent(third)).toEqual({ name: "step-0\n", "files/.stint-steps": "0\t0\t0\n" });
  });

  it("BR-282 what follows begins from the states of all sub-jobs, in the order of their steps", async () => {
    save("d-0-2/1", "step-1", { ".stint-steps": "0\t0\ta\n1\t0\tb\n", ".stint-state/out": "one" });
    save("d-1/1", "step-3", { ".stint-steps": "2\t0\tc\n", ".stint-state/out": "two" });
    const parts = [job("d-0-2", 0), job("d-1", 1)];
    const nodes = [node(0, "p.1", "d-0-2"), node(1, "p.2", "d-1"), node(2, "post", "d-2")];
    const post = job("d-2", 2, false);
    await gatherStates(world(parts, nodes), post);
    expect(sent(post)).toEqual({
      ...{ name: "parts\n", "files/steps": "0\t0\ta\n1\t0\tb\n2\t0\tc\n" },
      ...{ "files/p.1/out": "one", "files/p.2/out": "two" },
    });
  });

  it("BR-282 no name of a node leads out of the state; lists of steps are read when it is kept", async () => {
    const names = ["../../../other/1.1", `${"é".repeat(150)}.1`];
    for (const id of ["d-0", "d-1"]) save(`${id}/1`, "step-0", { ".stint-steps": "0\t0\ta\n", out: "x" });
    const nodes = [...names.map((name, at) => node(at, name, `d-${at}`)), node(2, "post", "d-2")];
    const post = job("d-2", 2, false);
    let read = 0;
    const there = world([job("d-0", 0), job("d-1", 1)], nodes);
    const pass = async ({ mostBytes }: { readonly mostBytes: number }) => {
      read += mostBytes;
      return mostBytes;
    };
    const keep: GivenStates["keep"] = async (...state) => {
      expect(read).toBe(0);
      await given.keep(...state);
    };
    await gatherStates({ ...there, transfers: { pass }, given: { ...given, keep } }, post);
    expect(Object.keys(sent(post)).sort()).toEqual([
      "files/node-0/out",
      "files/node-1/out",
      "files/steps",
      "name",
    ]);
  });

  it("BR-282 a job does not begin without the state of a sub-job", async () => {
    save("d-0/1", "step-0", { ".stint-steps": "0\t0\t0\n" });
    const nodes = [node(0, "p.1", "d-0"), node(1, "p.2", "d-1"), node(2, "post", "d-2")];
    const gathering = gatherStates(world([job("d-0", 0), job("d-1", 1)], nodes), job("d-2", 2, false));
    await expect(gathering).rejects.toThrow("the state of p.2 cannot be read");
  });
});
