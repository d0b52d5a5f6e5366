/** Lists of jobs as people ask for them, on a real broker: stretches of time, orders, chosen columns. */
import { describe, expect, it } from "vitest";
import { liveSetting } from "./live-setting.ts";

interface Listed {
  readonly id: string;
  readonly submittedAt: string;
  readonly endedAt: string;
}

describe("stint list", () => {
  const { ask } = liveSetting(["  - { name: here, type: managed, procs: 2 }"]);
  const submitted = (name: string, ...command: string[]): string =>
    ask("submit", "--name", name, "--", ...command).out.trim();
  const found = (...words: string[]): string[] =>
    ask("list", "-o", "name", ...words)
      .out.split("\n")
      .filter((id) => id !== "");

  it("selects by submission or end, from an instant and before one; sorts, page by page", () => {
    const slow = submitted("c", "sleep", "2");
    const quick = submitted("a", "true");
    ask("wait", quick, slow);
    const waiting = submitted("b", "sleep", "600");
    const failed = submitted("b", "false");
    ask("wait", failed);
    const jobs: readonly Listed[] = JSON.parse(ask("list", "-o", "json").out).items;
    const by = new Map(jobs.map((job) => [job.id, job]));
    const [whenSlow, whenQuick] = [by.get(slow), by.get(quick)];
    expect(found()).toEqual([failed, waiting, quick, slow]);
    expect(found("--until", whenQuick?.submittedAt ?? "")).toEqual([slow]);
    expect(found("--since", whenQuick?.submittedAt ?? "")).toEqual([failed, waiting, quick]);
    const ended = ["--time", "ended"];
    expect(found(...ended, "--until", whenSlow?.endedAt ?? "")).toEqual([quick]);
    expect(found(...ended, "--since", whenSlow?.endedAt ?? "")).toEqual([failed, slow]);
    expect(found("--sort", "-ended")).toEqual([failed, slow, quick, waiting]);
    expect(found("--sort", "ended")).toEqual([waiting, quick, slow, failed]);
    const names = found("--sort", "name");
    expect(names).toEqual([quick, ...[waiting, failed].toSorted(), slow]);
    expect(found("--state", "running,done", "--state", "cancelled")).toHaveLength(4);
    expect(found("--state", "done,cancelled")).not.toContain(waiting);
    const page = JSON.parse(ask("list", "--sort", "name", "--limit", "3", "-o", "json").out);
    const rest = found("--sort", "name", "--cursor", page.next);
    expect([...page.items.map(({ id }: Listed) => id), ...rest]).toEqual(names);
    const table = ask("list", "--columns", "name,state,owner", "--sort", "-name", "--limit", "1").out;
    expect(table).toMatch(/^NAME {2}STATE {6,}OWNER\nc {5}DONE \(ok\) {2,}\S+\n$/);
    expect(ask("list", "--sort", "name", "--cursor", "x").code).toBe(2);
    ask("cancel", waiting);
  });
});
