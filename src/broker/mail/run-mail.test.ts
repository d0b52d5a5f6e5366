import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { fakeBrokerApi } from "../../../test/api/fake-broker-api.ts";
import { temporaryFolder } from "../../../test/stint.ts";
import {
  type ArrayRecord,
  type AttemptEnd,
  type JobDescription,
  type JobRecord,
  RUN_STATES,
  type StintEvent,
} from "../../model/index.ts";
import { asJson } from "../../runtime/index.ts";
import { runMail } from "./run-mail.ts";

const NOW = Date.UTC(2026, 10, 27, 12);
const END = { cause: "exited", exitCode: 3, signal: null, cpuMs: null, detail: null } as const;

const noCounts = () => Object.fromEntries(RUN_STATES.map((state) => [state, 0]));

let running: { stop(): Promise<void> } | undefined;
afterEach(async () => {
  await running?.stop();
  running = undefined;
});

/** A program that keeps what it is given, and fails or hangs where the test says so. */
function fakeSendmail(folder: string): string {
  const program = join(folder, "sendmail");
  const script =
    `#!/bin/sh\ncd ${folder}\n[ -e hang ] && exec sleep 600\n` +
    "[ -e lingers ] && (sleep 60 > /dev/null < /dev/null &)\n" +
    `if [ -e broken ]; then echo 'no route' >&2; exit 75; fi\n` +
    `n=$(ls sent | wc -l)\nprintf '%s\\n' "$@" > sent/$n.words\ncat > text\nmv text sent/$n.text\n`;
  mkdirSync(join(folder, "sent"));
  writeFileSync(program, script);
  chmodSync(program, 0o755);
  return program;
}

function scene() {
  const folder = temporaryFolder();
  const brokerApi = fakeBrokerApi();
  const warnings: string[] = [];
  const sendmail = fakeSendmail(folder);
  const start = async (domains = ["example.org"]): Promise<void> => {
    running = await runMail({
      settings: { sendmail, from: "stint@example.org", domains },
      ...{ directory: join(folder, "mail"), brokerApi, warn: (message) => warnings.push(message) },
      ...{ nowMs: () => NOW, pausesMs: [0, 0, 0], pollMs: 5, timeoutMs: 30_000 },
    });
  };
  const happen = async (event: StintEvent): Promise<void> => {
    const { kind, atMs, ...body } = event;
    await brokerApi.log.commit({ events: [{ kind, version: 1, atMs, body: asJson(body) }], changes: [] });
  };
  const put = (id: string, asked: Partial<JobDescription>, more: Partial<JobRecord> = {}): void => {
    brokerApi.put(id, { owner: "ada", state: "DONE", result: "failed", exitCode: 3, ...more });
    const record = brokerApi.records.get(id);
    if (record === undefined) throw new Error("no record");
    brokerApi.records.set(id, { ...record, description: { ...record.description, ...asked } });
  };
  const ended = (job: string, end: AttemptEnd = END) =>
    happen({ kind: "attemptEnded", job, attempt: 1, end, atMs: NOW });
  const sent = () =>
    readdirSync(join(folder, "sent"))
      .filter((name) => name.endsWith(".text"))
      .map((name) => readFileSync(join(folder, "sent", name), "utf8"));
  const words = () =>
    readFileSync(join(folder, "sent", "0.words"), "utf8")
      .split("\n")
      .slice(0, -1);
  const queue = () => JSON.parse(readFileSync(join(folder, "mail", "queue.json"), "utf8"));
  return { folder, brokerApi, warnings, start, happen, put, ended, sent, words, queue };
}

const bodyOf = (text: string) => Buffer.from(text.split("\n\n")[1], "base64").toString();
const headersOf = (text: string) => text.split("\n\n")[0].split("\n");

