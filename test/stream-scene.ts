/** A stream in a folder of its own: an order with small blocks, its ledger, and what must hold in the end. */
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect } from "vitest";
import { runStream, type WrapperEnd } from "../src/sites/stream/index.ts";

const APPLICATION = resolve(import.meta.dirname, "stream-application.mjs");

type Order = Parameters<typeof runStream>[0];

/** Changes to the usual order. */
type OrderChanges = Partial<Omit<Order, "application">> & {
  readonly application?: Partial<Order["application"]>;
};

/** An order for these addresses: blocks of 64 kB, a quota of 8, as fast as it goes. */
export function orderFor(
  folder: string,
  href: string | readonly string[],
  changes: OrderChanges = {},
): Order {
  const { application, ...others } = changes;
  const delivery = application?.delivery ?? "lines";
  return {
    ...{ stream: "test", directory: join(folder, "stream"), sources: [{ href: [href].flat() }] },
    ...{ blockBytes: 64_000, quotaBytes: 512_000, connections: 2, ahead: 1000 },
    ...{ rate: { least: 1_000_000, first: 1e9 }, leaseMs: null, idleMs: 2000 },
    ...others,
    application: {
      ...{ command: [process.execPath, APPLICATION, delivery], delivery, restarts: 3, next: [] },
      ...application,
      environment: { STINT_TEST_LEDGER: join(folder, "ledger"), ...application?.environment },
    },
  };
}

/** A block in the ledger. */
interface Taken {
  readonly seq: number;
  readonly bytes: number;
  readonly sha1: string;
  readonly last: boolean;
  readonly atMs: number;
}

/** Blocks as the application took them. */
export function ledgerOf(folder: string): readonly Taken[] {
  const path = join(folder, "ledger");
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, "utf8").trim().split("\n");
  return lines.filter((line) => line !== "").map((line) => JSON.parse(line) as Taken);
}

/** The latest report of the wrapper. */
export function reportOf(folder: string): Record<string, unknown> & { readonly state: string } {
  return JSON.parse(readFileSync(join(folder, "stream/report.json"), "utf8"));
}

/** Orders for the running wrapper. */
export function control(folder: string, orders: object): void {
  writeFileSync(join(folder, "stream/control.json"), JSON.stringify(orders));
}

/** Every block at least once, in order but for what came again after a crash, and with the right content. */
export function expectWhole(
  folder: string,
  data: Buffer,
  blockBytes = 64_000,
  without: readonly number[] = [],
): void {
  const taken = ledgerOf(folder);
  let highest = -1;
  for (const { seq, sha1 } of taken) {
    while (without.includes(highest + 1)) highest++;
    expect(seq).toBeLessThanOrEqual(highest + 1);
    highest = Math.max(highest, seq);
    const content = data.subarray(seq * blockBytes, (seq + 1) * blockBytes);
    expect(sha1).toBe(createHash("sha1").update(content).digest("hex"));
  }
  while (without.includes(highest + 1)) highest++;
  expect(highest + 1).toBe(Math.ceil(data.length / blockBytes));
}

/** Runs a stream in this process. */
export function run(order: Order, signal = new AbortController().signal): Promise<WrapperEnd> {
  return runStream(order, { signal, print: () => undefined });
}
