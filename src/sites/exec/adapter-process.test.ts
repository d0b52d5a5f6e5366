import { afterEach, describe, expect, it } from "vitest";
import { steppableClock } from "../../../test/steppable-clock.ts";
import { type AdapterProcess, adapterProcess } from "./adapter-process.ts";
import { adapterJobs, describeAdapter } from "./protocol.ts";

const clock = steppableClock(1_000_000);
const opened: AdapterProcess[] = [];

afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
});

/** A program of one line of JavaScript, which has `line(text)` and `write(value)`. */
function programOf(body: string, answerMs = 100_000): AdapterProcess {
  const script =
    'const write = (value) => process.stdout.write(JSON.stringify(value) + "\\n");' +
    'require("node:readline").createInterface({ input: process.stdin })' +
    `.on("line", (text) => { const request = JSON.parse(text); ${body} });`;
  const program = adapterProcess({ site: "s", command: [process.execPath, "-e", script], clock, answerMs });
  opened.push(program);
  return program;
}

const asked = (program: AdapterProcess, verb = "snapshot") =>
  program.ask(verb, { key: "k" }).then(
    (value) => ({ value }),
    ({ kind, code, why }) => ({ kind, code, why }),
  );

describe("the program of an adapter", () => {
  it("answers in any order, each request by its number", async () => {
    const program = programOf(
      "(globalThis.all ??= []).push(request); if (all.length === 2) " +
        "for (const { id, verb } of all.toReversed()) write({ id, ok: verb });",
    );
    expect(await Promise.all([asked(program, "one"), asked(program, "two")])).toEqual([
      { value: "one" },
      { value: "two" },
    ]);
  });

  it("a refusal is certain where it says so, and else leaves open what happened", async () => {
    const program = programOf(
      'write({ id: request.id, error: "no room", ...(request.verb === "sure" ? { kind: "refused" } : {}) })',
    );
    expect(await asked(program, "sure")).toMatchObject({ kind: "refused", why: "no room" });
    expect(await asked(program, "other")).toMatchObject({ kind: "unreachable", why: "no room" });
  });

  it("its end is explained with its last words; it is started again after a pause that doubles", async () => {
    const program = programOf('console.error("disk full"); process.exit(3)');
    const ended = { code: "adapterFailed", why: "its program ended with exit code 3: disk full" };
    expect(await asked(program)).toMatchObject(ended);
    expect(await asked(program)).toMatchObject({ why: `${ended.why}; it is started again in 1 s` });
    clock.moveTo(clock.nowMs() + 1000);
    expect(await asked(program)).toMatchObject(ended);
    expect(await asked(program)).toMatchObject({ why: `${ended.why}; it is started again in 2 s` });
  });

  it.each([
    ["no JSON", 'process.stdout.write("hello\\n")', "its program wrote an invalid answer: hello"],
    ["too long", 'process.stdout.write("x".repeat(17 * 2 ** 20))', "its program wrote a line of more than"],
  ])("a line that is %s ends it", async (_, body, why) => {
    expect(await asked(programOf(body))).toMatchObject({ why: expect.stringContaining(why) });
  });

  it("no answer in time ends it", async () => {
    expect(await asked(programOf("", 50))).toMatchObject({
      why: "its program did not answer snapshot within 0.05 s",
    });
  });

  it("a request without an answer fails when the program is closed", async () => {
    const program = programOf("");
    const fault = asked(program);
    await program.close();
    expect(await fault).toMatchObject({ code: "adapterFailed", why: "it was closed" });
  });

  it("a program that is not there is explained", async () => {
    const program = adapterProcess({ site: "s", command: ["/no/such/program"], clock });
    expect(await asked(program)).toMatchObject({
      code: "adapterFailed",
      why: expect.stringContaining("its program cannot be started: spawn /no/such/program ENOENT"),
    });
  });
});

describe("answers of an adapter", () => {
  const answering = (ok: unknown) => async () => ok;

  it.each([
    [{ procs: 4 }, "protocol"],
    [{ protocol: 1 }, "procs"],
    ["x", "protocol"],
  ])("a describe of %j is refused", async (said, why) => {
    await expect(describeAdapter("s", answering(said))).rejects.toMatchObject({
      why: expect.stringContaining(why),
    });
  });

  it("a snapshot with values of wrong types is refused, or read without them", async () => {
    await expect(adapterJobs("s", answering({ jobs: 1 }))).rejects.toThrow();
    await expect(adapterJobs("s", answering({ jobs: [{ job: "a b" }] }))).rejects.toThrow();
    expect(
      await adapterJobs("s", answering({ jobs: [{ job: 7, state: "?", procs: -1, startedAt: "now" }] })),
    ).toMatchObject([{ job: "7", key: null, state: "unknown", procs: 1, startedAtMs: null }]);
  });
});
