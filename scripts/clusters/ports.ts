/** Free ports: unused on this machine now, and by stopped clusters of the same state directory. */
import { connect, createServer } from "node:net";
import { Fault } from "../../src/base/index.ts";

/** Range below Linux's outgoing ports (32,768 on), above the well-known ones. */
const RANGE = { from: 20_000, to: 32_000 };

/** Input of a choice. */
export interface PortRequest {
  readonly count: number;
  /** Start of the search: two state directories that search at once should begin apart. */
  readonly seed: string;
  readonly kept: ReadonlySet<number>;
  readonly isFree: (port: number) => Promise<boolean>;
}

/**
 * First `count` consecutive free ports from the start that `seed` gives.
 *
 * @throws Fault (failed) if there are none
 */
export async function choosePorts({ count, seed, kept, isFree }: PortRequest): Promise<number[]> {
  const width = RANGE.to - RANGE.from;
  const start = [...seed].reduce((hash, letter) => (hash * 31 + letter.charCodeAt(0)) % width, 0);
  let row: number[] = [];
  for (let step = 0; step < width; step += 1) {
    const port = RANGE.from + ((start + step) % width);
    const follows = row.length === 0 || port === (row.at(-1) ?? 0) + 1;
    if (!follows) row = [];
    row = !kept.has(port) && (await isFree(port)) ? [...row, port] : [];
    if (row.length === count) return row;
  }
  throw new Fault({
    kind: "failed",
    code: "noPorts",
    what: "no ports were found for the cluster",
    why: `between ${RANGE.from} and ${RANGE.to} there are no ${count} free ones in a row`,
    remedy: "Take other test clusters down: `scripts/clusters/slurm down --all --purge`.",
  });
}

/** True if no process listens on a port of this machine. */
export function isPortFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen({ port, host: "0.0.0.0", exclusive: true }, () => server.close(() => resolve(true)));
  });
}

/** True if a process accepts connections at a port of this machine. */
export function isPortAnswering(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: "127.0.0.1" });
    socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
    socket.once("connect", () => socket.destroy());
  });
}
