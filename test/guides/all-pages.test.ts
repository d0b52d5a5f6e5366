import { existsSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, it } from "vitest";

const guides = resolve(import.meta.dirname, "../../docs/guides");
/**
 * Run where Slurm is installed, by slurm-clusters.test.ts and slurm-guide.test.ts; or written by a test, as
 * the table of src/sim/combinations.test.ts is.
 */
const ELSEWHERE: ReadonlySet<string> = new Set(["test-clusters.md", "administrators.md", "combinations.md"]);

it.each(readdirSync(guides).filter((page) => !ELSEWHERE.has(page)))(
  "%s is run by a test of its own",
  (page) => {
    expect(existsSync(join(import.meta.dirname, page.replace(/\.md$/, ".test.ts")))).toBe(true);
  },
);
