/**
 * `npm run size`: size of the product by folder. Files and lines of src/ without tests, the median file,
 * and short files with one importer.
 */
import { dirname, join, normalize } from "node:path";
import { repositoryRoot } from "./house/finding.ts";
import { isSource, isTest, listFiles, readText } from "./house/tree.ts";

const files = listFiles(repositoryRoot, "src")
  .filter((file) => isSource(file) && !isTest(file))
  .map((file) => ({ file, text: readText(repositoryRoot, file) ?? "" }))
  .map(({ file, text }) => ({ file, text, lines: text.split("\n").length - 1 }));

/** Number of importers of each file, by path. */
const importers = new Map<string, number>();
for (const { file, text } of files) {
  const named = [...text.matchAll(/(?:from|import)\s*\(?\s*"(\.\.?\/[^"]+)"/g)];
  for (const path of new Set(named.map(([, path]) => normalize(join(dirname(file), path))))) {
    importers.set(path, (importers.get(path) ?? 0) + 1);
  }
}

const sum = (some: typeof files): number => some.reduce((lines, file) => lines + file.lines, 0);
const folders = [...new Set(files.map(({ file }) => file.split("/")[1]))];
const byFolder = folders.map(
  (folder) => [folder, files.filter(({ file }) => file.split("/")[1] === folder)] as const,
);
for (const [folder, some] of byFolder.sort(([, a], [, b]) => sum(b) - sum(a))) {
  console.log(
    `${folder.padEnd(12)}${String(some.length).padStart(6)} files${String(sum(some)).padStart(9)} lines`,
  );
}
const sizes = files.map(({ lines }) => lines).sort((a, b) => a - b);
const alone = files.filter(({ file, lines }) => importers.get(file) === 1 && lines < 80);
const tests = listFiles(repositoryRoot).filter((file) => isSource(file) && isTest(file));
const asserted = tests.reduce(
  (count, file) => count + (readText(repositoryRoot, file)?.match(/\bexpect\b/g)?.length ?? 0),
  0,
);
console.log(`all         ${String(files.length).padStart(6)} files${String(sum(files)).padStart(9)} lines`);
console.log(
  `median ${sizes[sizes.length >> 1]} lines; ${alone.length} files below 80 lines have one importer`,
);
console.log(`${tests.length} files of tests with ${asserted} expectations`);
