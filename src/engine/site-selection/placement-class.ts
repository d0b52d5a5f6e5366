/**
 * Classes of jobs that are placed alike.
 *
 * Where the first job of a class waits for a pilot, the others do so too, without being tried: each of the
 * 100,000 elements of an array costs a lookup in a decision. Jobs of a class differ at most in what does not
 * affect the choice of a site.
 */
import type { JobDescription, JobRecord } from "../../model/index.ts";

/** Class of a job; undefined where its place depends on more than its description and its consumer. */
export function placementClass(job: JobRecord): string | undefined {
  const { description, consumer, ticket, retried } = job;
  if (retried !== undefined || ticket !== undefined || description.fuzzyRank !== undefined) return undefined;
  const known = classes.get(description);
  if (known?.consumer === consumer) return known.text;
  const { name, arguments: _, environment, ...significant } = description;
  const text = shared(JSON.stringify([consumer, significant]));
  classes.set(description, { consumer, text });
  return text;
}

/** Classes that were made, by description. */
const classes = new WeakMap<JobDescription, { readonly consumer: string; readonly text: string }>();
/** One text per class, of which a hundred thousand jobs may be. */
const texts = new Map<string, string>();
const MOST_TEXTS = 1000;

function shared(text: string): string {
  const known = texts.get(text);
  if (known !== undefined) return known;
  if (texts.size >= MOST_TEXTS) texts.clear();
  texts.set(text, text);
  return text;
}
