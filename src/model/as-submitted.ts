/** Job descriptions that were read, in the fields and units of the API. */
import type { JobDescription } from "./job-description.ts";

/** A description as the API has it: the time limit in seconds. */
type Submitted = Omit<JobDescription, "wallTimeMs" | "virtual"> & { readonly wallTimeSec?: number };

/** A submission of the API from a description. */
export function asSubmitted({ wallTimeMs, virtual: _, ...same }: JobDescription): Submitted {
  return { ...same, ...(wallTimeMs === undefined ? {} : { wallTimeSec: wallTimeMs / 1000 }) };
}
