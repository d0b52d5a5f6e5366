import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { policiesToApply } from "./policies-to-apply.ts";

it("shares of what a site here does not declare are remarks", async () => {
  const folder = mkdtempSync(join(tmpdir(), "stint-apply-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "a.policy.yaml");
  const tuple = (resource: string, site: string) => `- "${resource}, ${site}, cms, (3600,20), (5,60)"\n`;
  const tuples = [
    ...[tuple("STORAGE", "west"), tuple("NETWORK", "west"), tuple("CPU", "west")],
    ...[tuple("STORAGE", "east"), tuple("NETWORK", "east"), tuple("STORAGE", "elsewhere")],
  ];
  writeFileSync(file, tuples.join(""));
  const places = [
    { name: "west", procs: 8, memory: 1024 },
    { name: "east", procs: 8, memory: 1024, storage: 1000 },
    // Of another broker: what it has is not known here.
    { name: "elsewhere" },
  ];
  const { files, policies } = await policiesToApply({ files: [file], atMs: 0, places });
  expect(policies.length).toBe(6);
  expect(files[0].problems).toEqual([]);
  expect(files[0].warnings.map(({ line, code, why }) => [line, code, why])).toEqual([
    [1, "nothingToEnforce", "west declares no stores"],
    [2, "nothingToEnforce", "west declares no links"],
    [5, "nothingToEnforce", "east declares no links"],
  ]);
});
