import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { capturedProgram } from "../../test/captured-program.ts";
import { POLICY_DEFAULTS } from "../model/index.ts";

it("an https address is asked, with the certificates of a file; a missing file is said", async () => {
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

/** A broker of an earlier version: whatever it is asked, its answer has lengths in milliseconds. */
async function earlierBroker(): Promise<string> {
  const epoch = { window: { kind: "sliding", lengthMs: 1 }, sharePpm: 1 };
  const policies = [{ ...POLICY_DEFAULTS, provider: "west", consumer: "cms", epoch }];
  const now = { version: 1, policies, effectiveFrom: "2026-01-01T00:00:00.000Z", by: "ann", note: "" };
  const told = { asOfMs: 0, dispatched: [], leftOut: 0 };
  const answer = { now, coming: [], enforcers: [], followers: [], ...told };
  const server = createServer((_, response) => {
    response.setHeader("content-type", "application/json").end(JSON.stringify(answer));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${Object(server.address()).port}`;
}

it("a followed broker of an earlier version is told to be one; nothing of it is taken", async () => {
  const folder = mkdtempSync(join(tmpdir(), "stint-follow-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const token = join(folder, "token");
  writeFileSync(token, "stint_x\n", { mode: 0o600 });
  const [applyPolicies, hearPeer] = [vi.fn(), vi.fn()];
  const here = capturedProgram({
    sites: async () => [],
    policies: async () => ({ now: null, coming: [], enforcers: [], followers: [] }),
    ...{ applyPolicies, hearPeer },
  });
  const url = await earlierBroker();
  for (const noun of ["policy", "peer"]) {
    const words = [noun, "follow", url, "--token-file", token, "--name", "w", "--once"];
    const { code, err } = await here.call(...words);
    expect({ noun, code, err }).toEqual({
      ...{ noun, code: 1, err: expect.stringContaining(`the broker at ${url} has another version`) },
    });
  }
  expect([...applyPolicies.mock.calls, ...hearPeer.mock.calls]).toEqual([]);
});
