/** A job that reaches its limit is run again with a longer one, also by another broker, and says so. */
import { describe, expect, it } from "vitest";
import { liveSetting } from "./live-setting.ts";

describe("retries with more", () => {
  const { ask, status, until, end, up } = liveSetting(["  - { name: local, type: managed, procs: 2 }"]);

  it("the limit grows until the job ends by itself; a restart keeps what it has", async () => {
    const id = ask("submit", "-t", "1s", "--retry-time", "60s", "--", "sleep", "3").out.trim();
    const again = () => ask("events", id).out.includes("a time limit of 2s instead of 1s");
    await expect.poll(again, { timeout: 200_000 }).toBe(true);
    await end("SIGKILL");
    await up();
    await until(id, "DONE");
    const larger = [
      { of: "time", from: 1, to: 2 },
      { of: "time", from: 2, to: 4 },
    ];
    // On a busy machine it may take another turn.
    const after = status(id);
    expect(after).toMatchObject({ result: "ok", retryTimeSec: 60 });
    expect(after).toMatchObject({ larger: expect.arrayContaining(larger) });
    expect(ask("status", id).out).toMatch(/tried with\s+time limit 1s, 2s/);
    expect(ask("events", id).out).toContain("tried again with a time limit of 4s instead of 2s");
  });
});
