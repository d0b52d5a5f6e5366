/** What every logbook does when its views are rebuilt from the log, or compared with it. */
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { LoggedEvent, ViewChange, ViewQuery } from "../../src/runtime/index.ts";
import { compareViews, rebuildViews } from "../../src/store/index.ts";
import {
  all,
  faultOf,
  jobMoved,
  logbookImplementations,
  logbookInTest,
  projectJobs,
  testViews,
} from "./logbook-implementations.ts";

describe.each(logbookImplementations)("$name", (implementation) => {
  const here = logbookInTest(implementation);
  const keys = async (query: ViewQuery = {}) =>
    (await here.logbook.rows("jobs", query)).rows.map(({ key }) => key);

  describe("rebuilding", () => {
    const changesOf = async function* (...ids: string[]): AsyncIterable<ViewChange> {
      for (const id of ids) yield jobMoved(id, { state: "rebuilt" }).changes[0];
    };

    it("replaces all rows of all views", async () => {
      await here.logbook.commit(jobMoved("old"));
      await here.logbook.commit({
        ...jobMoved("x"),
        changes: [{ view: "accounts", key: "x", record: {}, columns: {} }],
      });
      await here.logbook.replaceViews(changesOf("a", "b", "a"));
      expect(await keys()).toEqual(["a", "b"]);
      expect(await keys({ where: { state: { is: "rebuilt" } } })).toEqual(["a", "b"]);
      expect((await here.logbook.rows("accounts", {})).rows).toEqual([]);
      await here.logbook.replaceViews(changesOf());
      expect(await keys()).toEqual([]);
    });

    it("a replacement that fails changes nothing, and the next one works", async () => {
      await here.logbook.commit(jobMoved("old"));
      const failing = async function* (): AsyncIterable<ViewChange> {
        yield* changesOf("a", "b");
        throw new Error("the projection failed");
      };
      await expect(here.logbook.replaceViews(failing())).rejects.toThrow("the projection failed");
      const unknown = { view: "nowhere", key: "a", record: {}, columns: {} };
      const bad = async function* (): AsyncIterable<ViewChange> {
        yield* changesOf("a");
        yield unknown;
      };
      expect((await faultOf(here.logbook.replaceViews(bad()))).code).toBe("commitRefused");
      expect(await keys()).toEqual(["old"]);
      await here.logbook.replaceViews(changesOf("c"));
      expect(await keys()).toEqual(["c"]);
    });

    it("commits given meanwhile wait in order; readers see what was before", async () => {
      await here.logbook.commit(jobMoved("old"));
      const early = here.logbook.commit(jobMoved("early"));
      const seen: string[][] = [];
      const late: Promise<{ seq: number }>[] = [];
      const slow = async function* (): AsyncIterable<ViewChange> {
        for (const event of await all(here.logbook.events(1))) yield* projectJobs(event);
        late.push(here.logbook.commit(jobMoved("late1")), here.logbook.commit(jobMoved("late2")));
        await sleep(20);
        seen.push(
          await keys(),
          (await all(here.logbook.events(1))).map(({ body }) => String(body.job)),
        );
      };
      await here.logbook.replaceViews(slow());
      late.push(here.logbook.commit(jobMoved("later")));
      expect(seen).toEqual([
        ["early", "old"],
        ["old", "early"],
      ]);
      expect((await Promise.all([early, ...late])).map(({ seq }) => seq)).toEqual([2, 3, 4, 5]);
      expect(await keys()).toEqual(["early", "late1", "late2", "later", "old"]);
    });

    it("two replacements at once are carried out one after the other", async () => {
      await Promise.all([
        here.logbook.replaceViews(changesOf("a")),
        here.logbook.replaceViews(changesOf("b")),
      ]);
      expect(await keys()).toEqual(["b"]);
    });

    it("rebuilt from the log, the views are what they were", async () => {
      for (let i = 0; i < 30; i++) {
        await here.logbook.commit(jobMoved(`job${i % 11}`, { state: `s${i}`, startAtMs: i }));
      }
      const gone = jobMoved("job3");
      await here.logbook.commit({
        events: [{ ...gone.events[0], kind: "jobForgotten" }],
        changes: [{ ...gone.changes[0], record: undefined }],
      });
      const before = await here.logbook.rows("jobs", { orderBy: "startAtMs" });
      const comparison = { logbook: here.logbook, schemas: testViews, project: projectJobs };
      expect(await compareViews(comparison)).toEqual([]);
      await rebuildViews(here.logbook, projectJobs);
      expect(await here.logbook.rows("jobs", { orderBy: "startAtMs" })).toEqual(before);
    });

    it("names every row that is not what the log says, its columns included", async () => {
      for (const id of ["a", "b", "c", "d", "💧", "ﬁ"])
        await here.logbook.commit(jobMoved(id, { state: "x" }));
      const [a, , c, d] = await all(here.logbook.events(1));
      await here.logbook.replaceViews(
        (async function* () {
          yield* projectJobs(a);
          yield { ...projectJobs(c)[0], record: { job: "c", state: "forged" } };
          yield { ...projectJobs(d)[0], columns: { consumer: null, state: "forged", startAtMs: null } };
          yield* jobMoved("e").changes;
          for (const id of ["💧", "ﬁ"]) yield* jobMoved(id, { state: "x" }).changes;
        })(),
      );
      const comparison = { logbook: here.logbook, schemas: testViews, project: projectJobs };
      const differences = await compareViews(comparison);
      expect(
        differences.map(({ view, key, stored, rebuilt }) => [view, key, stored?.record, rebuilt?.record]),
      ).toEqual([
        ["jobs", "b", undefined, { job: "b", state: "x" }],
        ["jobs", "c", { job: "c", state: "forged" }, { job: "c", state: "x" }],
        ["jobs", "d", { job: "d", state: "x" }, { job: "d", state: "x" }],
        ["jobs", "e", { job: "e" }, undefined],
      ]);
      expect(differences[2].stored?.columns.state).toBe("forged");
      expect(await compareViews({ ...comparison, most: 2 })).toHaveLength(2);
    });

    it("does not compare while the log grows", async () => {
      await here.logbook.commit(jobMoved("a"));
      const project = (event: LoggedEvent) => {
        void here.logbook.commit(jobMoved("b"));
        return projectJobs(event);
      };
      const fault = await faultOf(compareViews({ logbook: here.logbook, schemas: testViews, project }));
      expect(fault.code).toBe("logbookMoved");
    });
  });
});
