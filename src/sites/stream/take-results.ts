/** Files that an application names in an acknowledgement: checked, and moved out of its reach. */
import { lstat, rename } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { Fault } from "../../base/index.ts";
import { blockName } from "./block-files.ts";

const MOST_RESULTS = 1000;
const RESULT_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,199}$/;

/** A result that was taken. */
export interface Result {
  readonly path: string;
  readonly bytes: number;
  /** Name of its object: by block, so that a repeated upload replaces it. */
  readonly name: string;
}

/** A block with results, and the folders that they are moved from and to. */
interface MadeFrom {
  readonly stream: string;
  readonly seq: number;
  readonly from: string;
  readonly to: string;
}

/** Moves the results of a block. @throws Fault for a file that cannot be a result */
export async function takeResults(
  { stream, seq, from: folder, to }: MadeFrom,
  given: readonly string[],
): Promise<readonly Result[]> {
  if (given.length > MOST_RESULTS) throw resultFault(stream, seq, `it has more than ${MOST_RESULTS} results`);
  const results: Result[] = [];
  for (const one of new Set(given.map((it) => resolve(folder, it)))) {
    const name = basename(one);
    if (one !== join(folder, name) || !RESULT_NAME.test(name)) {
      throw resultFault(stream, seq, `${one} is not directly in ${folder}, or its name is not plain`);
    }
    const status = await lstat(one).catch((cause: Error) => {
      throw resultFault(stream, seq, cause.message);
    });
    if (!status.isFile()) throw resultFault(stream, seq, `${one} is not a file`);
    const object = `${blockName(seq)}-${name}`;
    const path = join(to, object);
    await rename(one, path);
    results.push({ path, bytes: status.size, name: object });
  }
  return results;
}

function resultFault(stream: string, seq: number, why: string): Fault {
  return new Fault({
    ...{
      kind: "failed",
      code: "badResult",
      what: `results of block ${seq} of stream ${stream} are unusable`,
    },
    ...{
      why,
      remedy:
        "write results to $STINT_STREAM_RESULTS, with names of letters, digits, . _ -, and acknowledge them",
    },
  });
}
