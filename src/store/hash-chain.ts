/**
 * The hash chain: every event's hash covers the event and the hash before it, so that an altered, removed or
 * inserted event changes every later hash.
 *
 * The hash of an event is the SHA-256, in hexadecimal, of the UTF-8 bytes of this one line, which is
 * canonical JSON (RFC 8785, members in this order, no blanks):
 *
 *     {"atMs":…,"body":{…},"kind":"…","previousHash":"…","seq":…,"version":…}
 *
 * `previousHash` of event 1 is 64 zeros. To recompute a hash with any JCS library: take the event without its
 * hash, add `previousHash`, canonicalise, SHA-256. The chain alone does not show that its end is missing; a
 * head that was recorded elsewhere does.
 */
import { createHash } from "node:crypto";
import type { LoggedEvent, Receipt } from "../runtime/index.ts";
import { canonicalJson } from "./canonical-json.ts";
import { logDamaged } from "./store-fault.ts";

/** An event whose body is canonical text. */
export interface EventText {
  readonly kind: string;
  readonly version: number;
  readonly atMs: number;
  readonly body: string;
}

/** Head of the empty log. */
export const emptyHead: Receipt = { seq: 0, hash: "0".repeat(64) };

/** Head after `event` is appended to `head`. */
export function chain(head: Receipt, event: EventText): Receipt {
  const seq = head.seq + 1;
  const text =
    `{"atMs":${event.atMs},"body":${event.body},"kind":${JSON.stringify(event.kind)},` +
    `"previousHash":"${head.hash}","seq":${seq},"version":${event.version}}`;
  return { seq, hash: createHash("sha256").update(text).digest("hex") };
}

/** Result of a verification: in order up to `head`, or the first event that is not. */
export type ChainVerdict =
  | { readonly kind: "intact"; readonly head: Receipt }
  | { readonly kind: "missing"; readonly seq: number }
  | { readonly kind: "altered"; readonly seq: number };

/** Start of a verification, and the head that it must reach. */
export interface ChainEnds {
  /** Head before the first event; default: that of the empty log. */
  readonly after?: Receipt;
  /** A head that was recorded elsewhere, which the events must reach or pass. */
  readonly through?: Receipt;
}

/** Recomputes the chain over `events`; names the first event that is missing or altered. */
export async function verifyChain(
  events: AsyncIterable<LoggedEvent>,
  { after = emptyHead, through = after }: ChainEnds = {},
): Promise<ChainVerdict> {
  let head = after;
  for await (const event of events) {
    const seq = head.seq + 1;
    if (event.seq > seq) return { kind: "missing", seq };
    const next = chain(head, { ...event, body: canonicalJson(event.body, logDamaged) });
    if (event.seq !== seq || event.hash !== next.hash) return { kind: "altered", seq };
    if (seq === through.seq && next.hash !== through.hash) return { kind: "altered", seq };
    head = next;
  }
  return head.seq < through.seq ? { kind: "missing", seq: head.seq + 1 } : { kind: "intact", head };
}
