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

describe("stint purge", () => {
  it("retires jobs, and tells their whole ids", async () => {
    const purged: string[] = [];
    const program = capturedProgram({
      job: async () => job,
      purgeJob: async (id) => {
        purged.push(id);
        return job;
      },
    });
    const { code, out } = await program.call("purge", "7f3a");
    expect({ code, out, purged }).toEqual({ code: 0, out: `${job.id}: purged\n`, purged: [job.id] });
  });
});

describe("stint cancel of a selection", () => {
  const jobs = ["a1", "b2"].map((id) => aJob({ id, state: "RUNNING" }));
  const programWith = (answer: boolean | undefined, items = jobs) => {
    const asked: string[] = [];
    const cancelled: string[] = [];
    const askPerson = async (question: string) => {
      asked.push(question);
      return answer === true;
    };
    const program = capturedProgram(
      {
        jobs: async () => ({ items, next: null }),
        act: async (id) => {
          cancelled.push(id);
        },
      },
      answer === undefined ? {} : { askPerson },
    );
    return { asked, cancelled, program };
  };

  it.each([
    { when: "a person says no", answer: false, words: [], asked: ["Cancel 2 jobs?"], cancelled: [] },
    {
      when: "a person says yes",
      answer: true,
      words: [],
      asked: ["Cancel 2 jobs?"],
      cancelled: ["b2", "a1"],
    },
    { when: "--yes is given", answer: false, words: ["--yes"], asked: [], cancelled: ["b2", "a1"] },
    { when: "in a pipe", answer: undefined, words: [], asked: [], cancelled: ["b2", "a1"] },
  ])("$when", async ({ answer, words, asked, cancelled }) => {
    const world = programWith(answer);
    await world.program.call("cancel", "--name", "night", ...words);
    expect({ asked: world.asked, cancelled: world.cancelled }).toEqual({ asked, cancelled });
  });

  it("of one job, and of ids, is not asked about", async () => {
    const one = programWith(false, jobs.slice(0, 1));
    await one.program.call("cancel", "--name", "night");
    expect([one.asked, one.cancelled]).toEqual([[], ["a1"]]);
    const ids = programWith(false);
    await ids.program.call("cancel", "a1", "b2");
    expect([ids.asked, ids.cancelled]).toEqual([[], ["a1", "b2"]]);
  });
});
