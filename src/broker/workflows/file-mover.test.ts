import { describe, expect, it } from "vitest";
import { site } from "../../../test/reservation-scene.ts";
import type { Command, WorkflowFile } from "../../model/index.ts";
import { createFileMover, type FileMoverWorld } from "./file-mover.ts";
import { CopyProblem } from "./workflow-store.ts";

const ID = "wwwwwwwwwwww";
const FILE: WorkflowFile = {
  ...{ workflow: ID, at: 0, name: "x", writer: 0, readers: [], isResult: true, bytes: 1, checksum: null },
  ...{ isStored: false, copies: [{ site: "here", job: "p", path: "file.0" }] },
};
const full = Object.assign(new Error("no space left on device"), { code: "ENOSPC" });

/** What is noted after twenty attempts to fetch a result, which all fail. */
async function notedAfter(failure: (attempt: number) => Error): Promise<readonly Command[]> {
  const { projection } = site();
  const record = { id: ID, state: "RUNNING", pilots: [], tasks: 1, files: 1 } as never;
  projection.books.workflows.set(ID, record);
  projection.books.workflowTasks.set(`${ID}/0`, { at: 0, state: "DONE", parents: [], place: null } as never);
  projection.books.workflowFiles.set(`${ID}/0`, FILE);
  const noted: Command[] = [];
  let now = 0;
  let attempts = 0;
  const job = { site: "here", attempt: 1, consumer: "vo", description: {} };
  const fetch = async () => {
    throw failure(++attempts);
  };
  const world = {
    round: {
      ...{ projection, nowMs: () => now, wake: () => undefined },
      ask: async (command: Command) => void noted.push(command),
    },
    clock: { nowMs: () => now, wakeAt: () => () => undefined },
    ...{ find: async () => job, warn: () => undefined, transfers: {} },
    sites: { get: () => ({ files: {} }) },
    sandboxes: { workflows: { fetch } },
  } as unknown as FileMoverWorld;
  const mover = createFileMover(world);
  for (let look = 0; look < 20; look++) {
    mover.look();
    await new Promise((resolve) => setImmediate(resolve));
    now += 120_000;
  }
  mover.stop();
  return noted;
}

describe("EN-215 a file that cannot be fetched", () => {
  it("is lost after eight failures of its copy", async () => {
    const [first] = await notedAfter(() => new CopyProblem("not there"));
    expect(first).toMatchObject({ kind: "noteWorkflowFiles", lost: [{ file: 0, job: "p" }] });
  });

  it("is not lost while the broker's own disk is full, so that its writer does not run again", async () => {
    expect(await notedAfter((attempt) => (attempt < 18 ? full : new CopyProblem("cut off")))).toEqual([]);
  });
});
