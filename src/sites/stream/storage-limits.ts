/** Limits of a stream's storage, from its order and its quota of now. */
import type { BlockBook } from "./block-book.ts";
import { pipeBytes } from "./deliver-bytes.ts";
import type { StreamOrder } from "./stream-order.ts";

/** Limits under a quota. */
export function limitsOf(order: StreamOrder, quotaBytes: number): Parameters<BlockBook["changeLimits"]>[0] {
  const { haltAboveBytes, resumeBelowBytes, blockBytes, application } = order;
  // A filter acknowledges nothing more while its pipe is full and no data come.
  const inPipe = application.delivery === "bytes" ? pipeBytes() + blockBytes : 0;
  return {
    quotaBytes,
    resumeAtLeastBytes: inPipe,
    ...(haltAboveBytes === undefined ? {} : { haltAboveBytes }),
    ...(resumeBelowBytes === undefined ? {} : { resumeBelowBytes }),
  };
}
