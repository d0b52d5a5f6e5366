import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { draws } from "../../../test/draws.ts";
import { beginDigest, type DigestKind, endDigest, extendDigest } from "./digest.ts";

const plainAdler = (data: Uint8Array): string => {
  let low = 1;
  let high = 0;
  for (const byte of data) {
    low = (low + byte) % 65_521;
    high = (high + low) % 65_521;
  }
  return (high * 65_536 + low).toString(16).padStart(8, "0");
};
const plain = (kind: DigestKind, data: Uint8Array): string =>
  kind === "adler32" ? plainAdler(data) : createHash(kind).update(data).digest("hex");

describe.each<DigestKind>(["adler32", "md5", "sha256"])("%s", (kind) => {
  it("equals the plain one however the bytes are cut, and written down between", () => {
    const pieces = fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 8 });
    fc.assert(
      fc.property(pieces, (parts) => {
        const state = parts.reduce(
          (so, part) => JSON.parse(JSON.stringify(extendDigest(so, part))),
          beginDigest(kind),
        );
        expect(endDigest(state)).toBe(plain(kind, Buffer.concat(parts)));
      }),
      draws(200),
    );
  });

  it("of a megabyte of 0xff", () => {
    const data = Buffer.alloc(1_000_000, 0xff);
    expect(endDigest(extendDigest(beginDigest(kind), data))).toBe(plain(kind, data));
  });
});
