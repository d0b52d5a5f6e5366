import { describe, expect, it } from "vitest";
import { aFault, aJob, capturedProgram } from "../../test/captured-program.ts";
import { Fault } from "../base/index.ts";

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

describe("the jobs of an array or a DAG", () => {
  const jobs = ["a-0", "a-1"].map((id) => aJob({ id, state: "DONE", result: "ok", exitCode: 0 }));
  const wholes = { arr: ["isArray", { size: 2 }], dag: ["isDag", { dag: {} }] } as const;

  it.each(["arr", "dag"] as const)(
    "are cleared, purged and read by the id of the whole (%s)",
    async (whole) => {
      const acted: string[] = [];
      const [code, view] = wholes[whole];
      const find = async () => ({ id: whole, ...view }) as never;
      const program = capturedProgram({
        ...{ array: find, dag: find },
        job: async (id) => {
          if (id === whole) throw new Fault({ kind: "refused", code, what: "it", why: "so", remedy: "none" });
          return jobs.find((one) => one.id === id) ?? job;
        },
        jobs: async () => ({ items: jobs.toReversed(), next: null }),
        clearFiles: async (id) => {
          acted.push(`clear ${id}`);
          if (id === "a-0") throw aFault("refused", "jobNotOver");
          return [];
        },
        purgeJob: async (id) => {
          acted.push(`purge ${id}`);
          return job;
        },
        readFile: async function* (id) {
          yield new TextEncoder().encode(`of ${id}\n`);
        },
      });
      const { out, code: exit } = await program.call("clear", whole);
      expect([out, exit > 0]).toEqual(["a-1: cleared\n", true]);
      await program.call("purge", whole, "a-1");
      expect(acted).toEqual(["clear a-0", "clear a-1", "purge a-0", "purge a-1"]);
      expect((await program.call("logs", whole)).out).toBe("==> a-0 <==\nof a-0\n==> a-1 <==\nof a-1\n");
    },
  );
});

describe("stint purge of an array", () => {
  it.each([
    { words: [], asked: ["Purge 2 jobs?"], purged: [] },
    { words: ["--yes"], asked: [], purged: ["a-0", "a-1"] },
  ])("$words: asks $asked", async ({ words, asked, purged }) => {
    const questions: string[] = [];
    const retired: string[] = [];
    const members = ["a-1", "a-0"].map((id) => aJob({ id, state: "DONE" }));
    const askPerson = async (question: string) => questions.push(question) === 0;
    const program = capturedProgram(
      {
        job: async (id) => {
          if (id === "a") {
            throw new Fault({ kind: "refused", code: "isArray", what: "it", why: "so", remedy: "none" });
          }
          return aJob({ id, state: "DONE" });
        },
        array: async () => ({ id: "a", size: 2 }) as never,
        jobs: async () => ({ items: members, next: null }),
        purgeJob: async (id) => {
          retired.push(id);
          return aJob({ id });
        },
      },
      { askPerson },
    );
    await program.call("purge", "a", ...words);
    expect({ asked: questions, purged: retired }).toEqual({ asked, purged });
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
