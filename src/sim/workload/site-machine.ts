/**
 * The site machine of a workload.
 */
import type { MachineDiscipline } from "../../model/index.ts";
import { createMachine, type Machine } from "../../queue/index.ts";
import type { PreparedWorkload } from "./prepare.ts";
import type { WorkloadSite } from "./site.ts";

/** The machine of a site. */
export function createSite({ capacity }: WorkloadSite, discipline: MachineDiscipline): Machine {
  return createMachine(capacity, { discipline });
}

/** The id of an outage, apart from those of the reservations. */
export function outageId({ reservations }: PreparedWorkload, outage: number): number {
  return reservations.length + outage;
}
