/** Amounts of a site that jobs need, and their columns in its machine. */
import type { SiteOffer, SiteSpec } from "./site-spec.ts";

/** Amounts that a job needs of its site. */
export interface SiteNeed {
  readonly procs: number;
  /** Absent: none in particular. */
  readonly memoryBytes?: number;
  readonly gpus?: number;
}

/** A site by its amounts; GPUs absent: none. */
export type SiteSize = Pick<SiteOffer, "procs" | "memoryBytes" | "gpus">;

/** Amounts in the columns of a site's machine: processors, memory, and GPUs where the site has any. */
export function columnsAt({ gpus = 0 }: Pick<SiteOffer, "gpus">, need: SiteNeed): readonly number[] {
  const columns = [need.procs, need.memoryBytes ?? 0];
  return gpus === 0 ? columns : [...columns, need.gpus ?? 0];
}

/** True for a site whose reservations are of processors alone; jobs in them request memory and GPUs. */
export function reservesProcsOnly({ type }: Pick<SiteSpec, "type">): boolean {
  return type === "slurm";
}

/** Memory and GPUs beside processors; an amount of 0 is left out. */
export function besideProcs({ memoryBytes = 0, gpus = 0 }: Omit<SiteNeed, "procs">) {
  return { ...(memoryBytes === 0 ? {} : { memoryBytes }), ...(gpus === 0 ? {} : { gpus }) };
}

/** True if a site has these amounts when nothing else runs there. */
export function isWithinSite(site: SiteSize, { procs, memoryBytes = 0, gpus = 0 }: SiteNeed): boolean {
  return procs <= site.procs && memoryBytes <= site.memoryBytes && gpus <= (site.gpus ?? 0);
}
