/**
 * Two streams of jobs as one, in order of submission where both are; equal times from the first stream
 * come first.
 */
import { swfField } from "../../formats/index.ts";
import type { TraceRow } from "./trace-rows.ts";

type Batches = AsyncGenerator<readonly TraceRow[], void, undefined>;

/** Merges; holds a batch of each. */
export async function* mergeByTime(first: Batches, second: Batches): Batches {
  const one = new Lane(first);
  const other = new Lane(second);
  for (;;) {
    await one.fill();
    await other.fill();
    const merged: TraceRow[] = [];
    while (one.head !== undefined && other.head !== undefined) {
      const isFirst = one.head.row[swfField.submit] <= other.head.row[swfField.submit];
      merged.push(isFirst ? one.take() : other.take());
    }
    if (merged.length > 0) yield merged;
    if (one.hasEnded) return yield* other.rest();
    if (other.hasEnded) return yield* one.rest();
  }
}

/** One stream with what of it was read and not taken. */
class Lane {
  readonly #batches: Batches;
  #rows: readonly TraceRow[] = [];
  #at = 0;
  #isRead = false;

  constructor(batches: Batches) {
    this.#batches = batches;
  }

  get head(): TraceRow | undefined {
    return this.#rows[this.#at];
  }

  get hasEnded(): boolean {
    return this.#isRead && this.head === undefined;
  }

  take(): TraceRow {
    return this.#rows[this.#at++];
  }

  /** Sees to it that there is a head, unless the stream has ended. */
  async fill(): Promise<void> {
    while (this.head === undefined && !this.#isRead) {
      const next = await this.#batches.next();
      this.#isRead = next.done === true;
      this.#rows = next.done === true ? [] : next.value;
      this.#at = 0;
    }
  }

  async *rest(): Batches {
    if (this.head !== undefined) yield this.#rows.slice(this.#at);
    yield* this.#batches;
  }
}
