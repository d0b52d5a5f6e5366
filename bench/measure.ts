/** Times whole processes in turn, A B A B …, so that a drift of the machine's speed affects all equally. */
import { spawnSync } from "node:child_process";
import { performance } from "node:perf_hooks";

/** A command, with the figure in its output. */
export interface Contender {
  readonly name: string;
  readonly command: readonly [string, ...string[]];
  /** Extracts a figure in milliseconds from the output; absent: wall time. */
  readonly figure?: (output: string) => number;
}

/** Median of several runs. */
export interface Measured {
  readonly name: string;
  readonly medianMs: number;
  readonly leastMs: number;
}

/** Runs the contenders in turn, one warm-up round and then `rounds` counted ones. */
export function measureInTurn(contenders: readonly Contender[], rounds: number): Measured[] {
  const times = contenders.map((): number[] => []);
  for (let round = 0; round <= rounds; round++) {
    contenders.forEach((contender, i) => {
      const ms = runOnce(contender);
      if (round > 0) times[i].push(ms);
    });
  }
  return contenders.map(({ name }, i) => {
    const sorted = times[i].sort((a, b) => a - b);
    return { name, medianMs: sorted[sorted.length >> 1], leastMs: sorted[0] };
  });
}

function runOnce({ command: [program, ...words], figure, name }: Contender): number {
  const beganAt = performance.now();
  const { status, stdout, stderr } = spawnSync(program, words, { encoding: "utf8", maxBuffer: 1 << 28 });
  const wallMs = performance.now() - beganAt;
  if (status !== 0) throw new Error(`${name} ended with ${status}: ${stderr}`);
  return figure === undefined ? wallMs : figure(stdout);
}
