/** DAGs on a real broker: submitted, killed with the broker, shown as a tree, retried. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { liveSetting } from "./live-setting.ts";

const kinds = [
  { kind: "this machine", site: "  - { name: here, type: managed, procs: 4 }" },
  { kind: "a cluster", site: "  - { name: far, type: simulated, procs: 4, jobs: run }" },
];

/** JDL of a DAG whose nodes are shell commands; a node finds the folder of the test in `$FOLDER`. */
function dagText(nodes: Readonly<Record<string, string>>, dependencies: string, folder: string): string {
  const written = Object.entries(nodes).map(
    ([
      name,
      line,
    ]) => `${name} = [ description = [ Executable = "/bin/sh"; Arguments = { "-c", ${JSON.stringify(line)} };
      Environment = { "FOLDER=${folder}" }; InputSandbox = "${join(folder, "words")}" ]; retry = 1 ];`,
  );
  return `[ Type = "DAG"; VirtualOrganisation = "local"; Max_Nodes_Running = 2;
    Nodes = [ ${written.join("\n")} ]; Dependencies = ${dependencies}; ]`;
}

describe.each(kinds)("stint submit of a DAG on $kind", ({ site }) => {
  const { ask, folder, until, untilThere, end, up } = liveSetting([site]);
  const submitted = (text: string): string => {
    const file = join(folder, "a.jdl");
    writeFileSync(join(folder, "words"), "one\n");
    writeFileSync(file, text);
    const { out, err } = ask("submit", file);
    expect(err).not.toContain("nothing was submitted");
    return out.trim();
  };
  /** A node's job is there once those before it are done. */
  const started = async (id: string): Promise<void> => {
    await untilThere(id);
    await until(id, "RUNNING");
  };
  const seen = (id: string) => JSON.parse(ask("status", id, "-o", "json").out);

  it("a diamond runs in its order over a kill of the broker, and its tree says where it is", async () => {
    const go = join(folder, `go-${site.length}`);
    const wait = `while [ ! -e ${go} ]; do sleep 0.05; done`;
    const nodes = { a: "cat words", b: wait, c: wait, d: "echo $STINT_DAG_NODE $STINT_DAG_TRY" };
    const id = submitted(dagText(nodes, "{ { a, { b, c } }, { { b, c }, d } }", folder));
    await started(`${id}-1`);
    await started(`${id}-2`);
    const list = ask("list").out.trim().split("\n");
    expect(list).toHaveLength(2);
    expect(list[1]).toMatch(new RegExp(`^${id}.*RUNNING \\(WAITING 1, RUNNING 2, DONE 1\\)`));
    await end("SIGKILL");
    await up();
    const tree = ask("status", id.slice(0, 8)).out;
    expect(tree).toMatch(
      /a +DONE +\w+-0\n +b +RUNNING +\w+-1\n +c +RUNNING +\w+-2\n +d +WAITING +- +after b, c/,
    );
    expect(ask("list", "--array", id, "-o", "name").out.trim().split("\n")).toHaveLength(3);
    writeFileSync(go, "");
    expect(ask("wait", id)).toMatchObject({ code: 0, out: `${id}  DONE (ok)\n` });
    expect(seen(id)).toMatchObject({ state: "DONE", result: "ok", states: { DONE: 4 } });
    expect(ask("logs", `${id.slice(0, 8)}-3`).out).toBe("d 1\n");
  });

  it("a failed node is tried again, and retry goes on from there when the DAG is over", async () => {
    const good = join(folder, `good-${site.length}`);
    const nodes = { a: "exit 0", b: `[ -e ${good} ] || exit 3`, c: "cat words" };
    const id = submitted(dagText(nodes, "{ { a, b }, { b, c } }", folder));
    expect(ask("wait", id).code).toBe(1);
    expect(ask("status", id).out).toMatch(/b +FAILED \(exit 3\) +\w+-1-2 +2 tries\n +c +FUTILE/);
    expect(ask("retry", `${id}:a`).code).toBe(5);
    writeFileSync(good, "");
    await end("SIGKILL");
    await up();
    expect(ask("retry", id)).toMatchObject({ code: 0, out: `${id}: 2 nodes to run again\n` });
    expect(ask("wait", id).code).toBe(0);
    expect(ask("logs", `${id}-2`).out).toBe("one\n");
    expect(ask("output", id, "--to", `out-${id}`)).toMatchObject({ code: 0 });
  });

  it("the whole and single nodes are held, released and cancelled", async () => {
    const nodes = { a: "sleep 600", b: "true", c: "true" };
    const id = submitted(dagText(nodes, "{ { a, b } }", folder));
    await started(`${id}-0`);
    expect(ask("hold", `${id}:b`)).toMatchObject({ code: 0, out: `${id}:b: held\n` });
    expect(seen(id)).toMatchObject({ states: { HELD: 1 } });
    expect(ask("hold", `${id}:x`).err).toContain("has no node x");
    expect(ask("hold", id).code).toBe(0);
    expect(seen(id)).toMatchObject({ state: "HELD" });
    expect(ask("release", id).code).toBe(0);
    expect(ask("cancel", id).code).toBe(0);
    ask("wait", id);
    expect(seen(id)).toMatchObject({ state: "CANCELLED", result: "failed" });
    expect(ask("cancel", id).code).toBe(5);
  });

  it("a cycle and a node that does not fit are refused with their names, and nothing is submitted", () => {
    const file = join(folder, "bad.jdl");
    writeFileSync(file, dagText({ a: "true", b: "true" }, "{ { a, b }, { b, a } }", folder));
    expect(ask("submit", file)).toMatchObject({ code: 2, err: expect.stringContaining("a → b → a") });
    writeFileSync(
      file,
      `[ Type = "DAG"; VirtualOrganisation = "local"; Dependencies = {};
        Nodes = [ big = [ description = [ Executable = "true"; CpuNumber = 99 ] ] ]; ]`,
    );
    expect(ask("submit", file)).toMatchObject({ code: 5, err: expect.stringContaining("node big") });
  });
});
