import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { repositoryRoot } from "../../scripts/house/finding.ts";
import { plantTree } from "./plant.ts";

/** What the check for unused code says of a tree. */
function unusedIn(files: Readonly<Record<string, string>>): {
  readonly code: number | null;
  readonly out: string;
} {
  const knip = readFileSync(join(repositoryRoot, "knip.json"), "utf8");
  const root = plantTree({ "knip.json": knip, ...files });
  const program = join(repositoryRoot, "node_modules", "knip", "bin", "knip.js");
  const kinds = ["--include", "files,exports,types"];
  const { status, stdout } = spawnSync(process.execPath, [program, "--no-progress", ...kinds], {
    cwd: root,
    encoding: "utf8",
  });
  return { code: status, out: stdout };
}

describe("the check for unused code", () => {
  const entry = "import { used } from '../engine/some.ts';\nconsole.log(used);\n";
  const some = "export const used = 1;\n";

  it("finds nothing where everything is used", () => {
    const { out } = unusedIn({ "src/main/cli.ts": entry, "src/engine/some.ts": some });
    expect(out).not.toContain("src/engine");
  });

  it("finds what nothing imports: a value, a type, a whole file", () => {
    const { code, out } = unusedIn({
      "src/main/cli.ts": entry,
      "src/engine/some.ts": `${some}export const idle = 2;\nexport type Idle = 3;\n`,
      "src/engine/alone.ts": "export const nobody = 1;\n",
    });
    expect(code).toBe(1);
    expect(out).toMatch(/idle\s+src\/engine\/some\.ts/);
    expect(out).toMatch(/Idle\s+type\s+src\/engine\/some\.ts/);
    expect(out).toMatch(/src\/engine\/alone\.ts/);
  });
});
