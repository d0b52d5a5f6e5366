/**
 * The files of jobs in a broker of plain objects: their bytes under `JOB/NAME`.
 */
import { accepted, refused } from "../../src/base/index.ts";
import type { Answer } from "../../src/engine/index.ts";
import { isFinal, type JobRecord, type SavedState } from "../../src/model/index.ts";
import {
  type AppendedPart,
  type BrokerApi,
  type FilePart,
  stillToAppend,
  type Upload,
  type Uploads,
} from "../../src/runtime/index.ts";

/** The files of a job with their sizes. */
export function filesOf(contents: ReadonlyMap<string, Uint8Array>, id: string) {
  return [...contents].flatMap(([key, { length }]) => {
    const [of, name = ""] = key.split("/");
    return of === id ? { name, sizeBytes: length } : [];
  });
}

/** Removes the files of a job that is over. */
function clearFiles(contents: Map<string, Uint8Array>, id: string, job: JobRecord | undefined): Answer {
  const state = job?.state ?? "WAITING";
  if (!isFinal(state)) return refused({ kind: "jobNotOver", job: id, state });
  for (const { name } of filesOf(contents, id)) contents.delete(`${id}/${name}`);
  return accepted([]);
}

/** Appends to a file what is not in it yet; undefined if there is no such file. */
export function appendTo(contents: Map<string, Buffer>, key: string, part: AppendedPart): number | undefined {
  const before = contents.get(key);
  if (before === undefined) return undefined;
  const whole = Buffer.concat([before, stillToAppend(part, before.length)]);
  contents.set(key, whole);
  return whole.length;
}

/** A part of a file; undefined if there is no such file. */
export function partOf(
  content: Buffer | undefined,
  { fromByte, maxBytes }: { readonly fromByte: number; readonly maxBytes: number },
): FilePart | undefined {
  if (content === undefined) return undefined;
  return { bytes: content.subarray(fromByte, fromByte + maxBytes), sizeBytes: content.length };
}

/** States of jobs: of those whose contents stand under `id@name/path`. */
export function fakeStates(contents: ReadonlyMap<string, Buffer>) {
  const filesIn = (id: string, name: string) =>
    [...contents].flatMap(([key, { length }]) => {
      const beginning = `${id}@${name}/`;
      return key.startsWith(beginning) ? { path: key.slice(beginning.length), sizeBytes: length } : [];
    });
  const stateOf = (id: string, name: string): SavedState => {
    const files = filesIn(id, name);
    const sizeBytes = files.reduce((sum, file) => sum + file.sizeBytes, 0);
    return { name, attempt: 1, savedAtMs: 1000, files: files.length, sizeBytes };
  };
  return {
    async savedStates(id) {
      const named = [...contents.keys()].filter((key) => key.startsWith(`${id}@`));
      return [...new Set(named.map((key) => key.slice(id.length + 1).split("/")[0] ?? ""))].map((name) =>
        stateOf(id, name),
      );
    },
    async savedState(id, name) {
      const files = filesIn(id, name);
      if (files.length === 0) return undefined;
      return {
        ...{ state: stateOf(id, name), files },
        async *bytesOf(path, fromByte) {
          yield (contents.get(`${id}@${name}/${path}`) ?? Buffer.alloc(0)).subarray(fromByte);
        },
      };
    },
  } satisfies Pick<BrokerApi, "savedStates" | "savedState">;
}

/** Uploads of anybody, whose content is only counted. */
export function fakeUploads(): Uploads {
  const uploads = new Map<string, Upload>();
  const nothing = { sizeBytes: null, receivedBytes: 0, isWhole: false, expiresAtMs: null };
  const find = async (owner: string, sha256: string): Promise<Upload> =>
    uploads.get(`${owner} ${sha256}`) ?? { sha256, ...nothing };
  return {
    find,
    list: async (owner) =>
      [...uploads].flatMap(([key, upload]) => (key.startsWith(`${owner} `) ? upload : [])),
    async append({ owner, sha256, sizeBytes, fromByte }, bytes) {
      let receivedBytes = fromByte;
      for await (const piece of bytes) receivedBytes += piece.length;
      const isWhole = receivedBytes === sizeBytes;
      const upload = { sha256, sizeBytes, receivedBytes, isWhole, expiresAtMs: 86_400_000 };
      uploads.set(`${owner} ${sha256}`, upload);
      return upload;
    },
    async remove(owner, sha256) {
      const upload = await find(owner, sha256);
      uploads.delete(`${owner} ${sha256}`);
      return upload;
    },
  };
}

/** Removal of what jobs leave. */
export function fakeRetirement(
  contents: Map<string, Uint8Array>,
  find: (id: string) => Promise<JobRecord | undefined>,
) {
  const clear = async (id: string) => clearFiles(contents, id, await find(id));
  return { clearFiles: clear, purgeJob: clear };
}
