import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { capturedProgram } from "../../test/captured-program.ts";
import { temporaryFolder } from "../../test/stint.ts";
import type { QuoteView, SiteView, StintClient } from "../api/client/index.ts";

const STREAM = `stream:
  name: s
  executable: { path: /bin/a }
  bandwidth: { min: 1MB/s }
  storage: { min: 1GB }
  limits: { wallTime: 2h }
  sources: { source: [{ href: "https://data.example/x" }] }
`;
const pool = { inboundBytesPerSec: 1, storageBytes: 1, directory: "/streams" };
const sites = [
  { name: "plain", spec: {} },
  { name: "west", spec: { streams: pool } },
] as unknown as SiteView[];

it("quote --stream at a site that takes no streams is refused", async () => {
  const file = join(temporaryFolder(), "s.yaml");
  writeFileSync(file, STREAM);
  const empty = { items: [], chosen: null, refused: [] } as unknown as QuoteView;
  const quote = vi.fn<StintClient["quote"]>(async () => empty);
  const program = capturedProgram({ quote, sites: async () => sites });
  const refused = await program.call("quote", "--stream", file, "--site", "plain");
  expect(refused).toMatchObject({ code: 5, err: expect.stringContaining("site plain takes no streams") });
  expect(refused.err).toContain("name a site that takes streams: west");
  expect(quote).not.toHaveBeenCalled();
  await program.call("quote", "--stream", file, "--site", "west", "-o", "json");
  expect(quote).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ sites: ["west"] }));
});
