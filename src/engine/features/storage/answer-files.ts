/**
 * What is said of files at sites: how much there is of them, that they were removed (rule EN-103).
 */
import { accepted, type Result } from "../../../base/index.ts";
import type { Command, Refusal, StintEvent } from "../../../model/index.ts";
import type { WithFiles } from "./files-book.ts";

/** Counted once after the end of an attempt; removed, also where nothing was counted. */
export function answerFiles(
  { files: { files } }: WithFiles,
  command: Extract<Command, { kind: "countFiles" | "clearFiles" }>,
  nowMs: number,
): Result<readonly StintEvent[], Refusal> {
  const { files: id } = command;
  const known = files.get(id);
  if (command.kind === "clearFiles") {
    if (known?.state === "cleared" || known?.state === "live") return accepted([]);
    return accepted([{ kind: "filesCleared", files: id, site: command.site, by: command.by, atMs: nowMs }]);
  }
  if (known?.state !== "over") return accepted([]);
  return accepted([{ kind: "filesCounted", files: id, site: known.site, bytes: command.bytes, atMs: nowMs }]);
}
