/**
 * The files of jobs in a broker of plain objects: their bytes under `JOB/NAME`.
 */
import { accepted, refused } from "../../src/base/index.ts";
import type { Answer } from "../../src/engine/index.ts";
import { isFinal, type JobRecord } from "../../src/model/index.ts";
import { type AppendedPart, type FilePart, stillToAppend } from "../../src/runtime/index.ts";

/** The files of a job with their sizes. */
export function filesOf(contents: ReadonlyMap<string, Uint8Array>, id: string) {
  return [...contents].flatMap(([key, { length }]) => {
    const [of, name = ""] = key.split("/");
    return of === id ? { name, sizeBytes: length } : [];
  });
}

/** Removes the files of a job that is over. */
export function clearFiles(
  contents: Map<string, Uint8Array>,
  id: string,
  job: JobRecord | undefined,
): Answer {
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
