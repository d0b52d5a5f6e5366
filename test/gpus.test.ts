/** GPUs at this machine and at a simulated site: who has which, who waits for them, and why. */
import { describe, expect, it } from "vitest";
import { liveSetting } from "./live-setting.ts";

const forever = ["--", "sh", "-c", 'echo "[$CUDA_VISIBLE_DEVICES]"; sleep 600'];

describe("GPUs", () => {
  const { ask, status, until, end, up } = liveSetting([
    "  - { name: local, type: managed, procs: 8, gpus: 3 }",
    "  - { name: played, type: simulated, procs: 4, gpus: 1 }",
  ]);
  const submit = (...words: string[]): string => ask("submit", ...words).out.trim();
  const said = (id: string): string => ask("logs", id).out.trim();
  const running = async (...words: string[]): Promise<string> => {
    const id = submit(...words);
    await until(id, "RUNNING");
    await expect.poll(() => said(id)).toContain("]");
    return id;
  };

  it("a job has devices of its own, also after a restart; who asks for too many waits, and why", async () => {
    const first = await running("--gpus", "1", ...forever);
    const second = await running("--gpus", "1", ...forever);
    const none = await running(...forever);
    expect([said(first), said(second), said(none)]).toEqual(["[0]", "[1]", "[]"]);
    expect(status(second)).toMatchObject({ gpus: 1, gpuDevices: [1] });
    expect(ask("status", second).out).toMatch(/gpus\s+1 \(1\)/);
    const waiting = submit("--gpus", "2", "--site", "local", ...forever);
    await until(waiting, "SCHEDULED");
    expect(ask("why", waiting).out).toContain("it needs 2 GPUs; local has 1 free");
    await end("SIGKILL");
    await up();
    expect(ask("why", waiting).out).toContain("it needs 2 GPUs; local has 1 free");
    ask("cancel", first);
    await until(waiting, "RUNNING");
    await expect.poll(() => said(waiting)).toBe("[0,2]");
    expect(said(second)).toBe("[1]");
    ask("cancel", second, none, waiting);
    for (const id of [second, none, waiting]) await until(id, "CANCELLED");
  });

  it("a simulated site counts them; more than any site has is refused with what each has", async () => {
    const imitated = ["--gpus", "1", "--site", "played", "--env", "STINT_IMITATED_RUNTIME=600s", "--", "x"];
    const there = submit(...imitated);
    await until(there, "RUNNING");
    const behind = submit(...imitated);
    await until(behind, "SCHEDULED");
    await expect.poll(() => ask("why", behind).out).toContain("it needs 1 GPU; played has 0 free");
    const { code, err } = ask("submit", "--gpus", "4", "--", "true");
    expect(code).toBe(5);
    expect(err).toContain("no site is large enough for 1 processor and 4 GPUs");
    expect(err).toMatch(/local has 8 processors, .* of memory and 3 GPUs/);
    expect(ask("when", "--gpus", "2", "--site", "played").out).toContain("1 GPU in all");
    ask("cancel", there, behind);
  });
});
