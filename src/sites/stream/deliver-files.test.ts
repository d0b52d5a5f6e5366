import type { ChildProcess } from "node:child_process";
import { mkdtempSync, readdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { deliverFiles } from "./deliver-files.ts";

const ACK = "000000000007.ack";

/** Acknowledgements that are taken from a directory, and signals that the application gets. */
function delivering() {
  const inbox = mkdtempSync(join(tmpdir(), "stint-inbox-"));
  const taken: (readonly [number, readonly string[] | undefined])[] = [];
  const signals: string[] = [];
  const child = { kill: (name: string) => signals.push(name) } as unknown as ChildProcess;
  const delivery = deliverFiles({
    ...{ child, inbox, hasSink: true, print: () => undefined },
    acknowledge: (seq, results) => taken.push([seq, results]),
  });
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
