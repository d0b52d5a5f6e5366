import { describe, expect, it } from "vitest";
import { site } from "../../../test/reservation-scene.ts";
import { Fault } from "../../base/index.ts";
import type { Projection } from "../../engine/index.ts";
import type { Command, OfKind, WorkflowFile } from "../../model/index.ts";
import { createFileMover, type FileMoverWorld } from "./file-mover.ts";
import { CopyProblem } from "./workflow-store.ts";

const ID = "wwwwwwwwwwww";
const FILE: WorkflowFile = {
  ...{ workflow: ID, at: 0, name: "x", writer: 0, readers: [], isResult: true, bytes: 1, checksum: null },
  ...{ isStored: false, copies: [{ site: "here", job: "p", path: "file.0" }] },
};
const unreachable = new Fault({
  ...{ kind: "unreachable", code: "siteUnreachable", what: "here does not answer" },
  ...{ why: "its link is down", remedy: "wait" },
});
const full = Object.assign(new Error("no space left on device"), { code: "ENOSPC" });

/** Workflows whose task has left five results. */
function moverOf(
  ids: readonly string[],
  fetch: (workflow: string) => Promise<unknown>,
  mostResultBytes?: number,
) {
  const { projection } = site();
  for (const id of ids) {
    const record = { id, state: "RUNNING", pilots: [], tasks: 1, files: 5 } as never;
    projection.books.workflows.set(id, record);
    projection.books.workflowTasks.set(`${id}/0`, {
      at: 0,
      state: "DONE",
      parents: [],
      place: null,
    } as never);
    for (let at = 0; at < 5; at++) {
      projection.books.workflowFiles.set(`${id}/${at}`, { ...FILE, workflow: id, at });
    }
  }
  const noted: Command[] = [];
  let now = 0;
  const job = { site: "here", attempt: 1, consumer: "vo", description: {} };
  const world = {
    round: {
      ...{ projection, nowMs: () => now, wake: () => undefined },
      ask: async (command: Command) => {
        noted.push(command);
        if (command.kind === "noteWorkflowFiles") note(projection, command);
      },
    },
    clock: { nowMs: () => now, wakeAt: () => () => undefined },
    ...{ find: async () => job, warn: () => undefined, transfers: {} },
    ...(mostResultBytes === undefined ? {} : { mostResultBytes }),
    sites: { get: () => ({ files: {} }) },
    sandboxes: { workflows: { fetch: ({ workflow }: { workflow: string }) => fetch(workflow) } },
  } as unknown as FileMoverWorld;
  const mover = createFileMover(world);
  const look = async (times: number): Promise<void> => {
    for (let at = 0; at < times; at++) {
      mover.look();
      await new Promise((resolve) => setImmediate(resolve));
      now += 120_000;
    }
    mover.stop();
  };
  return { noted, look, projection };
}

/** Files that were stored, removed or refused are not due any more. */
function note({ books }: Projection, moves: OfKind<Command, "noteWorkflowFiles">): void {
  const change = (at: number, to: Partial<WorkflowFile>): void => {
    const file = books.workflowFiles.get(`${moves.workflow}/${at}`);
    if (file !== undefined) books.workflowFiles.set(`${moves.workflow}/${at}`, { ...file, ...to });
  };
  for (const { file, bytes } of moves.stored) change(file, { bytes, isStored: true });
  for (const file of moves.removed) change(file, { copies: [] });
  for (const { file, mostBytes } of moves.tooLarge ?? []) change(file, { overLimitBytes: mostBytes });
}

/** Records after twenty failed attempts to fetch each result. */
async function notedAfter(
  failure: (attempt: number) => Error,
  prepare: (projection: Projection) => void = () => undefined,
): Promise<readonly Command[]> {
  let attempts = 0;
  const { noted, look, projection } = moverOf([ID], async () => {
    throw failure(Math.ceil(++attempts / 5));
  });
  prepare(projection);
  await look(20);
  return noted;
}

describe("EN-215 a file that is to be fetched", () => {
  it("is lost after eight failures of its copy", async () => {
    const [first] = await notedAfter(() => new CopyProblem("not there"));
    expect(first).toMatchObject({ kind: "noteWorkflowFiles", lost: [{ job: "p" }] });
  });

  it("is not lost while the broker's own disk is full, so that its writer does not run again", async () => {
    expect(await notedAfter((attempt) => (attempt < 14 ? full : new CopyProblem("cut off")))).toEqual([]);
  });

  it("stays at its site where the results of its workflow would exceed the limit", async () => {
    const { noted, look, projection } = moverOf([ID], async () => ({ bytes: 1, checksum: "" }), 1);
    const files = projection.books.workflowFiles;
    for (let at = 0; at < 5; at++) {
      const file = files.get(`${ID}/${at}`);
      if (file !== undefined) files.set(`${ID}/${at}`, { ...file, bytes: at + 1 });
    }
    await look(5);
    const tooLarge = noted.flatMap((one) => (one.kind === "noteWorkflowFiles" ? (one.tooLarge ?? []) : []));
    expect(tooLarge).toEqual([1, 2, 3, 4].map((file) => ({ file, mostBytes: 1 })));
    expect(files.get(`${ID}/0`)?.isStored).toBe(true);
  });

  it("counts for the limit while it is fetched, beside others of its workflow", async () => {
    const { look, projection } = moverOf([ID], async () => ({ bytes: 1, checksum: "" }), 2);
    await look(5);
    const files = [...projection.books.workflowFiles.values()];
    expect(files.map(({ isStored }) => isStored)).toEqual([true, true, false, false, false]);
    expect(files.map(({ overLimitBytes }) => overLimitBytes)).toEqual([undefined, undefined, 2, 2, 2]);
  });

  it("is not lost while its site does not answer, however long, since it may come back", async () => {
    expect(await notedAfter(() => new CopyProblem("not read", unreachable))).toEqual([]);
    const inTrouble = ({ sites }: Projection): void => {
      const site = sites.get("here");
      if (site !== undefined) site.observation.trouble = "it does not answer";
    };
    expect(await notedAfter(() => new CopyProblem("not read"), inTrouble)).toEqual([]);
  });

  it("is lost once its site is removed", async () => {
    const [first] = await notedAfter(
      () => new CopyProblem("not read", unreachable),
      ({ sites }) => void sites.delete("here"),
    );
    expect(first).toMatchObject({ kind: "noteWorkflowFiles", lost: [{ job: "p" }] });
  });

  it("does not wait for files of another workflow whose link stands still", async () => {
    const asked: string[] = [];
    const { look } = moverOf(["still", ID], (workflow) => {
      asked.push(workflow);
      return new Promise(() => undefined);
    });
    await look(3);
    expect(asked.sort()).toEqual([...Array(4).fill("still"), ...Array(4).fill(ID)].sort());
  });
});
