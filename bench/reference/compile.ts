/** Compiles the plain C++ simulator beside this file, and builds its command line. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";

/** Compiler: $CXX, else the system's `c++`. */
const compiler = process.env.CXX ?? "c++";

/** True if there is a C++ compiler. */
export const hasCompiler = spawnSync(compiler, ["--version"]).status === 0;

/** One pool, one discipline, one rule for estimates; the trace is plain SWF. */
export interface ReferenceRun {
  readonly trace: string;
  readonly procs: number;
  readonly discipline: string;
  readonly estimates: string;
}

/**
 * Compiles the reference into a folder.
 *
 * @returns the path of the program
 *
 * @throws Error with the compiler's output if it fails
 */
export function compileReference(folder: string): string {
  const program = join(folder, "simulate");
  const source = join(import.meta.dirname, "simulate.cpp");
  const words = ["-std=c++17", "-O2", "-Wall", "-Wextra", "-o", program, source];
  const { status, stderr } = spawnSync(compiler, words, { encoding: "utf8" });
  if (status !== 0) throw new Error(`${compiler} ended with ${status}: ${stderr}`);
  return program;
}

/** Arguments of the program. */
export function referenceWords({ trace, procs, discipline, estimates }: ReferenceRun): string[] {
  return [trace, "--procs", String(procs), "--discipline", discipline, "--estimates", estimates];
}
