/** What every logbook does with the log, with people, and when it is closed. */
import { describe, expect, it } from "vitest";
import type { Commit, EventSearch, JsonObject, LoggedEvent, ViewQuery } from "../../src/runtime/index.ts";
import { emptyHead, verifyChain } from "../../src/store/index.ts";
import { all, faultOf, jobMoved, logbookImplementations, logbookInTest } from "./logbook-implementations.ts";

describe.each(logbookImplementations)("$name", (implementation) => {
  const here = logbookInTest(implementation);
  const keys = async (query: ViewQuery = {}) =>
    (await here.logbook.rows("jobs", query)).rows.map(({ key }) => key);
  const kinds = async (fromSeq = 1) => (await all(here.logbook.events(fromSeq))).map(({ kind }) => kind);

  describe("the log", () => {
    it("ST-1 is empty at first: head 0 with 64 zeros", async () => {
      expect(await here.logbook.head()).toEqual({ seq: 0, hash: "0".repeat(64) });
      expect(await all(here.logbook.events(1))).toEqual([]);
    });

    it("ST-1 numbers events from 1 without gaps, several to a commit", async () => {
      const [first, second] = [jobMoved("a"), jobMoved("b")];
      const receipt = await here.logbook.commit({ ...first, events: [...first.events, ...second.events] });
      expect(receipt.seq).toBe(2);
      expect((await here.logbook.commit(jobMoved("c"))).seq).toBe(3);
      const events = await all(here.logbook.events(1));
      expect(events.map(({ seq }) => seq)).toEqual([1, 2, 3]);
      expect(events.map(({ body }) => body.job)).toEqual(["a", "b", "c"]);
      expect(await here.logbook.head()).toEqual({ seq: 3, hash: events[2].hash });
    });

    it("ST-1 keeps the order of calls when 300 commits are given at once", async () => {
      const names = Array.from({ length: 300 }, (_, i) => `job${i}`);
      const receipts = await Promise.all(names.map((id) => here.logbook.commit(jobMoved(id))));
      expect(receipts.map(({ seq }) => seq)).toEqual(names.map((_, i) => i + 1));
      const events = await all(here.logbook.events(1));
      expect(events.map(({ body }) => body.job)).toEqual(names);
      expect(events.map(({ hash }) => hash)).toEqual(receipts.map(({ hash }) => hash));
    });

    it("ST-2 every hash follows from the event and the hash before it", async () => {
      for (let i = 0; i < 20; i++)
        await here.logbook.commit(jobMoved(`job${i % 7}`, { z: i, a: [1, { y: null }] }));
      const head = await here.logbook.head();
      expect(await verifyChain(here.logbook.events(1), { through: head })).toEqual({ kind: "intact", head });
      const [, tenth] = await all(here.logbook.events(9));
      const verdict = await verifyChain(here.logbook.events(11), { after: tenth });
      expect(verdict).toEqual({ kind: "intact", head });
    });

    it("is searched by instants and by a word, in both orders, page by page", async () => {
      for (const [i, id] of ["a", "b", "a", "ab", "a", "b"].entries()) {
        const { events, changes } = jobMoved(id);
        await here.logbook.commit({ changes, events: events.map((event) => ({ ...event, atMs: 1000 * i })) });
      }
      const found = async (search: Partial<EventSearch>) => {
        const { events, next } = await here.logbook.search({ isNewestFirst: false, limit: 100, ...search });
        return [events.map(({ seq }) => seq), next];
      };
      expect(await found({})).toEqual([[1, 2, 3, 4, 5, 6], undefined]);
      expect(await found({ isNewestFirst: true })).toEqual([[6, 5, 4, 3, 2, 1], undefined]);
      expect(await found({ names: "a" })).toEqual([[1, 3, 5], undefined]);
      expect(await found({ names: 'a"' })).toEqual([[], undefined]);
      expect(await found({ sinceMs: 1000, untilMs: 4000 })).toEqual([[2, 3, 4], undefined]);
      expect(await found({ sinceMs: 999_999 })).toEqual([[], undefined]);
      expect(await found({ names: "a", limit: 2 })).toEqual([[1, 3], 3]);
      expect(await found({ names: "a", limit: 2, after: 3 })).toEqual([[5], undefined]);
      expect(await found({ isNewestFirst: true, names: "a", limit: 2 })).toEqual([[5, 3], 3]);
      expect(await found({ isNewestFirst: true, names: "a", limit: 2, after: 3 })).toEqual([[1], undefined]);
      expect(await found({ isNewestFirst: true, after: 3, sinceMs: 1000 })).toEqual([[2], undefined]);
      const [first] = (await here.logbook.search({ isNewestFirst: false, limit: 1 })).events;
      expect([first]).toEqual((await all(here.logbook.events(1))).slice(0, 1));
    });

    it("ST-3 events and views appear together", async () => {
      await here.logbook.commit(jobMoved("a", { state: "waiting" }));
      await here.logbook.commit(jobMoved("a", { state: "running" }));
      expect(await here.logbook.record("jobs", "a")).toEqual({ job: "a", state: "running" });
      expect(await keys({ where: { state: { is: "waiting" } } })).toEqual([]);
      const gone = { view: "jobs", key: "a", record: undefined, columns: {} };
      await here.logbook.commit({ ...jobMoved("b"), changes: [gone] });
      expect(await here.logbook.record("jobs", "a")).toBeUndefined();
      expect(await keys()).toEqual([]);
    });

    it("ST-3 of several changes to one row in one commit the last one stays", async () => {
      const [change] = jobMoved("a", { state: "first" }).changes;
      const gone = { ...change, record: undefined };
      await here.logbook.commit({
        ...jobMoved("a"),
        changes: [change, gone, ...jobMoved("a").changes, gone],
      });
      expect(await keys()).toEqual([]);
      await here.logbook.commit({ ...jobMoved("a"), changes: [gone, change] });
      expect(await here.logbook.record("jobs", "a")).toEqual({ job: "a", state: "first" });
    });

    const good = jobMoved("good").changes[0];
    const event = jobMoved("refused").events[0];
    const columns = { consumer: null, state: null, startAtMs: null };
    it.each<[string, Partial<Commit>]>([
      ["no event", { events: [] }],
      ["an unknown view", { changes: [good, { ...good, view: "nowhere" }] }],
      ["an unknown column", { changes: [good, { ...good, columns: { ...columns, more: 1 } }] }],
      ["a column left out", { changes: [good, { ...good, columns: { consumer: "cms", state: null } }] }],
      ["text in an integer column", { changes: [{ ...good, columns: { ...columns, startAtMs: "soon" } }] }],
      ["a number in a text column", { changes: [{ ...good, columns: { ...columns, state: 7 } }] }],
      [
        "a fraction in an integer column",
        { changes: [{ ...good, columns: { ...columns, startAtMs: 0.5 } }] },
      ],
      ["an integer beyond 2^53", { changes: [{ ...good, columns: { ...columns, startAtMs: 2 ** 53 } }] }],
      ["half a character in a column", { changes: [{ ...good, columns: { ...columns, state: "\ud83d" } }] }],
      ["half a character in a key", { changes: [{ ...good, key: "\ude00" }] }],
      ["a record that is a list", { changes: [{ ...good, record: [] as unknown as JsonObject }] }],
      ["a kind without a name", { events: [event, { ...event, kind: "" }] }],
      ["version 0", { events: [event, { ...event, version: 0 }] }],
      ["an instant between milliseconds", { events: [event, { ...event, atMs: 0.5 }] }],
      ["NaN in a body", { events: [event, { ...event, body: { deep: [{ n: Number.NaN }] } }] }],
      ["a date in a body", { events: [{ ...event, body: { at: new Date(0) as unknown as string } }] }],
      ["half a character in a body", { events: [{ ...event, body: { text: "a\udc00b" } }] }],
      ["half a character in a name", { events: [{ ...event, body: { "\udc00": 1 } }] }],
    ])("ST-3 a commit with %s is refused alone", async (_, flaw) => {
      const refused = { ...jobMoved("refused"), ...flaw };
      const [before, fault, after] = await Promise.all([
        here.logbook.commit(jobMoved("before")),
        faultOf(here.logbook.commit(refused)),
        here.logbook.commit(jobMoved("after")),
      ]);
      expect([before.seq, fault.code, after.seq]).toEqual([1, "commitRefused", 2]);
      expect(await keys()).toEqual(["after", "before"]);
      expect(await kinds()).toEqual(["jobMoved", "jobMoved"]);
    });

    it.each<[string, JsonObject]>([
      ["half a character", { text: "a\udc00b" }],
      ["NaN", { n: Number.NaN }],
      ["more levels than a record may have around it", nested(81)],
      ["more text than an event may have", { text: "x".repeat(2 ** 24) }],
    ])("an event with %s is told of before it takes effect", (_, body) => {
      expect(() => here.logbook.check([{ ...event, body }])).toThrow(/cannot be recorded/);
    });

    it("an event that may take effect is never refused, nor a record that says it twice", async () => {
      for (const body of [nested(80), { text: "x".repeat(2 ** 24 - 20) }]) {
        here.logbook.check([{ ...event, body }]);
        const record = { job: "a", history: [body], last: body };
        const commit = { events: [{ ...event, body }], changes: [{ ...good, record }] };
        expect((await here.logbook.commit(commit)).seq).toBeGreaterThan(0);
      }
    });

    it("what was recorded reads back as it was given, whatever the text and however long", async () => {
      const body = {
        text: 'Zürich 東京 👩‍🚀 "quoted" \\ \u0000\u001f\u2028 é é',
        numbers: [0, -1, 1.5, 1e-7, 1e300, 2 ** 53, Number.MIN_VALUE],
        "": { nested: [[], {}, [null, true, false]] },
        __proto__: null,
        long: "x€".repeat(1_000_000),
      };
      const exact = JSON.parse(JSON.stringify(body));
      await here.logbook.commit({
        ...jobMoved("🜁/é\u0000"),
        events: [{ kind: "löng", version: 3, atMs: -5, body }],
      });
      const [event] = await all(here.logbook.events(1));
      expect({ ...event, hash: "" }).toEqual({
        kind: "löng",
        version: 3,
        atMs: -5,
        body: exact,
        seq: 1,
        hash: "",
      });
      expect(await here.logbook.record("jobs", "🜁/é\u0000")).toEqual({ job: "🜁/é\u0000" });
      expect((await verifyChain(here.logbook.events(1))).kind).toBe("intact");
    });

    it("what the caller does to an object afterwards changes nothing", async () => {
      const body: { job: string; list: number[] } = { job: "a", list: [1] };
      const [change] = jobMoved("a").changes;
      const committed = here.logbook.commit({
        events: [{ kind: "jobMoved", version: 1, atMs: 0, body }],
        changes: [{ ...change, record: body }],
      });
      body.list.push(2);
      await committed;
      body.list.push(3);
      expect((await all(here.logbook.events(1)))[0].body).toEqual({ job: "a", list: [1] });
      expect(await here.logbook.record("jobs", "a")).toEqual({ job: "a", list: [1] });
    });

    it("events are read from any number on, over many pages", async () => {
      const many = Array.from({ length: 2_500 }, (_, i) => jobMoved(`job${i}`).events[0]);
      await here.logbook.commit({ events: many, changes: [] });
      expect((await all(here.logbook.events(1))).map(({ seq }) => seq)).toEqual(many.map((_, i) => i + 1));
      expect((await all(here.logbook.events(2_499))).map(({ body }) => body.job)).toEqual([
        "job2498",
        "job2499",
      ]);
      expect(await all(here.logbook.events(2_501))).toEqual([]);
      expect(await all(here.logbook.events(0))).toHaveLength(2_500);
    });

    it("events are read up to the head of the call, and commits go on meanwhile", async () => {
      const many = Array.from({ length: 1_500 }, () => jobMoved("a").events[0]);
      await here.logbook.commit({ events: many, changes: [] });
      const reading = here.logbook.events(1);
      const seen: LoggedEvent[] = [];
      for await (const event of reading) {
        seen.push(event);
        if (event.seq % 500 === 0) await here.logbook.commit(jobMoved("b"));
      }
      expect(seen).toHaveLength(1_500);
      expect((await here.logbook.head()).seq).toBe(1_503);
    });
  });

  describe("people", () => {
    it("ST-15 names and contacts are entered, corrected and erased, and the log stays as it is", async () => {
      await here.logbook.commit(jobMoved("a", { owner: "p1" }));
      const head = await here.logbook.head();
      expect(await here.logbook.person("p1")).toBeUndefined();
      await here.logbook.putPerson({ id: "p1", name: "Ada Lovelace", contact: "ada@example.org" });
      await here.logbook.putPerson({ id: "p1", name: "Ada King", contact: "ada@example.org" });
      await here.logbook.putPerson({ id: "p2", name: "Grace", contact: "" });
      expect(await here.logbook.person("p1")).toEqual({
        id: "p1",
        name: "Ada King",
        contact: "ada@example.org",
      });
      await here.logbook.erasePerson("p1");
      await here.logbook.erasePerson("nobody");
      expect(await here.logbook.person("p1")).toBeUndefined();
      expect(await here.logbook.person("p2")).toEqual({ id: "p2", name: "Grace", contact: "" });
      expect(await here.logbook.head()).toEqual(head);
      expect((await all(here.logbook.events(1)))[0].body.owner).toBe("p1");
    });
  });

  describe("closing", () => {
    it("writes what is pending, and refuses what comes later", async () => {
      const pending = Promise.all(["a", "b", "c"].map((id) => here.logbook.commit(jobMoved(id))));
      const closing = here.logbook.close();
      const late = faultOf(here.logbook.commit(jobMoved("late")));
      expect((await pending).map(({ seq }) => seq)).toEqual([1, 2, 3]);
      await closing;
      await here.logbook.close();
      const refusals = [
        late,
        faultOf(here.logbook.head()),
        faultOf(here.logbook.record("jobs", "a")),
        faultOf(here.logbook.rows("jobs", {})),
        faultOf(here.logbook.person("p")),
        faultOf(here.logbook.erasePerson("p")),
        faultOf(here.logbook.putPerson({ id: "p", name: "", contact: "" })),
        faultOf(here.logbook.replaceViews((async function* () {})())),
        faultOf(all(here.logbook.events(1))),
      ];
      const codes = (await Promise.all(refusals)).map(({ code }) => code);
      expect(codes).toEqual(codes.map(() => "logbookClosed"));
    });

    if (!implementation.isDurable) return;
    it("ST-4 what was committed is there after reopening", async () => {
      for (let i = 0; i < 12; i++) {
        await here.logbook.commit(jobMoved(`job${i % 5}`, { state: `s${i}`, consumer: "cms" }));
      }
      await here.logbook.putPerson({ id: "p1", name: "Ada", contact: "ada@example.org" });
      const before = {
        head: await here.logbook.head(),
        events: await all(here.logbook.events(1)),
        rows: await here.logbook.rows("jobs", { where: { consumer: { is: "cms" } }, orderBy: "state" }),
      };
      await here.reopen();
      expect(await here.logbook.head()).toEqual(before.head);
      expect(await all(here.logbook.events(1))).toEqual(before.events);
      const where = { consumer: { is: "cms" } };
      expect(await here.logbook.rows("jobs", { where, orderBy: "state" })).toEqual(before.rows);
      expect(await here.logbook.person("p1")).toEqual({ id: "p1", name: "Ada", contact: "ada@example.org" });
      expect((await here.logbook.commit(jobMoved("next"))).seq).toBe(13);
      expect((await verifyChain(here.logbook.events(1), { after: emptyHead })).kind).toBe("intact");
    });
  });
});

/** An object that is so many levels deep. */
function nested(levels: number): JsonObject {
  return levels === 1 ? {} : { in: nested(levels - 1) };
}