describe("BR-270 mail about jobs that ask for it", () => {
  it("at start, end and failure, once each, to its owner or an address", async () => {
    const { start, put, happen, ended, sent, words } = scene();
    put("1", { mail: ["start", "fail"], mailTo: "team@example.org" }, { endedAtMs: NOW });
    put("2", { mail: ["fail"] }, { result: "ok", exitCode: 0 });
    put("3", { mail: ["end"] }, { result: "ok", exitCode: 0 });
    put("4", {});
    put("5", { mail: ["fail"] }, { state: "CANCELLED", result: null });
    await start();
    await happen({ kind: "attemptRunning", job: "1", attempt: 1, atMs: NOW });
    for (const job of ["1", "2", "3", "4", "5"]) await ended(job);
    await expect.poll(() => sent().length, { interval: 10 }).toBe(3);
    const headers = sent().map((text) => headersOf(text).filter((line) => /^(To|Subject)/.test(line)));
    expect(headers).toEqual([
      ["To: team@example.org", "Subject: [stint] 1: running"],
      ["To: team@example.org", "Subject: [stint] 1: ended with exit code 3"],
      ["To: ada@example.org", "Subject: [stint] 3: ended with exit code 3"],
    ]);
    expect(words()).toEqual(["-i", "-f", "stint@example.org", "--", "team@example.org"]);
    const areEnds = sent().map((text) => /^ended {2}/m.test(bodyOf(text)));
    expect(areEnds.slice(0, 2)).toEqual([false, true]);
  });

  it("settings with which none can be sent cause a warning at the start", async () => {
    const { folder, start, warnings } = scene();
    await start([]);
    await running?.stop();
    rmSync(join(folder, "sendmail"));
    await start();
    expect(warnings).toEqual([
      expect.stringContaining("server.mail.domains is empty"),
      `no mail is sent: ${join(folder, "sendmail")}: there is no such file; ` +
        "install it, or set server.mail.sendmail",
    ]);
  });

  it("nothing that a user writes is a header, a word of the program, or another address", async () => {
    const { start, put, ended, sent, warnings } = scene();
    put("1", { mail: ["end"], name: "x\nBcc: eve@evil.org\r\n\r\nhi 'ü' $(touch /tmp/no)" });
    put("2", { mail: ["end"], mailTo: "eve@evil.org" });
    put("3", { mail: ["end"], mailTo: "-oQ/tmp@example.org" });
    put("4", { mail: ["end"], mailTo: "a@example.org\nBcc: b@example.org" });
    await start();
    for (const job of ["1", "2", "3", "4"]) await ended(job);
    await expect.poll(() => warnings.length, { interval: 10 }).toBe(3);
    await expect.poll(() => sent().length, { interval: 10 }).toBe(1);
    const names = headersOf(sent()[0]).flatMap((line) => (/^\s/.test(line) ? [] : [line.split(":")[0]]));
    expect(names).toEqual([
      ...["From", "To", "Subject", "Date", "Message-ID", "Auto-Submitted", "MIME-Version"],
      ...["Content-Type", "Content-Transfer-Encoding"],
    ]);
    const encoded = [...sent()[0].matchAll(/=\?UTF-8\?B\?([^?]*)\?=/g)].map(([, text]) => text ?? "");
    const subject = encoded.map((text) => Buffer.from(text, "base64").toString()).join("");
    expect(subject).toContain("x Bcc: eve@evil.org hi 'ü' $(touch");
  });

  it("of an array one when its first job begins, and one when the last is over", async () => {
    const { start, put, happen, ended, sent, brokerApi } = scene();
    const array = { id: "a", index: 0 };
    const counts = { ...noCounts(), DONE: 2, failed: 1 };
    const record = { id: "a", counts, endedAtMs: NOW } as unknown as ArrayRecord;
    brokerApi.array = async () => record;
    put("a-0", { mail: ["start", "end"] }, { array });
    put("a-1", { mail: ["start", "end"] }, { array: { id: "a", index: 1 } });
    await start();
    for (const job of ["a-0", "a-1"]) await happen({ kind: "attemptRunning", job, attempt: 1, atMs: NOW });
    for (const job of ["a-0", "a-1"]) await ended(job);
    put("z", { mail: ["end"] });
    await ended("z");
    await expect.poll(() => sent().some((text) => text.includes("[stint] z"))).toBe(true);
    const subjects = sent().flatMap((text) => headersOf(text).filter((line) => line.startsWith("Subject")));
    expect(subjects.slice(0, 2)).toEqual([
      "Subject: [stint] a: its first job started",
      "Subject: [stint] a: all jobs ended, 1 of them failed",
    ]);
    expect(subjects).toHaveLength(3);
  });
});

