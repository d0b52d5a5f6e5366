/** Verification of archives: each file, from file to file, and on to the live log. */
import { Fault } from "../../base/index.ts";
import type { LoggedEvent, Receipt } from "../../runtime/index.ts";
import { type ChainVerdict, verifyChain } from "../hash-chain.ts";
import { openArchive, type Stretch } from "./archive-file.ts";

/** Result for one file; `why`: the problem, in one sentence. */
export type ArchiveVerdict =
  | { readonly isIntact: true; readonly file: string; readonly stretch: Stretch }
  | { readonly isIntact: false; readonly file: string; readonly seq: number | null; readonly why: string };

/** A file to verify, and its ends as the log has recorded them, where they are known. */
export interface ArchiveToVerify {
  readonly file: string;
  readonly recorded?: Stretch;
}

/**
 * Verifies a file by itself, and that it continues what came before it.
 *
 * @param after last event before the file, where it is known
 */
export async function verifyArchive(
  { file, recorded }: ArchiveToVerify,
  after: Receipt | undefined,
): Promise<ArchiveVerdict> {
  const wrong = (seq: number | null, why: string): ArchiveVerdict => ({ isIntact: false, file, seq, why });
  let last: number | null = null;
  try {
    const { stretch, events, close } = await openArchive(file);
    const before = after ?? recorded?.after;
    if (before !== undefined && stretch.after.seq !== before.seq) {
      close();
      const seq = Math.min(stretch.after.seq, before.seq) + 1;
      return wrong(
        seq,
        `it continues event ${stretch.after.seq}, and the archive before ends with ${before.seq}`,
      );
    }
    const verdict = await verifyChain(
      noting(events, (seq) => (last = seq)),
      {
        after: before ?? stretch.after,
        through: recorded?.through ?? stretch.through,
      },
    );
    if (verdict.kind !== "intact") return wrong(verdict.seq, chainText(verdict));
    const end = recorded?.through ?? stretch.through;
    if (verdict.head.seq !== end.seq) {
      return wrong(end.seq + 1, `event ${end.seq + 1} was added behind its end`);
    }
    return { isIntact: true, file, stretch: { after: before ?? stretch.after, through: end } };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    const seq = last === null ? null : last + 1;
    return wrong(error.code === "archiveMissing" && last === null ? null : seq, error.why);
  }
}

/** Problem of a chain in words. */
export function chainText({ kind, seq }: Exclude<ChainVerdict, { kind: "intact" }>): string {
  return kind === "missing"
    ? `event ${seq} is missing, or is not at its place`
    : `event ${seq} is not what was recorded`;
}

async function* noting(
  events: AsyncIterable<LoggedEvent>,
  note: (seq: number) => void,
): AsyncIterable<LoggedEvent> {
  for await (const event of events) {
    note(event.seq);
    yield event;
  }
}
