/** Pseudonyms for people: equal names stay equal under one key, and cannot be guessed without it. */
import { createHmac } from "node:crypto";

const SHOWN = 16;

/** Pseudonyms under a key. */
export function pseudonymsOf(key: Uint8Array): (name: string) => string {
  return (name) => createHmac("sha256", key).update(name).digest("hex").slice(0, SHOWN);
}
