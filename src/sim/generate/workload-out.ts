/**
 * Where a workload is written: a file that appears when it is whole, or a writer that may take its time.
 */
import { openSafeFile, type SwfWriter, swfWriter } from "../../formats/index.ts";
import type { WorkloadTarget } from "../../model/index.ts";

/** An SWF text on its way. */
export interface WorkloadOut {
  readonly swf: SwfWriter;
  /** Await it every so often, so that nothing piles up. */
  drained(): Promise<void>;
}

/**
 * Lets `write` write a workload; what fails leaves nothing of a file.
 *
 * @throws Fault as `openSafeFile`, and what `write` throws
 */
export async function writeWorkload<Result>(
  target: WorkloadTarget,
  write: (out: WorkloadOut) => Promise<Result>,
): Promise<Result> {
  return typeof target === "string" ? toFile(target, write) : toWriter(target, write);
}

async function toFile<Result>(path: string, write: (out: WorkloadOut) => Promise<Result>): Promise<Result> {
  const file = await openSafeFile(path);
  try {
    const swf = swfWriter((text) => file.write(text));
    const result = await write({ swf, drained: () => file.drained() });
    swf.flush();
    await file.commit();
    return result;
  } catch (error) {
    await file.abort();
    throw error;
  }
}

async function toWriter<Result>(
  writeText: (text: string) => Promise<void>,
  write: (out: WorkloadOut) => Promise<Result>,
): Promise<Result> {
  let pieces: string[] = [];
  const drained = async (): Promise<void> => {
    const taken = pieces;
    pieces = [];
    for (const piece of taken) await writeText(piece);
  };
  const swf = swfWriter((text) => pieces.push(text));
  const result = await write({ swf, drained });
  swf.flush();
  await drained();
  return result;
}
