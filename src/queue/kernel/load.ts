/**
 * The kernel of plain replays, and of what a reservation would do to a queue, as a program in memory:
 * compiled from `assembly/` to WebAssembly when the project is built, and embedded, since what is pure reads
 * no files.
 */
import { KERNEL_PROGRAM } from "./program.ts";

/** A number that the kernel exports. */
interface Constant {
  readonly value: number;
}

/** Exports of `assembly/index.ts`; places are byte offsets in the kernel's memory. */
export interface Kernel {
  readonly memory: { readonly buffer: ArrayBuffer };
  readonly FCFS: Constant;
  readonly EASY: Constant;
  readonly CONSERVATIVE: Constant;
  readonly REPACK: Constant;
  begin(processors: number, discipline: number): void;
  makeRoom(more: number): number;
  comingColumn(column: number): number;
  play(more: number, untilMs: number): void;
  endedCount(): number;
  endedColumn(column: number): number;
  tooWideCount(): number;
  tooWideColumn(): number;
  layOutBoard(jobs: number, steps: number, starts: number): void;
  useClasses(widths: number, lengths: number): void;
  boardRows(): number;
  triedColumn(column: number): number;
  boardStep(step: number, atMs: number, free: number): void;
  findFirstDisplaced(procs: number, durationMs: number): void;
  displaceAll(procs: number, durationMs: number): void;
  expectTrials(starts: number, steps: number): void;
  layOutPlay(jobs: number, letsPast: boolean, pieces: number): void;
  /** Rows of numbers: jobs, profile, least widths and lengths of the classes, grid, trials, starts. */
  playTable(which: number): number;
  arrangePlay(widths: number, lengths: number, isWidth: boolean, isLength: boolean): void;
  playPresent(nowMs: number): void;
  tryAll(nowMs: number, procs: number, durationMs: number): void;
}

/** The little of WebAssembly's interface for JavaScript that is needed here. */
declare const WebAssembly: {
  readonly Module: new (program: Uint8Array) => object;
  readonly Instance: new (module: object, imports: object) => { readonly exports: unknown };
};

let compiled: object | undefined;

/** A kernel of its own, with a memory of its own. Compiled once. */
export function loadKernel(): Kernel {
  compiled ??= new WebAssembly.Module(bytesOf(KERNEL_PROGRAM));
  const abort = (): never => {
    throw new Error("what must hold: the kernel has memory for what it is given");
  };
  return new WebAssembly.Instance(compiled, { env: { abort } }).exports as Kernel;
}

let shared: Kernel | undefined;

/** The kernel shared by callers that lay out all input anew and keep nothing in it between calls. */
export function sharedKernel(): Kernel {
  shared ??= loadKernel();
  return shared;
}

const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/** Reads base64. Core knows neither Node's buffers nor a browser's `atob`. */
function bytesOf(text: string): Uint8Array {
  const digits = text.replace(/=+$/, "");
  const bytes = new Uint8Array(Math.floor((digits.length * 3) / 4));
  let held = 0;
  let bits = 0;
  let at = 0;
  for (const digit of digits) {
    held = ((held << 6) | DIGITS.indexOf(digit)) & 0xfff;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes[at++] = held >> bits;
  }
  return bytes;
}
