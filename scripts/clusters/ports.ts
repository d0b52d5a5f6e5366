/**
 * Ports that nobody uses: not now on this machine, and not by another cluster of the same state directory
 * that happens to be down.
 */
import { connect, createServer } from "node:net";
import { Fault } from "../../src/base/index.ts";

/** Below the ports that Linux hands to outgoing connections (32,768 on), above the well-known ones. */
const RANGE = { from: 20_000, to: 32_000 };

/** What a choice depends on. */
export interface PortRequest {
  readonly count: number;
  /** Where to begin to look: two state directories that look at once had better not begin together. */
  readonly seed: string;
  readonly kept: ReadonlySet<number>;
  readonly isFree: (port: number) => Promise<boolean>;
}

/**
 * `count` ports in a row, the first such after the place that `seed` points to.
 *
 * @throws Fault (failed) when there are none
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

/** Whether nothing listens on a port of this machine. */
export function isPortFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen({ port, host: "0.0.0.0", exclusive: true }, () => server.close(() => resolve(true)));
  });
}

/** Whether something on this machine takes connections at a port. */
export function isPortAnswering(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: "127.0.0.1" });
    socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
    socket.once("connect", () => socket.destroy());
  });
}
