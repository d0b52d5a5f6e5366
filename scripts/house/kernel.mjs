/**
 * Compiles the kernel of plain replays (src/queue/kernel/assembly, AssemblyScript) to WebAssembly and writes
 * it into a module beside it. Plain JavaScript, since `npm install` runs it (prepare).
 */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";

const FOLDER = "src/queue/kernel";
const OPTIONS = [
  "-O3",
  "--noAssert",
  "--runtime",
  "stub",
  "--uncheckedBehavior",
  "always",
  "--enable",
  "simd",
];

/**
 * Compiles the kernel if its sources changed since the last build, with the compiler's messages on stderr.
 *
 * @param {string} root of the project
 * @returns whether it went well
 */
export function buildKernel(root) {
  const made = `// From ${digestOf(root)}`;
  const target = join(root, FOLDER, "program.ts");
  if (existsSync(target) && readFileSync(target, "utf8").startsWith(`${made}\n`)) return true;
  const folder = mkdtempSync(join(tmpdir(), "stint-kernel-"));
  try {
    const program = join(folder, "kernel.wasm");
    if (!compile(root, program)) return false;
    const text = readFileSync(program).toString("base64");
    const about = "/** What `npm run build` makes of assembly/, in base64. */";
    writeFileSync(target, `${made}\n${about}\nexport const KERNEL_PROGRAM =\n  "${text}";\n`);
    return true;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** @param {string} root @param {string} program */
function compile(root, program) {
  const compiler = compilerHere();
  if (compiler === undefined) {
    console.error(
      "stint: the kernel of plain replays (src/queue/kernel) is not compiled\n" +
        "  why: its compiler, assemblyscript, is not installed; older clones did not need it\n" +
        "  do:  run npm ci",
    );
    return false;
  }
  const words = [compiler, `${FOLDER}/assembly/index.ts`, "-o", program, ...OPTIONS];
  return spawnSync(process.execPath, words, { cwd: root, stdio: ["ignore", 2, 2] }).status === 0;
}

function compilerHere() {
  try {
    return createRequire(import.meta.url).resolve("assemblyscript/bin/asc.js");
  } catch {
    return undefined;
  }
}

/** Digest of the sources, the compiler's options and its version. @param {string} root */
function digestOf(root) {
  const hash = createHash("sha256").update(OPTIONS.join(" "));
  hash.update(
    readFileSync(join(root, "package-lock.json"), "utf8").match(/node_modules\/assemblyscript".*?\}/s)?.[0] ??
      "",
  );
  const assembly = join(root, FOLDER, "assembly");
  for (const file of readdirSync(assembly).sort())
    hash.update(file).update(readFileSync(join(assembly, file)));
  return hash.digest("hex");
}
