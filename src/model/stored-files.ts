/**
 * What Stint itself keeps at a site for a job: the files that go with it, and what it leaves there.
 */

/** So many bytes from an instant on. */
interface StoredStep {
  /** Unix ms. */
  readonly atMs: number;
  readonly bytes: number;
}

/**
 * The files of one attempt of a job at a site. `live`: it is not over, its input files count; `over`: it
 * is, and what it left has not been counted yet; `kept`: that was counted; `cleared`: nothing is left.
 */
export interface StoredFiles {
  /** The token of the attempt. */
  readonly id: string;
  readonly job: string;
  readonly attempt: number;
  readonly site: string;
  readonly consumer: string;
  readonly owner: string;
  readonly state: "live" | "over" | "kept" | "cleared";
  /** What was reserved of the stores together with its job's reservation takes it; else absent. */
  readonly boundTo?: string;
  /** In order; the last is what there is. */
  readonly steps: readonly StoredStep[];
}

/** How much of it is there now, in bytes. */
export function bytesNow({ steps }: StoredFiles): number {
  return steps.at(-1)?.bytes ?? 0;
}

/** A limit that keeps new files from a site. Bytes; of an `epoch`, means over its window. */
export interface StoreLimit {
  readonly site: string;
  /**
   * Of a level at any instant, of a level over its window, what the stores hold in all, or what was
   * reserved of them.
   */
  readonly limit: "burst" | "epoch" | "capacity" | "reservation";
  /** The consumer whose limit it is, and who gives it that; null where it is the site's own. */
  readonly level: string | null;
  readonly provider: string | null;
  readonly usedBytes: number;
  readonly askedBytes: number;
  readonly limitBytes: number;
  /** It could not be taken even if nothing else were there. */
  readonly isNever: boolean;
  /** When it has room again if nothing is removed or added, Unix ms; null: never, or not known. */
  readonly untilMs: number | null;
}
