/**
 * Moves a file of a workflow between a site and the broker in pieces, within the rates of the site's links
 * (rule BR-54), and continues where an earlier move was interrupted.
 */

import { open } from "node:fs/promises";
import { messageOf } from "../../base/index.ts";
import { attemptToken, type JobRecord, pilotFile, type WorkflowFile } from "../../model/index.ts";
import type { SiteFiles } from "../../runtime/index.ts";
import type { Sandboxes } from "../sandbox.ts";
import type { Sites } from "../sites.ts";
import type { Transfers } from "../transfers.ts";
import { CopyProblem, ResultTooLarge, type StoredContent } from "./workflow-store.ts";

const PIECE_BYTES = 4 * 2 ** 20;

/** Dependencies on the broker. */
export interface MovingWorld {
  readonly sites: Pick<Sites, "get">;
  readonly sandboxes: Pick<Sandboxes, "workflows" | "filesOf">;
  readonly transfers: Pick<Transfers, "pass" | "giveBack">;
  /** A job, over or not. */
  readonly find: (id: string) => Promise<JobRecord | undefined>;
}

/** Files of an attempt at its site. */
interface Place {
  readonly files: SiteFiles;
  readonly token: string;
  readonly link: {
    readonly site: string;
    readonly consumer: string;
    readonly reservation?: string | undefined;
  };
}

async function placeOf({ sites, find }: MovingWorld, id: string): Promise<Place> {
  const job = await find(id);
  const site = job?.site ?? "";
  const files = sites.get(site)?.files;
  if (job === undefined || files === undefined) throw new CopyProblem(`the site of ${id} is not open`);
  const { consumer, description } = job;
  const link = { site, consumer, reservation: description.reservation };
  return { files, token: attemptToken(id, job.attempt), link };
}

/**
 * Fetches a file from one of its copies.
 *
 * @throws CopyProblem where it cannot be read there, ResultTooLarge where it has more bytes than it may have
 */
export async function fetchFile(
  world: MovingWorld,
  { workflow, at, checksum, bytes, copies: [{ job, path }] }: WorkflowFile,
  mostBytes: number,
): Promise<StoredContent> {
  if ((bytes ?? 0) > mostBytes) throw new ResultTooLarge();
  const { files, token, link } = await placeOf(world, job);
  const { transfers, sandboxes } = world;
  const read = async (fromByte: number): Promise<Uint8Array> => {
    const request = { ...link, mostBytes: PIECE_BYTES };
    const mayBytes = await transfers.pass(request);
    let readBytes = 0;
    try {
      const part = await files.readFile(token, path, fromByte, mayBytes).catch((cause: unknown) => {
        throw new CopyProblem(messageOf(cause), cause);
      });
      if (part === undefined) throw new CopyProblem(`${path} of ${job} does not exist`);
      readBytes = part.bytes.length;
      return part.bytes;
    } finally {
      transfers.giveBack(request, mayBytes - readBytes);
    }
  };
  return sandboxes.workflows.fetch({ workflow, at, from: job, checksum, mostBytes, read });
}

/** Sends a stored file into the directory of a pilot. @returns the bytes that were sent */
export async function sendFile(world: MovingWorld, file: WorkflowFile, job: string): Promise<number> {
  const { files, token, link } = await placeOf(world, job);
  const { addFile, appendFile } = files;
  if (addFile === undefined || appendFile === undefined)
    throw new Error("the site accepts no files for running jobs");
  const name = pilotFile(file.at);
  const append = (bytes: Uint8Array, atByte: number) => files.appendFile?.(token, name, { bytes, atByte });
  let there = await append(new Uint8Array(), 0);
  if (there === undefined) {
    await files.addFile?.(token, name, new Uint8Array());
    there = 0;
  }
  const source = await open(sourceOf(world, file), "r");
  let sent = 0;
  try {
    const { size } = await source.stat();
    while (there < size) {
      const mayBytes = await world.transfers.pass({
        ...link,
        mostBytes: Math.min(PIECE_BYTES, size - there),
      });
      const { buffer, bytesRead } = await source.read(new Uint8Array(mayBytes), 0, mayBytes, there);
      const after = await append(buffer.subarray(0, bytesRead), there);
      if (after === undefined || after <= there)
        throw new Error(`no more bytes can be appended to ${name} of ${job}`);
      sent += after - there;
      there = after;
    }
  } finally {
    await source.close();
  }
  return sent;
}

/** Path at the broker of a stored file. @throws Error where the copy of the user's file is not there */
export function sourceOf(
  { sandboxes }: Pick<MovingWorld, "sandboxes">,
  { workflow, at, name, writer }: Pick<WorkflowFile, "workflow" | "at" | "name" | "writer">,
): string {
  if (writer !== null) return sandboxes.workflows.pathOf(workflow, at);
  const asked = `/./${name}`;
  const [{ source }] = sandboxes.filesOf(workflow, [asked]);
  // If the broker has no copy, the path would be that of a file in the root directory of its machine.
  if (source === asked) throw new Error(`the broker has no copy of ${name} of workflow ${workflow}`);
  return source;
}

/** Removes the copies of a file at sites, and at the broker unless it is to be kept there. */
export async function removeCopies(world: MovingWorld, file: WorkflowFile): Promise<void> {
  for (const { job, path } of file.copies) {
    const { files, token } = await placeOf(world, job);
    await files.removeFile?.(token, path);
  }
  if (!file.isResult && file.writer !== null) await world.sandboxes.workflows.remove(file.workflow, file.at);
}
