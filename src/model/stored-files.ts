/** Files that Stint stores at a site for a job: its input files, its output, and the states that it saves. */

/** So many bytes from an instant on. */
interface StoredStep {
  /** Unix ms. */
  readonly atMs: number;
  readonly bytes: number;
}

/**
 * The files of one attempt of a job at a site. `live`: the attempt has not ended, its input files count;
 * `over`: it has ended, and its output has not been counted yet; `kept`: output counted; `cleared`: nothing
 * remains.
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
  /** Reservation whose part of the stores holds the files; else absent. */
  readonly boundTo?: string;
  /** In order; the last is what there is. */
  readonly steps: readonly StoredStep[];
}

/** Present size, in bytes. */
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
  /** True where the files exceed even an empty store. */
  readonly isNever: boolean;
  /** Instant at which there is space if nothing is removed or added, Unix ms; null: never, or unknown. */
  readonly untilMs: number | null;
}

/** Name of a state that a job saved. */
export const CHECKPOINT_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
/** A state of a job, as `ID:NAME`. */
export const CHECKPOINT_PATTERN = `^[a-z0-9-]{1,64}:${CHECKPOINT_NAME.source.slice(1)}`;

/** A state that a job saved, whole. */
export interface SavedState {
  readonly name: string;
  /** The attempt that saved it. */
  readonly attempt: number;
  /** By the clock of its node, Unix ms. */
  readonly savedAtMs: number;
  readonly files: number;
  readonly sizeBytes: number;
}
