/** A change of a job that waits, as a user requests it. */

/** New values of a waiting job; what is absent stays. */
export interface JobChange {
  readonly wallTimeMs?: number;
  readonly procs?: number;
  readonly memoryBytes?: number;
  /** Null: chosen by the broker. */
  readonly site?: string | null;
  readonly name?: string;
  /** Added to the tags, or instead of those of the same key. */
  readonly userTags?: Readonly<Record<string, string>>;
  /** In the numbers of the queue that the job is in, ≥ 1; larger is sooner. */
  readonly priority?: number;
}
