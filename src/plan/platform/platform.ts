/**
 * A platform without a broker: sites with capacities, the slots that they sell, and links between them.
 *
 * Instants are milliseconds from the beginning of the plan.
 */

/** A free rectangle for sale: n·d·c + f for a part of it, or whole where it is not divisible. */
export interface SlotForSale {
  readonly startMs: number;
  readonly procs: number;
  readonly durationMs: number;
  /** c, SU for each SU. */
  readonly price: number;
  /** f, SU once for each reserved rectangle. */
  readonly fixedSu: number;
  readonly divisible: boolean;
  readonly extensible: boolean;
}

/** A site; without slots all of it is free, from the beginning for ever. */
export interface PlatformSite {
  readonly name: string;
  readonly procs: number;
  /** Divides the runtimes of tasks. */
  readonly speed: number;
  readonly memoryBytes?: number;
  readonly gpus?: number;
  readonly amounts?: Readonly<Record<string, number>>;
  /** c of a site without slots. */
  readonly price: number;
  readonly slots?: readonly SlotForSale[];
  /**
   * Memory and GPUs that are free, from each instant until the next, in order from 0. Absent: all of them, at
   * all times.
   */
  readonly freeBeside?: readonly FreeBeside[];
  /** Added to the end of reservations there, where it is free: jobs start late. 0 where absent. */
  readonly marginMs?: number;
}

/** Memory and GPUs of a site that are free from an instant on. */
export interface FreeBeside {
  readonly fromMs: number;
  readonly memoryBytes: number;
  readonly gpus: number;
}

/** A link between two sites. */
export interface Link {
  readonly latencyMs: number;
  readonly bytesPerSec: number;
}

/** Sites and their links. */
export interface Platform {
  readonly sites: readonly PlatformSite[];
  /** Link of every pair that has none of its own; absent where none is known. */
  readonly link?: Link;
  /** Links of single pairs, in both directions. */
  readonly pairs: readonly (Link & { readonly from: string; readonly to: string })[];
}

/** The machine that a PSPLIB file names: one site without processors. */
export function ownPlatform(capacities: Readonly<Record<string, number>>): Platform {
  return { sites: [{ name: "project", procs: 0, speed: 1, price: 1, amounts: capacities }], pairs: [] };
}
