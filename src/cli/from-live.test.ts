import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../test/stint.ts";
import type { SiteQueueView } from "../api/client/index.ts";
import { withLiveQueue } from "./from-live.ts";

const view: SiteQueueView = {
  ...{ site: "west", at: "2026-05-31T12:00:00.000Z", discipline: "conservative", running: 0, waiting: 1 },
  leftOut: { forTheirOwn: 2, tooWide: 0, inReservations: 1 },
  unknown: [{ what: "users", why: "hidden" }],
  lines: ['{"pool": "main", "procs": 4}', '{"job": "1", "submit": 0, "limit": 60, "procs": 1}'],
};

function worldOf(queue: SiteQueueView) {
  const errors: string[] = [];
  const client = async () => ({ queueThere: async () => queue });
  return { errors, world: { client, writeError: (text: string) => errors.push(text) } };
}

describe("the queue of a cluster in place of a trace", () => {
  it("lies in a file as long as it is used, and what it leaves out is said", async () => {
    const { errors, world } = worldOf(view);
    let used = "";
    await withLiveQueue(world, { site: "west", keepAt: undefined }, async ({ file, name }) => {
      used = file;
      expect(readFileSync(file, "utf8")).toBe(`${view.lines.join("\n")}\n`);
      expect(name).toBe("the queue of west at 2026-05-31T12:00:00.000Z");
    });
    expect(existsSync(used)).toBe(false);
    expect(errors.join("")).toMatch(/left out: 2 held.*; 1 for a reservation\n.*not known: users/s);
  });

  it("stays where it was asked for, also when the use of it fails", async () => {
    const keepAt = join(temporaryFolder(), "queue.workload.jsonl");
    const failing = withLiveQueue(worldOf(view).world, { site: "west", keepAt }, () => Promise.reject("no"));
    await expect(failing).rejects.toBe("no");
    expect(readFileSync(keepAt, "utf8")).toContain('"job": "1"');
  });

  it("is refused where nobody waits", async () => {
    const { world } = worldOf({ ...view, waiting: 0 });
    const empty = withLiveQueue(world, { site: "west", keepAt: undefined }, async () => undefined);
    await expect(empty).rejects.toMatchObject({ code: "queueEmpty" });
  });
});
