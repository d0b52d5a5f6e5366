import type { ChildProcess } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, vi } from "vitest";
import { deliverFiles, newInbox } from "./deliver-files.ts";

const ACK = "000000000007.ack";

/** Acknowledgements that are taken from a directory, and signals that the application gets. */
function delivering(list?: (directory: string) => Promise<string[]>) {
  const inbox = mkdtempSync(join(tmpdir(), "stint-inbox-"));
  const taken: (readonly [number, readonly string[] | undefined])[] = [];
  const signals: string[] = [];
  const child = { kill: (name: string) => signals.push(name) } as unknown as ChildProcess;
  const acknowledge = (seq: number, results?: readonly string[]) => taken.push([seq, results]);
  const world = { child, inbox, hasSink: true, print: () => undefined, acknowledge };
  const delivery = deliverFiles(world, list);
  const write = (text: string): void => writeFileSync(join(inbox, ACK), text);
  return { inbox, taken, signals, write, close: () => delivery.close(true) };
}

describe("acknowledgements as files, where there is a sink", () => {
  it("one that is being written is taken when it is whole, with its results", async () => {
    const { taken, signals, write, close } = delivering();
    write("");
    await sleep(20);
    write('{"results": ["a", ');
    await sleep(200);
    expect(taken).toEqual([]);
    write('{"results": ["a", "b"]}');
    await close();
    expect([taken, signals]).toEqual([[[7, ["a", "b"]]], []]);
  });

  it("one names a thousand results", async () => {
    const { taken, write, close } = delivering();
    const results = Array.from({ length: 1000 }, (_, at) => `/scratch/streams/${"x".repeat(200)}${at}`);
    write(JSON.stringify({ results }));
    await close();
    expect(taken).toEqual([[7, results]]);
  });

  it("one that is no JSON acknowledges nothing, and ends this life of the application", async () => {
    const { inbox, taken, signals, write, close } = delivering();
    write("done");
    await close();
    expect([taken, signals, readdirSync(inbox)]).toEqual([[], ["SIGKILL"], [ACK]]);
  });
});

describe("directories of blocks", () => {
  it("SW-7 an application whose wrapper was killed does not see the blocks of the next one", () => {
    const inbox = join(mkdtempSync(join(tmpdir(), "stint-inbox-")), "inbox");
    const earlier = newInbox(inbox);
    writeFileSync(join(earlier, ACK), "");
    const later = newInbox(inbox);
    expect([existsSync(earlier), later === earlier, readdirSync(later)]).toEqual([false, false, []]);
  });

  it("looks for acknowledgements do not pile up while the disk is slow", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    const list = vi.fn(() => Promise.resolve([]));
    const { close } = delivering(list);
    vi.advanceTimersByTime(60_000);
    vi.useRealTimers();
    await close();
    expect(list).toHaveBeenCalledTimes(2);
  });
});
