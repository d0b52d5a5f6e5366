/** Descriptions of jobs with the new values of a change. */
import type { JobChange, JobDescription } from "../model/index.ts";

/** The description with the new values. */
export function changedDescription(
  { site: at, ...description }: JobDescription,
  change: JobChange,
): JobDescription {
  const { site = at ?? null, userTags, priority: _, ...values } = change;
  return {
    ...description,
    ...values,
    ...(site === null ? {} : { site }),
    userTags: { ...description.userTags, ...userTags },
  };
}
