/** Small trees with violations planted in them, under the repository's own configuration. */
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll } from "vitest";
import { type Finding, repositoryRoot } from "../../scripts/house/finding.ts";

/** Files by path relative to the tree. */
export type Files = Readonly<Record<string, string>>;

/** Makes a tree with these files, this repository's configuration, and its src/base; removed at the end. */
export function plantTree(files: Files): string {
  const root = newTree();
  for (const name of ["package.json", "tsconfig.base.json", "tsconfig.core.json"]) {
    cpSync(join(repositoryRoot, name), join(root, name));
  }
  symlinkSync(join(repositoryRoot, "node_modules"), join(root, "node_modules"));
  cpSync(join(repositoryRoot, "src/base"), join(root, "src/base"), {
    recursive: true,
    filter: (path) => !/\.(test\.ts|md)$/.test(path),
  });
  plant(root, files);
  return root;
}

/** Makes a tree with these files and nothing else; removed at the end. */
export function plantBareTree(files: Files): string {
  const root = newTree();
  plant(root, files);
  return root;
}

const planted: string[] = [];
// Registered while the test file is read: inside a hook or a test it would never run.
afterAll(() => {
  for (const root of planted) rmSync(root, { recursive: true });
});

function newTree(): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "stint-house-")));
  planted.push(root);
  return root;
}

function plant(root: string, files: Files): void {
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  }
}

/** The rules that found something in `file`, each once, sorted. */
export function rulesBrokenBy(file: string, findings: readonly Finding[]): string[] {
  return [...new Set(findings.filter((it) => it.file === file).map(({ rule }) => rule))].sort();
}
