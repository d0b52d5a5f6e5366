/** Job descriptions of files, converted to the fields and units of the API. */
import type { JobSubmission } from "../contract/index.ts";
import type { JobDescription } from "../model/index.ts";

/** A submission of the API from a description that was read. */
export function asSubmitted({ wallTimeMs, virtual: _, ...same }: JobDescription): JobSubmission {
  return { ...same, ...(wallTimeMs === undefined ? {} : { wallTimeSec: wallTimeMs / 1000 }) };
}
