/**
 * Job descriptions as files have them, in the words and units of the API.
 */
import type { JobSubmission } from "../contract/index.ts";
import type { JobDescription } from "../model/index.ts";

/** A description that was read, as it is said to a broker. */
export function asSubmitted({ wallTimeMs, virtual: _, ...same }: JobDescription): JobSubmission {
  return { ...same, ...(wallTimeMs === undefined ? {} : { wallTimeSec: wallTimeMs / 1000 }) };
}
