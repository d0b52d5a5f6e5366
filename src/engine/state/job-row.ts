/** A job's record as a row of the view of jobs. */
import { type JobRecord, wholeOf } from "../../model/index.ts";
import { tagsText } from "./job-tags.ts";

/** The row of a changed record. */
export function jobRow({ record }: { readonly record: JobRecord }) {
  const { state, owner, consumer, site, submittedAtMs, endedAtMs, exitCode } = record;
  const { name = null, userTags } = record.description;
  const found = { name, tags: tagsText(userTags), array: wholeOf(record) ?? null };
  const instants = { submittedAtMs, ord: record.order, endedAtMs };
  const columns = { state, owner, consumer, site, exitCode, ...instants, ...found };
  return { view: "jobs", key: record.id, record, columns };
}
