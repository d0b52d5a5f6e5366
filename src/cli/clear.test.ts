import { describe, expect, it } from "vitest";
import { aFault, aJob, capturedProgram } from "../../test/captured-program.ts";

const job = aJob({ state: "DONE", result: "ok", exitCode: 0 });

function programOf(isOver = true) {
  const cleared: string[] = [];
  const program = capturedProgram({
    job: async () => job,
    clearFiles: async (id) => {
      if (!isOver) throw aFault("refused", "jobNotOver");
      cleared.push(id);
      return [];
    },
  });
  return { cleared, program };
}

describe("stint clear", () => {
  it("removes what jobs have left, and tells their whole ids", async () => {
    const { cleared, program } = programOf();
    const { code, out } = await program.call("clear", "7f3a");
    expect({ code, out }).toEqual({ code: 0, out: `${job.id}: cleared\n` });
    expect(cleared).toEqual([job.id]);
    const { out: json } = await program.call("clear", "7f3a", "-o", "json");
    expect(JSON.parse(json)).toEqual({ items: [{ id: job.id }], next: null });
    expect((await program.call("clear", "7f3a", "-o", "name")).out).toBe(`${job.id}\n`);
  });

  it("a job that is not over is told on stderr", async () => {
    const { program } = programOf(false);
    const { code, out, err } = await program.call("clear", "7f3a");
    expect(code).not.toBe(0);
    expect(out).toBe("");
    expect(err).toContain("stint:");
  });
});
