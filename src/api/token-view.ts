/** Tokens as the API writes them: without their hash. */
import type { TokenView } from "../contract/index.ts";
import { type TokenRecord, tokenState } from "../model/index.ts";
import { isoInstant } from "./iso-instant.ts";

/** The record as JSON for people. */
export function tokenView(record: TokenRecord, nowMs: number): TokenView {
  const { id, role, consumer, site, scopes, label, createdBy } = record;
  return {
    id,
    state: tokenState(record, nowMs),
    role,
    consumer,
    site,
    scopes,
    label,
    createdBy,
    createdAt: isoInstant(record.createdAtMs),
    expiresAt: isoInstant(record.expiresAtMs),
    revokedAt: record.revokedAtMs === null ? null : isoInstant(record.revokedAtMs),
  };
}
