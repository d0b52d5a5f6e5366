/** Jobs that start after other jobs, on a real broker, as users of sbatch --dependency write them. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { liveSetting } from "./live-setting.ts";

const kinds = [
  { kind: "this machine", site: "  - { name: here, type: managed, procs: 4 }" },
  { kind: "a cluster", site: "  - { name: far, type: simulated, procs: 4, jobs: run }" },
];

describe.each(kinds)("stint submit --after on $kind", ({ site }) => {
  const { ask, folder, status, until, end, up } = liveSetting([site]);
  const submitted = (...words: string[]): string => {
    const { out, err } = ask("submit", ...words);
    expect(err).toBe("");
    return out.trim();
  };
  const untilFile = (file: string) => ["sh", "-c", 'while [ ! -e "$0" ]; do sleep 0.05; done', file];

  it("a job waits for another, says so, and starts when that has ended, also over a crash", async () => {
    const [go, done] = [join(folder, "go"), join(folder, "done")];
    const first = submitted("--", ...untilFile(go));
    const second = submitted("--after", `ok:${first.slice(0, 8)}`, "--", "sh", "-c", `ls ${go} > ${done}`);
    const third = submitted("--after", `failed:${first}`, "--", "true");
    await until(first, "RUNNING");
    expect(ask("why", second).out).toContain(`it can start once job ${first} has ended successfully`);
    await end("SIGKILL");
    await up();
    expect([status(second).state, existsSync(done)]).toEqual(["WAITING", false]);
    writeFileSync(go, "");
    expect(ask("wait", second).code).toBe(0);
    expect(readFileSync(done, "utf8")).toBe(`${go}\n`);
    await until(third, "CANCELLED");
    expect(ask("status", third).out).toMatch(
      new RegExp(`reason +it was to start once job ${first} has failed, which can no longer happen`),
    );
  });

  it("after a job that is over it starts at once, or ends for the reason that it never can", async () => {
    const failed = submitted("--", "false");
    ask("wait", failed);
    expect(ask("wait", submitted("--after", `any:${failed},failed:${failed}`, "--", "true")).code).toBe(0);
    const never = submitted("--after", `ok:${failed}`, "--", "true");
    expect(ask("wait", never)).toMatchObject({ code: 1, out: `${never}  CANCELLED\n` });
  });

  it("a job that is not there, or a word that is no end, is told", () => {
    expect(ask("submit", "--after", "ok:nosuchjob", "--", "true")).toMatchObject({
      code: 3,
      err: expect.stringContaining("there is no job nosuchjob"),
    });
    expect(ask("submit", "--after", "good:abc", "--", "true")).toMatchObject({
      code: 2,
      err: expect.stringContaining("--after ok:7f3a"),
    });
  });
});
