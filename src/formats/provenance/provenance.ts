/** Provenance of a job with its events, as every form of it is made from. */
import type { EventView, ProvenanceView } from "../../contract/index.ts";

/** Where a result came from, and what happened. */
export interface Provenance extends ProvenanceView {
  readonly events: readonly EventView[];
}

/** The command line as words, quoted where a shell would need it. */
export function commandOf({ job }: Pick<Provenance, "job">): string {
  return [job.executable, ...job.arguments]
    .map((word) => (/^[\w./=:@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`))
    .join(" ");
}
