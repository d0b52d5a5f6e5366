import { createHash } from "node:crypto";
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { JOB_DEFAULTS, type JobRecord, type WorkflowFile } from "../../model/index.ts";
import type { SiteFiles } from "../../runtime/index.ts";
import { stillToAppend } from "../../runtime/index.ts";
import { sandboxesIn } from "../sandbox.ts";
import { fetchFile, type MovingWorld, sendFile, sourceOf } from "./move-file.ts";

const CONTENT = Buffer.from("0123456789".repeat(1000));
const checksum = createHash("sha256").update(CONTENT).digest("hex");
const FILE: WorkflowFile = {
  ...{ workflow: "wwwwwwwwwwww", at: 3, name: "d", writer: 0, readers: [1], isResult: false },
  ...{ bytes: CONTENT.length, checksum, isStored: false, copies: [] },
};
const COPY = { site: "s", job: "p", path: "file.3" };
const WRITTEN = { ...FILE, copies: [COPY] };
const MOST = 1e9;

/** A site that breaks after so many calls, and the broker's store. */
function world({ most = Number.POSITIVE_INFINITY } = {}) {
  const folder = mkdtempSync(join(tmpdir(), "stint-moves-"));
  const there = join(folder, "there");
  let left = most;
  const mayGoOn = (): void => {
    if (left-- <= 0) throw new Error("cut off");
  };
  const files = {
    async readFile(_token: string, _name: string, from: number, most_: number) {
      mayGoOn();
      const bytes = readFileSync(there).subarray(from, from + most_);
      return { bytes, sizeBytes: CONTENT.length };
    },
    addFile: async (_token: string, _name: string, bytes: Uint8Array) => writeFileSync(there, bytes),
    async appendFile(_token: string, _name: string, part: { bytes: Uint8Array; atByte?: number }) {
      mayGoOn();
      if (!existsSync(there)) return undefined;
      appendFileSync(there, stillToAppend(part, readFileSync(there).length));
      return readFileSync(there).length;
    },
  } as unknown as SiteFiles;
  const sandboxes = sandboxesIn(join(folder, "sandboxes"));
  const job = { site: "s", attempt: 1, consumer: "vo", description: JOB_DEFAULTS } as unknown as JobRecord;
  const moving: MovingWorld = {
    ...{ sandboxes, find: async (id) => ({ ...job, id }) },
    sites: { get: () => ({ files }) as never },
    transfers: { pass: async ({ mostBytes }) => Math.min(mostBytes, 3000), giveBack: () => undefined },
  };
  return { moving, there, resume: () => (left = Number.POSITIVE_INFINITY) };
}

describe("BR-250 a file of a workflow", () => {
  it("is fetched in pieces, and continued where it was cut off", async () => {
    const { moving, there, resume } = world({ most: 2 });
    writeFileSync(there, CONTENT);
    await expect(fetchFile(moving, WRITTEN, MOST)).rejects.toThrow("cut off");
    // What was read before is not read again.
    resume();
    writeFileSync(there, Buffer.concat([Buffer.alloc(6000), CONTENT.subarray(6000)]));
    expect(await fetchFile(moving, WRITTEN, MOST)).toEqual({ bytes: CONTENT.length, checksum });
    expect(readFileSync(moving.sandboxes.workflows.pathOf(FILE.workflow, 3))).toEqual(CONTENT);
  });

  it("is not stored beyond the limit, whether its size is known or not", async () => {
    const { moving, there } = world();
    writeFileSync(there, CONTENT);
    for (const bytes of [CONTENT.length, null]) {
      const read = fetchFile(moving, { ...WRITTEN, bytes }, CONTENT.length - 1);
      await expect(read).rejects.toThrow("more bytes than the broker stores");
      expect(existsSync(moving.sandboxes.workflows.pathOf(FILE.workflow, 3))).toBe(false);
    }
    expect(await fetchFile(moving, WRITTEN, CONTENT.length)).toEqual({ bytes: CONTENT.length, checksum });
  });

  it("is not stored where it differs from its checksum", async () => {
    const { moving, there } = world();
    writeFileSync(there, CONTENT.subarray(1));
    await expect(fetchFile(moving, WRITTEN, MOST)).rejects.toThrow("differs from the checksum");
    expect(existsSync(moving.sandboxes.workflows.pathOf(FILE.workflow, 3))).toBe(false);
  });

  it("has no bytes of another attempt of its writer, where its checksum is not known", async () => {
    const { moving, there, resume } = world({ most: 2 });
    writeFileSync(there, CONTENT);
    const unknown = { ...WRITTEN, checksum: null };
    await expect(fetchFile(moving, unknown, MOST)).rejects.toThrow("cut off");
    resume();
    const other = Buffer.alloc(CONTENT.length, "x");
    writeFileSync(there, other);
    await fetchFile(moving, { ...unknown, copies: [{ ...COPY, job: "q" }] }, MOST);
    expect(readFileSync(moving.sandboxes.workflows.pathOf(FILE.workflow, 3))).toEqual(other);
  });

  it("of the user is never read at the root of the broker's machine", () => {
    const { moving } = world();
    expect(() => sourceOf(moving, { ...FILE, name: "etc/passwd", writer: null })).toThrow(
      "has no copy of etc/passwd",
    );
  });

  it("is sent in pieces, and continued where it was cut off", async () => {
    const { moving, there, resume } = world({ most: 3 });
    const stored = moving.sandboxes.workflows.pathOf(FILE.workflow, 3);
    mkdirSync(join(stored, ".."), { recursive: true });
    writeFileSync(stored, CONTENT);
    await expect(sendFile(moving, FILE, "p")).rejects.toThrow("cut off");
    expect(readFileSync(there).length).toBe(6000);
    resume();
    expect(await sendFile(moving, FILE, "p")).toBe(4000);
    expect(readFileSync(there)).toEqual(CONTENT);
  });
});
