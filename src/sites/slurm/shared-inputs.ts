/**
 * Input files that elements of an array share: sent to the site once, into a directory of the array, from
 * which the wrapper of each element copies those that it needs when it begins (rule SU-52).
 *
 *     DIRECTORY/ARRAY_inputs/work/    the files
 *
 * The array is recorded before anything is sent, and a file when it is there: files that a broker was sending
 * when it died are sent again.
 */
import { posix } from "node:path";
import type { InputFile, SharedInputs } from "../../runtime/index.ts";
import type { SentInputs } from "./attempt-book.ts";
import type { RecordFolder } from "./record-folder.ts";
import type { AttemptFiles } from "./site-files.ts";

/** Runs actions on the files of an array, given by its id, one at a time. */
export type InTurn = (array: string, deed: () => Promise<void>) => Promise<void>;

/** Runs actions on the same array one after the other; a failure is reported only to its caller. */
export function inTurnByArray(): InTurn {
  const last = new Map<string, Promise<void>>();
  return (array, deed) => {
    const now = (last.get(array) ?? Promise.resolve()).then(deed);
    const over = now.catch(() => undefined);
    last.set(array, over);
    void over.then(() => {
      if (last.get(array) === over) last.delete(array);
    });
    return now;
  };
}

/** Token under which the shared files of an array are stored, in the form of that of an attempt. */
export function sharedPlace(array: string): string {
  return `${array}/inputs`;
}

/** Input files of an order that no other element shares. */
export function ownInputs(files: readonly InputFile[]): readonly InputFile[] {
  return files.filter(({ sharedBy }) => sharedBy === undefined);
}

/** Directory with the shared files of an order, and their names; undefined where it has none. */
export function sharedInputs(files: readonly InputFile[], placeOf: AttemptFiles["placeOf"]) {
  const shared = files.filter(({ sharedBy }) => sharedBy !== undefined);
  const array = shared[0]?.sharedBy;
  if (array === undefined) return undefined;
  return {
    directory: posix.join(placeOf(sharedPlace(array)), "work"),
    names: shared.map(({ name }) => name),
  };
}

interface Sharing {
  readonly book: RecordFolder<SentInputs>;
  readonly files: Pick<AttemptFiles, "send" | "remove">;
  readonly inTurn: InTurn;
}

/** Sends those of the shared files of an order that are not at the site. */
export async function sendShared(
  { book, files, inTurn }: Sharing,
  inputFiles: readonly InputFile[],
): Promise<void> {
  const shared = inputFiles.filter(({ sharedBy }) => sharedBy !== undefined);
  const array = shared[0]?.sharedBy;
  if (array === undefined) return;
  await inTurn(array, async () => {
    const there = new Set(book.find(array)?.names);
    const missing = shared.filter(({ name }) => !there.has(name));
    if (missing.length === 0) return;
    await book.write({ token: array, names: [...there] });
    await files.send(sharedPlace(array), missing);
    await book.write({ token: array, names: [...there, ...missing.map(({ name }) => name)] });
  });
}

/** Shared files at a site as the port has them. @param writable the files, or a fault about an action */
export function inputsOfArrays(
  { book, inTurn }: Omit<Sharing, "files">,
  writable: (what: string) => AttemptFiles,
): SharedInputs {
  return {
    arrays: () => [...book.all()].map(({ token }) => token),
    drop: async (array) => {
      const files = writable(`remove the input files of ${array}`);
      await dropShared({ book, files, inTurn }, array);
    },
  };
}

/** Removes the shared files of an array, after any that are being sent. */
export function dropShared({ book, files, inTurn }: Sharing, array: string): Promise<void> {
  return inTurn(array, async () => {
    if (book.find(array) === undefined) return;
    await files.remove(sharedPlace(array));
    await book.remove(array);
  });
}
