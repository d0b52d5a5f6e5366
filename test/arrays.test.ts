/** Job arrays on a real broker, as users of sbatch --array work with them. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { liveSetting } from "./live-setting.ts";

const kinds = [
  { kind: "this machine", site: "  - { name: here, type: managed, procs: 4 }" },
  { kind: "a cluster", site: "  - { name: far, type: simulated, procs: 4, jobs: run }" },
];

describe.each(kinds)("stint submit --array on $kind", ({ site }) => {
  const { ask, folder, until, end, up } = liveSetting([site]);
  const submitted = (...words: string[]): string => {
    const { out, err } = ask("submit", ...words);
    expect(err).toBe("");
    return out.trim();
  };
  const states = (id: string) => JSON.parse(ask("status", id, "-o", "json").out);

  it("each job has its index and input, its output is fetched, and what depends on all starts", async () => {
    const input = join(folder, "words");
    writeFileSync(input, "zero\none\ntwo\n");
    const program = 'sed -n "$((STINT_ARRAY_INDEX + 1))p" words; echo $STINT_ARRAY_ID $SLURM_ARRAY_TASK_ID';
    const id = submitted("-a", "0-2", "--input", input, "--", "sh", "-c", program);
    const after = submitted("--after", `ok:${id.slice(0, 8)}`, "--", "true");
    expect(ask("wait", id, after).code).toBe(0);
    expect(states(id)).toMatchObject({ size: 3, states: { DONE: 3 }, failed: 0 });
    expect(ask("output", id, "--to", `out-${id}`)).toMatchObject({ code: 0, err: "" });
    const fetched = [0, 1, 2].map((index) =>
      readFileSync(join(folder, `out-${id}`, `${index}`, "stdout"), "utf8"),
    );
    expect(fetched).toEqual([`zero\n${id} 0\n`, `one\n${id} 1\n`, `two\n${id} 2\n`]);
    expect(ask("status", `${id.slice(0, 8)}-1`).out).toMatch(/state +DONE \(ok\)/);
  });

  it("so many run at once, the others say why they wait, and a crash changes nothing", async () => {
    const go = join(folder, `go-${site.length}`);
    const words = ["sh", "-c", `while [ ! -e ${go} ]; do sleep 0.05; done; exit $((STINT_ARRAY_INDEX == 3))`];
    const id = submitted("--name", "night", "-a", "1-5%2", "--", ...words);
    await until(`${id}-1`, "RUNNING");
    await until(`${id}-2`, "RUNNING");
    const expected = { RUNNING: 2, WAITING: 3, DONE: 0 };
    expect(states(id).states).toMatchObject(expected);
    expect(ask("why", `${id}-4`).out).toContain(`the array ${id} lets at most 2 of its jobs run at once`);
    const list = ask("list", "--name", "night").out.trim().split("\n");
    expect(list).toHaveLength(2);
    expect(list[1]).toMatch(new RegExp(`^${id}.* WAITING 3, RUNNING 2 `));
    expect(ask("list", "--name", "night", "--expand").out.trim().split("\n")).toHaveLength(6);
    expect(ask("list", "--array", id, "--state", "waiting", "-o", "name").out.trim().split("\n")).toEqual([
      ...[`${id}-5`, `${id}-4`, `${id}-3`],
    ]);
    await end("SIGKILL");
    await up();
    expect(states(id).states).toMatchObject(expected);
    expect(existsSync(go)).toBe(false);
    expect(ask("output", id)).toMatchObject({
      code: 5,
      err: expect.stringContaining("WAITING 3, RUNNING 2"),
    });
    writeFileSync(go, "");
    expect(ask("wait", id).code).toBe(1);
    expect(states(id)).toMatchObject({ states: { DONE: 5, WAITING: 0 }, failed: 1 });
  });

  it("all are held, released and cancelled by the array's id", async () => {
    const id = submitted("-a", "0-9%1", "--", "sleep", "600");
    await until(`${id}-0`, "RUNNING");
    expect(ask("hold", id)).toMatchObject({ code: 0, out: `${id}: held (9 jobs)\n` });
    expect(states(id).states).toMatchObject({ RUNNING: 1, HELD: 9 });
    expect(ask("release", id).out).toBe(`${id}: released (9 jobs)\n`);
    expect(ask("release", id)).toMatchObject({
      code: 5,
      err: expect.stringContaining("none of them is held"),
    });
    expect(ask("cancel", id).code).toBe(0);
    ask("wait", id);
    expect(states(id).states).toMatchObject({ CANCELLED: 10 });
  });

  it("what is for one job says that the id is an array's, and odd indexes are refused", () => {
    const id = submitted("-a", "7", "--", "true");
    expect(ask("provenance", id).err).toContain(`name one, for instance ${id}-7`);
    for (const [indexes, why] of [
      ["5-1", "a range ends before it begins"],
      ["0-100000", "an array has at most 100000 jobs"],
      ["x", "indexes are numbers, ranges and steps"],
    ]) {
      const { code, err } = ask("submit", "-a", indexes ?? "", "--", "true");
      expect([code === 0, err]).toEqual([false, expect.stringContaining(why ?? "")]);
    }
  });
});
