/** An archive of the log as the API answers it. */
import type { ArchivedStretch } from "../runtime/index.ts";
import { isoInstant } from "./iso-instant.ts";

/** @param isFileShown whether the caller may know where files of the broker are */
export function archiveView(archive: ArchivedStretch, isFileShown: boolean) {
  const { file, after, through, firstAtMs, lastAtMs, sizeBytes } = archive;
  const [firstAt, lastAt] = [isoInstant(firstAtMs), isoInstant(lastAtMs)];
  return {
    ...{ from: after.seq + 1, through: through.seq, firstAt, lastAt, sizeBytes },
    file: isFileShown ? file : null,
  };
}
