/**
 * Classes of jobs that are placed alike.
 *
 * Where the first job of a class waits for a pilot, the others do so too, without being tried: each of the
 * 100,000 elements of an array costs a lookup in a decision. Jobs of a class differ at most in what does not
 * affect the choice of a site.
 */
import type { JobDescription, JobRecord } from "../../model/index.ts";

/** Class of a job; undefined if its site depends on more than its description, consumer and files. */
export function placementClass(job: JobRecord): string | undefined {
  const { description, consumer, owner, inputBytes = 0, ticket, retried } = job;
  if (retried !== undefined || ticket !== undefined || description.fuzzyRank !== undefined) return undefined;
  const known = classes.get(description);
  if (known?.whose === whoseOf(job)) return known.text;
  const text = shared(JSON.stringify([consumer, owner, inputBytes, significantOf(description)]));
  classes.set(description, { whose: whoseOf(job), text });
  return text;
}

const whoseOf = ({ consumer, owner, inputBytes = 0 }: JobRecord): string =>
  `${consumer} ${owner} ${inputBytes}`;

/** Everything that affects the choice of a site; requirements and ranks may name any attribute. */
function significantOf(description: JobDescription): Partial<JobDescription> {
  if (description.requirements !== undefined || description.rank !== undefined) return description;
  const { name, arguments: _, environment, ...significant } = description;
  return significant;
}

/** Classes that were made, by description. */
const classes = new WeakMap<JobDescription, { readonly whose: string; readonly text: string }>();
/** Interned texts of classes: a hundred thousand jobs of one class share one text. */
const texts = new Map<string, string>();
const MOST_TEXTS = 1000;

function shared(text: string): string {
  const known = texts.get(text);
  if (known !== undefined) return known;
  if (texts.size >= MOST_TEXTS) texts.clear();
  texts.set(text, text);
  return text;
}
