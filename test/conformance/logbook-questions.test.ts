/** How every logbook answers questions about its views. */
import { beforeEach, describe, expect, it } from "vitest";
import { Fault } from "../../src/base/index.ts";
import type { ViewQuery } from "../../src/runtime/index.ts";
import { logbookImplementations, logbookInTest } from "./logbook-implementations.ts";

interface Job {
  readonly id: string;
  readonly consumer?: string;
  readonly state?: string;
  readonly startAtMs?: number;
}

const jobs: readonly Job[] = [
  { id: "j1", consumer: "cms", state: "running", startAtMs: 30 },
  { id: "j2", consumer: "cms/higgs", state: "waiting" },
  { id: "j3", consumer: "cms2", state: "running", startAtMs: -10 },
  { id: "j4", consumer: "cms/higgs/a", state: "done", startAtMs: 30 },
  { id: "j5", consumer: "CMS", state: "waiting" },
  { id: "j6", startAtMs: 0 },
  { id: "k%_7", consumer: "cms/%", state: "done", startAtMs: 2 ** 53 - 1 },
];

describe.each(logbookImplementations)("$name", (implementation) => {
  const here = logbookInTest(implementation);

  async function put(...rows: readonly Job[]): Promise<void> {
    const changes = rows.map(({ id, consumer = null, state = null, startAtMs = null }) => ({
      view: "jobs",
      key: id,
      record: { id },
      columns: { consumer, state, startAtMs },
    }));
    const event = { kind: "jobsPut", version: 1, atMs: 0, body: {} };
    await here.logbook.commit({ events: [event], changes });
  }
  const page = (query: ViewQuery) => here.logbook.rows("jobs", query);
  const keys = async (query: ViewQuery) => (await page(query)).rows.map(({ key }) => key);
  async function pages(query: ViewQuery): Promise<string[][]> {
    const list: string[][] = [];
    let after: string | undefined;
    do {
      const { rows, next } = await page({ ...query, ...(after !== undefined && { after }) });
      list.push(rows.map(({ key }) => key));
      after = next;
    } while (after !== undefined);
    return list;
  }

  describe("questions", () => {
    beforeEach(() => put(...jobs));

    it("without conditions gives all, each with its record and its columns", async () => {
      const { rows, next } = await page({});
      expect(rows.map(({ key }) => key)).toEqual(jobs.map(({ id }) => id));
      expect(rows[2]).toEqual({
        key: "j3",
        record: { id: "j3" },
        columns: { consumer: "cms2", state: "running", startAtMs: -10 },
      });
      expect(next).toBeUndefined();
    });

    it.each<[string, NonNullable<ViewQuery["where"]>, string]>([
      ["is a text", { state: { is: "running" } }, "j1 j3"],
      ["is a number", { startAtMs: { is: 30 } }, "j1 j4"],
      ["is null", { startAtMs: { is: null } }, "j2 j5"],
      ["is, by case", { consumer: { is: "CMS" } }, "j5"],
      ["is one of several", { state: { oneOf: ["waiting", "done", "never"] } }, "j2 j4 j5 k%_7"],
      ["is one of several numbers", { startAtMs: { oneOf: [0, 30] } }, "j1 j4 j6"],
      ["is one of none", { state: { oneOf: [] } }, ""],
      ["lies within a path", { consumer: { within: "cms" } }, "j1 j2 j4 k%_7"],
      ["lies within a deeper path", { consumer: { within: "cms/higgs" } }, "j2 j4"],
      ["lies within a name of wildcards", { consumer: { within: "cms/%" } }, "k%_7"],
      ["is at least", { startAtMs: { atLeast: 0 } }, "j1 j4 j6 k%_7"],
      ["is at least the greatest", { startAtMs: { atLeast: 2 ** 53 - 1 } }, "k%_7"],
      ["begins so", { consumer: { beginsWith: "cms" } }, "j1 j2 j3 j4 k%_7"],
      ["begins with nothing: any text", { consumer: { beginsWith: "" } }, "j1 j2 j3 j4 j5 k%_7"],
      ["begins so, on the key", { key: { beginsWith: "k%" } }, "k%_7"],
      ["has a part", { consumer: { contains: ["higgs"] } }, "j2 j4"],
      ["has each part, by case", { consumer: { contains: ["s/", "CMS"] } }, ""],
      ["has a part of wildcards", { consumer: { contains: ["%"] } }, "k%_7"],
      ["is, on the key", { key: { is: "j2" } }, "j2"],
      ["both hold", { state: { is: "running" }, consumer: { within: "cms" } }, "j1"],
    ])("a condition: %s", async (_, where, found) => {
      expect((await keys({ where })).join(" ")).toBe(found);
      expect((await keys({ where, descending: true })).reverse().join(" ")).toBe(found);
    });

    it("what stands right behind a path or a beginning is not in it", async () => {
      await put({ id: "1", consumer: "cms0" }, { id: "2", consumer: "cms/" }, { id: "3", consumer: "cmt" });
      expect(await keys({ where: { consumer: { within: "cms" } } })).toEqual(["2", "j1", "j2", "j4", "k%_7"]);
      const where = { consumer: { beginsWith: "cms" }, startAtMs: { is: null } };
      expect(await keys({ where })).toEqual(["1", "2", "j2"]);
    });

    it("orders by a column, nulls first, ties by key; descending is the reverse", async () => {
      const byStart = "j2 j5 j3 j6 j1 j4 k%_7".split(" ");
      expect(await keys({ orderBy: "startAtMs" })).toEqual(byStart);
      expect(await keys({ orderBy: "startAtMs", descending: true })).toEqual(byStart.toReversed());
      expect(await keys({ orderBy: "consumer" })).toEqual("j6 j5 j1 k%_7 j2 j4 j3".split(" "));
    });

    it("orders text by code points", async () => {
      await put({ id: "ﬁ" }, { id: "💧" }, { id: "Z" }, { id: "z" }, { id: "é" }, { id: "💧a" }, { id: "" });
      const where = { state: { is: null }, startAtMs: { is: null } };
      expect(await keys({ where })).toEqual(["", "Z", "z", "é", "ﬁ", "💧", "💧a"]);
      await put({ id: "1", state: "ﬁ" }, { id: "2", state: "💧" }, { id: "3", state: "💦" });
      expect((await keys({ orderBy: "state" })).slice(-3)).toEqual(["1", "3", "2"]);
      expect(await keys({ where: { state: { beginsWith: "💧" } } })).toEqual(["2"]);
    });

    it.each<[string, ViewQuery]>([
      ["by key", {}],
      ["by key, descending", { descending: true }],
      ["by a column with nulls", { orderBy: "startAtMs" }],
      ["by a column with nulls, descending", { orderBy: "startAtMs", descending: true }],
      ["with a condition", { orderBy: "state", where: { consumer: { within: "cms" } } }],
    ])("ST-11 pages of every size give each row once, in order: %s", async (_, query) => {
      const whole = await keys(query);
      for (let limit = 1; limit <= jobs.length + 1; limit++) {
        const parts = await pages({ ...query, limit });
        expect(parts.flat()).toEqual(whole);
        expect(parts).toHaveLength(Math.max(1, Math.ceil(whole.length / limit)));
      }
    });

    it("ST-11 rows that come and go between two pages neither repeat nor hide others", async () => {
      const first = await page({ orderBy: "startAtMs", limit: 4 });
      expect(first.rows.map(({ key }) => key)).toEqual(["j2", "j5", "j3", "j6"]);
      await put({ id: "j0" }, { id: "a", startAtMs: -50 }, { id: "j6b", startAtMs: 0 });
      await put({ id: "j6", startAtMs: -99 });
      const next = await keys({ orderBy: "startAtMs", limit: 4, after: first.next ?? "" });
      expect(next).toEqual(["j6b", "j1", "j4", "k%_7"]);
    });

    it("ST-11 a page has at most 100 rows unless it is said otherwise, and at most 1000", async () => {
      const many = Array.from({ length: 1_200 }, (_, i) => ({ id: `m${String(i).padStart(4, "0")}` }));
      await put(...many);
      expect(await keys({})).toHaveLength(100);
      expect(await keys({ limit: 1000 })).toHaveLength(1000);
      expect((await pages({ limit: 1000 })).map(({ length }) => length)).toEqual([1000, 207]);
    });

    it.each<[string, ViewQuery]>([
      ["an unknown column", { where: { nowhere: { is: 1 } } }],
      ["an unknown order", { orderBy: "record" }],
      ["text about numbers", { where: { startAtMs: { is: "soon" } } }],
      ["a number about text", { where: { state: { oneOf: ["a", 1] } } }],
      ["a path of numbers", { where: { startAtMs: { within: "cms" } } }],
      ["a beginning of numbers", { where: { startAtMs: { beginsWith: "1" } } }],
      ["a part of numbers", { where: { startAtMs: { contains: ["1"] } } }],
      ["at least, of text", { where: { state: { atLeast: 1 } } }],
      ["a page of none", { limit: 0 }],
      ["a page of 1001", { limit: 1001 }],
      ["half a page", { limit: 1.5 }],
      ["a cursor that is none", { after: "€" }],
      ["a cursor of something else", { after: Buffer.from("{}").toString("base64url") }],
    ])("refuses a question that the view cannot answer: %s", async (_, query) => {
      await expect(page(query)).rejects.toMatchObject({ code: "badQuery" });
      await expect(page(query)).rejects.toBeInstanceOf(Fault);
    });

    it("refuses an unknown view, and the cursor of another order", async () => {
      await expect(here.logbook.rows("nowhere", {})).rejects.toMatchObject({ code: "badQuery" });
      await expect(here.logbook.record("nowhere", "a")).rejects.toMatchObject({ code: "badQuery" });
      const after = (await page({ limit: 2, orderBy: "state" })).next ?? "";
      await expect(page({ after })).rejects.toMatchObject({ code: "badQuery" });
      await expect(page({ after, orderBy: "state", descending: true })).rejects.toMatchObject({
        code: "badQuery",
      });
    });
  });
});
