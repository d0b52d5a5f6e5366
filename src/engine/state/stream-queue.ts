/** Queue of the class of processors that a stream has got. */
import type { Projection } from "./projection.ts";

/** Queue that the job of a stream names at a site; undefined for other jobs, and where its class has none. */
export function streamQueue({ books, sites }: Projection, job: string, site: string): string | undefined {
  const { className, site: at } = books.streams.get(job) ?? {};
  if (className === undefined || at !== site) return undefined;
  const classes = sites.get(site)?.spec.streams?.classes ?? [];
  return classes.find(({ name }) => name === className)?.queue;
}
