/** Waiting jobs that are changed, on a real broker, as users of scontrol update or qalter do. */
import { describe, expect, it } from "vitest";
import { liveSetting } from "./live-setting.ts";

describe("stint edit", () => {
  const { ask, status, until, end, up } = liveSetting([
    "  - { name: here, type: managed, procs: 4 }",
    "  - { name: far, type: simulated, procs: 64, jobs: run }",
  ]);
  const submitted = (...words: string[]): string => ask("submit", ...words).out.trim();

  it("a waiting job gets other needs, keeps them over a crash, and its events name the change", async () => {
    const first = submitted("-n", "4", "-t", "1h", "--site", "here", "--", "sleep", "600");
    await until(first, "RUNNING");
    const id = submitted("-n", "4", "-t", "1h", "--site", "here", "--name", "day", "--", "true");
    await until(id, "SCHEDULED");
    const { code, out } = ask(
      "edit",
      id.slice(0, 8),
      "-t",
      "20m",
      "-n",
      "2",
      "--name",
      "night",
      "--tag",
      "urgent",
    );
    expect({ code, out }).toEqual({
      code: 0,
      out: expect.stringMatching(/name +night\n(.*\n)*time limit +20m/),
    });
    await until(id, "SCHEDULED");
    await end("SIGKILL");
    await up();
    const expected = { name: "night", procs: 2, wallTimeSec: 1200, userTags: { urgent: "" }, site: "here" };
    expect(status(id)).toMatchObject(expected);
    expect(ask("list", "--name", "night", "-o", "name").out).toBe(`${id}\n`);
    expect(ask("events", id).out).toMatch(/changed: 2 processors, time limit 20m, name night, tags urgent/);
    ask("cancel", first);
    expect(ask("wait", id).code).toBe(0);
  });

  it("a priority is refused where the queue has none", async () => {
    const first = submitted("-n", "4", "--site", "here", "--", "sleep", "600");
    await until(first, "RUNNING");
    const second = submitted("-n", "4", "--site", "here", "--", "true");
    await until(second, "SCHEDULED");
    expect(ask("edit", second, "--priority", "7")).toMatchObject({
      code: 5,
      err: expect.stringContaining(
        "the queue of here has no priorities: jobs are served in order of arrival",
      ),
    });
    expect(ask("edit", second, "--priority", "0").code).toBe(2);
    ask("cancel", first, second);
  });

  it("a job in a cluster's queue gets other needs there, or at another site", async () => {
    const far = submitted("--site", "far", "-n", "64", "--", "sleep", "600");
    await until(far, "RUNNING");
    const queued = submitted("--site", "far", "--", "true");
    await until(queued, "SCHEDULED");
    expect(ask("edit", queued, "-t", "1h", "-n", "2")).toMatchObject({
      code: 0,
      out: expect.stringMatching(/procs +2\n(.*\n)*time limit +1h/),
    });
    await until(queued, "SCHEDULED");
    expect(status(queued)).toMatchObject({ site: "far", procs: 2, wallTimeSec: 3600, attempt: 2 });
    expect(ask("events", queued).out).toContain("change requested: 2 processors, time limit 1h");
    expect(ask("edit", queued, "--site", "here").code).toBe(0);
    expect(ask("wait", queued).code).toBe(0);
    expect(status(queued)).toMatchObject({ site: "here", result: "ok" });
    ask("cancel", far);
  });

  it("a job that runs is refused with the reason", async () => {
    const running = submitted("--site", "here", "--", "sleep", "600");
    await until(running, "RUNNING");
    expect(ask("edit", running, "-n", "2")).toMatchObject({
      code: 5,
      err: expect.stringContaining("it is RUNNING, and only jobs that have not started can be changed"),
    });
    expect(ask("edit", running).code).toBe(2);
    ask("cancel", running);
  });
});
