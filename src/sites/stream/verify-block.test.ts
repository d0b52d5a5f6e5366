import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import type { Block } from "./block-book.ts";
import { verifyBlock } from "./verify-block.ts";

it("SW-5 a wrong checksum is an error whose reason, which `status` shows, names the block", async () => {
  const folder = mkdtempSync(join(tmpdir(), "verify-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "block");
  writeFileSync(path, "data");
  const found = createHash("sha256").update("data").digest("hex");
  const block = { seq: 0, offset: 0 } as Block;
  const order = { path, href: "file:/data", before: null, isLastOfSource: true };
  await expect(verifyBlock({ ...order, block, checksum: `sha256:${found}` })).resolves.toBeDefined();
  const wrong = verifyBlock({ ...order, block: { ...block, seq: 7 }, checksum: "sha256:0" });
  await expect(wrong).rejects.toMatchObject({
    code: "checksumDiffers",
    why: `block 7: up to the end of this block the sha256 of file:/data is ${found}, but 0 was expected`,
  });
});
