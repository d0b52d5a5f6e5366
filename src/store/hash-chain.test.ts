/** Every change of history breaks the chain, and its bytes are those that the header specifies. */
import { describe, expect, it } from "vitest";
import { all, jobMoved } from "../../test/conformance/logbook-implementations.ts";
import type { LoggedEvent, Receipt } from "../runtime/index.ts";
import { canonicalJson } from "./canonical-json.ts";
import { type ChainEnds, chain, emptyHead, verifyChain } from "./hash-chain.ts";
import { createMemoryLogbook } from "./memory-logbook.ts";

const refuse = (why: string) => new Error(why);

async function fiveEvents(): Promise<LoggedEvent[]> {
  const logbook = createMemoryLogbook([]);
  for (const id of ["a", "b", "c", "d", "e"]) await logbook.commit({ ...jobMoved(id), changes: [] });
  return all(logbook.events(1));
}

const verdictOn = (events: readonly LoggedEvent[], ends?: ChainEnds) =>
  verifyChain(
    (async function* () {
      yield* events;
    })(),
    ends,
  );

describe("the bytes of an event", () => {
  // Computed with Python's hashlib from the lines as the header of hash-chain.ts writes them.
  it("ST-2 hash to what another program computes", () => {
    const body = canonicalJson({ ä: ["x", null], n: 1.5, job: "a/1" }, refuse);
    expect(body).toBe('{"job":"a/1","n":1.5,"ä":["x",null]}');
    const first = chain(emptyHead, { kind: "jobStarted", version: 2, atMs: 1_700_000_000_000, body });
    expect(first).toEqual({
      seq: 1,
      hash: "36c84cfa2b431e5b60f5bb0985272a05b79558b781d719dfdf8269d5f8e66684",
    });
    const second = chain(first, { kind: "jobEnded", version: 1, atMs: 1_700_000_000_001, body: "{}" });
    expect(second).toEqual({
      seq: 2,
      hash: "d236b62728edc34ca15f0a9788435cf59b8c603c6f83696a88fd2c378fb80f38",
    });
  });

  it.each<[string, Parameters<typeof canonicalJson>[0], string]>([
    [
      "members sorted by UTF-16 units",
      { b: 1, "﬩": 2, a: 3, "😀": 4, "": 5 },
      '{"":5,"a":3,"b":1,"😀":4,"﬩":2}',
    ],
    ["numbers as JavaScript writes them", [-0, 1e21, 1e-7, 100, 0.1], "[0,1e+21,1e-7,100,0.1]"],
    ["texts with their escapes", '\u0000\b\n"\\/€\u2028', '"\\u0000\\b\\n\\"\\\\/€\u2028"'],
    [
      "nested, without blanks",
      [{}, [], { a: { b: [true, false, null] } }],
      '[{},[],{"a":{"b":[true,false,null]}}]',
    ],
  ])("ST-2 canonical JSON: %s", (_, value, text) => {
    expect(canonicalJson(value, refuse)).toBe(text);
  });

  it("what JSON cannot say is refused, and so is what is nested without end", () => {
    const endless: { self?: object } = {};
    endless.self = endless;
    const values = [
      Number.NaN,
      Number.POSITIVE_INFINITY,
      "\ud800",
      new Map(),
      1n,
      () => 1,
      [undefined],
      endless,
    ];
    for (const value of values) expect(() => canonicalJson(value as string, refuse)).toThrow();
    expect(canonicalJson({ a: undefined } as unknown as string, refuse)).toBe("{}");
  });
});

describe("verification", () => {
  const head = (events: readonly LoggedEvent[]): Receipt => ({ seq: 5, hash: events[4].hash });

  it("ST-2 finds nothing wrong with what was written, from any noted head on", async () => {
    const events = await fiveEvents();
    expect(await verdictOn(events)).toEqual({ kind: "intact", head: head(events) });
    expect(await verdictOn(events, { through: events[2] })).toEqual({ kind: "intact", head: head(events) });
    expect(await verdictOn(events.slice(3), { after: events[2] })).toEqual({
      kind: "intact",
      head: head(events),
    });
    expect(await verdictOn([])).toEqual({ kind: "intact", head: emptyHead });
  });

  it.each<[string, (event: LoggedEvent) => LoggedEvent]>([
    ["another body", (event) => ({ ...event, body: { job: "z" } })],
    ["another instant", (event) => ({ ...event, atMs: event.atMs + 1 })],
    ["another kind", (event) => ({ ...event, kind: "jobLost" })],
    ["another version", (event) => ({ ...event, version: 2 })],
    [
      "another hash",
      (event) => ({ ...event, hash: event.hash.replace(/^./, (it) => (it === "0" ? "1" : "0")) }),
    ],
    ["a number that was there already", (event) => ({ ...event, seq: 2 })],
  ])("ST-2 names the first altered event: %s", async (_, alter) => {
    const events = await fiveEvents();
    expect(await verdictOn(events.with(2, alter(events[2])))).toEqual({ kind: "altered", seq: 3 });
  });

  it("ST-2 an event altered with its own hash shows at the next one", async () => {
    const events = await fiveEvents();
    const forged = { ...events[2], body: { job: "z" } };
    const { hash } = chain(events[1], { ...forged, body: canonicalJson(forged.body, refuse) });
    expect(await verdictOn(events.with(2, { ...forged, hash }))).toEqual({ kind: "altered", seq: 4 });
  });

  it("ST-2 a history forged to its end shows against a head noted before", async () => {
    const events = await fiveEvents();
    let last: Receipt = emptyHead;
    const forged = events.map((event) => {
      last = chain(last, { ...event, body: '{"job":"z"}' });
      return { ...event, ...last, body: { job: "z" } };
    });
    expect((await verdictOn(forged)).kind).toBe("intact");
    expect(await verdictOn(forged, { through: events[2] })).toEqual({ kind: "altered", seq: 3 });
  });

  it.each<[string, (events: LoggedEvent[]) => LoggedEvent[], number]>([
    ["the first", (events) => events.slice(1), 1],
    ["one in the middle", (events) => events.toSpliced(2, 1), 3],
    ["the last ones", (events) => events.slice(0, 3), 4],
    ["all", () => [], 1],
  ])("ST-2 names the first missing event: %s", async (_, drop, seq) => {
    const events = await fiveEvents();
    expect(await verdictOn(drop(events), { through: head(events) })).toEqual({ kind: "missing", seq });
  });
});
