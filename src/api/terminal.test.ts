import { describe, expect, it } from "vitest";
import { eventually } from "../../test/api/eventually.ts";
import { type Serving, serve } from "../../test/api/serving.ts";
import type { Identity } from "../model/index.ts";
import { CHUNK_BYTES, MOST_INPUT_BYTES, TERMINAL_FILES } from "../runtime/index.ts";

const running = { state: "RUNNING", site: "local", attempt: 1, startedAtMs: 1000 } as const;
const path = "/api/v1/jobs/abc/terminal";

/** A job that runs at a terminal of which nothing has been typed. */
async function atTerminal(options: Parameters<typeof serve>[0] = {}): Promise<Serving> {
  const serving = await serve(options);
  serving.brokerApi.put("abc", running, { interactive: true });
  for (const name of [TERMINAL_FILES.input, TERMINAL_FILES.sizes]) serving.brokerApi.write("abc", name, "");
  return serving;
}

/** Writes what the program has written, in files of these texts. */
function screen({ brokerApi }: Serving, texts: readonly string[], from = 0): void {
  let at = from;
  for (const text of texts) {
    brokerApi.contents.set(`abc/${TERMINAL_FILES.screen(at)}`, Buffer.from(text));
    brokerApi.contents.set(`abc/${TERMINAL_FILES.range}`, Buffer.from(`${from} ${at}\n`));
    at += text.length;
  }
}

const typed = ({ brokerApi }: Serving) => String(brokerApi.contents.get(`abc/${TERMINAL_FILES.input}`));
const base64 = (text: string) => Buffer.from(text).toString("base64");
const who = (owner: string): Identity => ({ owner, consumer: "local/me", role: "admin" });

describe("what is typed into a terminal", () => {
  it("comes once and in order, however often it is sent", async () => {
    const serving = await atTerminal();
    const type = (at: number, text: string) =>
      serving.send("POST", path, { body: { writer: "w", at, data: base64(text) } });
    expect((await type(0, "ls")).json).toEqual({ inputBytes: 2 });
    expect((await type(0, "ls")).json).toEqual({ inputBytes: 2 });
    expect((await type(2, " -l\n")).json).toEqual({ inputBytes: 6 });
    expect((await type(0, "ls -l\n")).json).toEqual({ inputBytes: 6 });
    expect(typed(serving)).toBe("ls -l\n");
    const gap = await type(9, "x");
    expect(gap).toMatchObject({ status: 409, json: { type: "urn:stint:inputOutOfStep", inputBytes: 6 } });
    expect((await type(MOST_INPUT_BYTES, "x")).json).toMatchObject({ type: "urn:stint:inputFull" });
    expect(typed(serving)).toBe("ls -l\n");
  });

  it("is one writer's until they leave, or somebody takes over", async () => {
    let nowMs = 0;
    const serving = await atTerminal({ nowMs: () => nowMs });
    const join = (writer: string, take = false) => serving.send("POST", path, { body: { writer, take } });
    expect((await join("one")).status).toBe(200);
    expect(await join("two")).toMatchObject({ status: 409, json: { type: "urn:stint:terminalTaken" } });
    expect((await join("two", true)).status).toBe(200);
    expect((await join("one")).status).toBe(409);
    nowMs = 15_000;
    expect((await join("one")).status).toBe(200);
    await serving.send("POST", path, { body: { writer: "one", leave: true } });
    expect((await join("two")).status).toBe(200);
  });

  it("is the owner's alone, whatever others may do to the job", async () => {
    const serving = await atTerminal({ identify: () => who("root") });
    screen(serving, ["hello"]);
    const answer = await serving.send("POST", path, { body: { writer: "w" } });
    expect(answer).toMatchObject({ status: 403, json: { type: "urn:stint:terminalNotYours", owner: "me" } });
    serving.brokerApi.change("abc", { state: "DONE" });
    expect((await serving.send("GET", `${path}?last=9`)).text).toBe("hello");
  });

  it.each([
    ["a job without a terminal", running, {}, "notInteractive"],
    ["a job that waits", { state: "WAITING" }, { interactive: true }, "terminalNotOpen"],
    ["a job that is over", { ...running, state: "DONE" }, { interactive: true }, "terminalNotOpen"],
  ] as const)("is refused for %s", async (_, record, description, code) => {
    const { brokerApi, send } = await serve();
    brokerApi.put("abc", record, description);
    const answer = await send("POST", path, { body: { writer: "w" } });
    expect(answer).toMatchObject({ status: 409, json: { type: `urn:stint:${code}` } });
  });

  it("comes with the size of the writer's terminal, which is not nothing", async () => {
    const serving = await atTerminal();
    const resize = (rows: number, columns: number) =>
      serving.send("POST", path, { body: { writer: "w", rows, columns } });
    expect((await resize(24, 80)).status).toBe(200);
    for (const [rows, columns] of [
      [0, 0],
      [24, 0],
      [10_000, 80],
    ] as const) {
      expect((await resize(rows, columns)).status).toBe(400);
    }
    expect(String(serving.brokerApi.contents.get(`abc/${TERMINAL_FILES.sizes}`))).toBe("24 80\n");
  });
});

describe("what a terminal shows", () => {
  const full = (letter: string) => letter.repeat(CHUNK_BYTES);

  it("is the last of it, then all that comes until the job has ended", async () => {
    const serving = await atTerminal();
    screen(serving, [full("a"), "bcd"]);
    const parts: string[] = [];
    const reading = (async () => {
      const shown = serving.client.readTerminal("abc", { last: 5, onSkip: () => {} });
      for await (const bytes of shown) parts.push(String(Buffer.from(bytes)));
    })();
    await eventually("what is there", () => parts.join("") === "aabcd");
    const text = `bcd${full("e").slice(3)}`;
    screen(serving, [full("a"), text, "the end"]);
    serving.brokerApi.change("abc", { state: "DONE" });
    await reading;
    expect(parts.join("")).toBe(`aa${text}the end`);
  });

  it("BR-201 goes on with the newest for a reader whose place is no longer kept", async () => {
    const serving = await atTerminal();
    screen(serving, [full("c"), "news"], 5 * CHUNK_BYTES);
    serving.brokerApi.change("abc", { state: "DONE" });
    const answer = await serving.send("GET", `${path}?from=7`);
    expect(answer.text).toBe("news");
    expect(answer.headers["stint-terminal-from"]).toBe(String(6 * CHUNK_BYTES));
  });

  it("is refused for a job without a terminal", async () => {
    const { brokerApi, send } = await serve();
    brokerApi.put("abc", running);
    expect(await send("GET", path)).toMatchObject({
      status: 409,
      json: { type: "urn:stint:notInteractive" },
    });
  });
});
