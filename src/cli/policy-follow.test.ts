import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { capturedProgram } from "../../test/captured-program.ts";

it("CL-111 an https address is asked, with the certificates of a file; a missing file is said", async () => {
  const folder = mkdtempSync(join(tmpdir(), "stint-follow-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const token = join(folder, "token");
  writeFileSync(token, "stint_x\n");
  const here = capturedProgram({
    sites: async () => [],
    policies: async () => ({ now: null, coming: [], enforcers: [], followers: [] }),
  });
  const follow = (...more: readonly string[]) =>
    here.call("policy", "follow", "https://127.0.0.1:1", "--token-file", token, "--name", "w", ...more);
  expect(await follow("--once")).toMatchObject({
    ...{ code: 69, err: expect.stringContaining("https://127.0.0.1:1 cannot be reached") },
  });
  const missing = await follow("--once", "--ca", join(folder, "none.pem"));
  expect(missing).toMatchObject({ code: 2, err: expect.stringContaining("none.pem cannot be read") });
});