describe("BR-271 mail that could not be handed over", () => {
  it("is tried again, and dropped after the last attempt", async () => {
    const { folder, start, put, ended, sent, warnings, queue } = scene();
    put("1", { mail: ["end"] });
    writeFileSync(join(folder, "broken"), "");
    await start();
    await ended("1");
    await expect
      .poll(() => warnings, { interval: 10 })
      .toEqual([
        "job 1: mail to ada@example.org will be tried again: exit code 75: no route",
        "job 1: mail to ada@example.org is dropped: exit code 75: no route",
      ]);
    await expect.poll(() => queue().waiting, { interval: 10 }).toEqual([]);
    expect(sent()).toEqual([]);
  });
});

describe("BR-271 mail goes on", () => {
  it("after a program that leaves another one running with its standard error", async () => {
    const { folder, start, put, ended, sent, queue, warnings } = scene();
    put("1", { mail: ["end"] });
    put("2", { mail: ["end"] });
    writeFileSync(join(folder, "lingers"), "");
    await start();
    await ended("1");
    await ended("2");
    await expect.poll(() => sent().length, { interval: 10, timeout: 8000 }).toBe(2);
    await expect.poll(() => queue().waiting, { interval: 10, timeout: 8000 }).toEqual([]);
    expect(warnings).toEqual([]);
  });

  it("after its file could not be written, or the log not be read, for a while", async () => {
    const { brokerApi, start, put, ended, sent, warnings } = scene();
    const { events } = brokerApi;
    put("1", { mail: ["end"] });
    await start();
    brokerApi.events = async () => {
      throw new Error("disk full");
    };
    await ended("1");
    await expect.poll(() => warnings, { interval: 10 }).toEqual(["mail is delayed: Error: disk full"]);
    brokerApi.events = events;
    await expect.poll(() => sent().length, { interval: 10 }).toBe(1);
    expect(warnings).toHaveLength(1);
  });
});

describe("BR-272 mail after a crash", () => {
  it("is sent where it was not, and not again where it may have been", async () => {
    const { folder, start, put, ended, sent, warnings, queue } = scene();
    await start();
    await running?.stop();
    for (const id of ["1", "2"]) put(id, { mail: ["end"] });
    await ended("1");
    await ended("2");
    writeFileSync(join(folder, "hang"), "");
    await start();
    const isUnderWay = () => queue().waiting.filter((one: object) => "isUnderWay" in one).length;
    await expect.poll(isUnderWay, { interval: 10 }).toBe(1);
    // What the file says now is all that a killed broker leaves.
    const left = readFileSync(join(folder, "mail", "queue.json"), "utf8");
    const other = scene();
    mkdirSync(join(other.folder, "mail"));
    writeFileSync(join(other.folder, "mail", "queue.json"), left);
    for (let seq = 1; seq <= 2; seq++) await other.ended("none");
    await other.start();
    await expect.poll(() => other.queue().waiting, { interval: 10 }).toEqual([]);
    expect(other.sent()).toHaveLength(1);
    expect(headersOf(other.sent()[0])).toContain("Message-ID: <stint.2@example.org>");
    const warned = "job 1: mail may have been sent before the broker ended; it is not sent again";
    expect(other.warnings).toEqual([warned]);
    expect([warnings, sent(), existsSync(join(folder, "hang"))]).toEqual([[], [], true]);
  });
});

describe("BR-272 what an earlier broker left", () => {
  it("a file that cannot be understood is put aside and reported, and mail goes on", async () => {
    const { folder, start, put, ended, sent, warnings } = scene();
    const queue = join(folder, "mail", "queue.json");
    mkdirSync(join(folder, "mail"));
    writeFileSync(queue, '{"throughSeq":0,"waiting":[{"job":"lost"');
    writeFileSync(`${queue}.0a1b2c3d.draft`, "half");
    put("1", { mail: ["end"] });
    await start();
    await ended("1");
    await expect.poll(() => sent().length, { interval: 10 }).toBe(1);
    expect(warnings).toEqual([expect.stringContaining(`It is kept as ${queue}.unreadable`)]);
    expect(readFileSync(`${queue}.unreadable`, "utf8")).toContain("lost");
    // The queue without the sent message may still be written.
    const drafts = () => readdirSync(join(folder, "mail")).filter((name) => name.endsWith(".draft"));
    await expect.poll(drafts, { interval: 10 }).toEqual([]);
  });
});
