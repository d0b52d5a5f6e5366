/** Size of a slot: processors, memory and GPUs, or a part of a store or of a link. */
import type { SlotSizeRequest } from "../contract/index.ts";
import type { SlotResource, WantedSlot } from "../model/index.ts";
import type { BrokerApi } from "../runtime/index.ts";
import { refusalProblem } from "./problem.ts";
import { invalid } from "./validator.ts";

/** Size of a slot. @param within JSON pointer of the slot @throws ProblemError for an invalid size */
export function slotSize(
  { procs, memoryBytes, gpus, resource }: SlotSizeRequest,
  within = "",
): Pick<WantedSlot, "procs" | "memoryBytes" | "gpus" | "resource"> {
  if (resource === undefined) {
    if (procs === undefined) throw invalid([{ pointer: `${within}/procs`, detail: NO_SIZE }]);
    return { procs, memoryBytes: memoryBytes ?? 0, ...(gpus ? { gpus } : {}) };
  }
  const [unfit] = Object.entries({ procs, memoryBytes, gpus }).find(([, value]) => value !== undefined) ?? [];
  if (unfit !== undefined) {
    const detail = "a reservation of store or link capacity has no processors, no memory and no GPUs";
    throw invalid([{ pointer: `${within}/${unfit}`, detail }]);
  }
  return { procs: 0, memoryBytes: 0, resource };
}

const NO_SIZE = "a slot is of processors, or of a resource: say one of the two";

/** Checks that a named site has the resource. @throws ProblemError `unknownResource` */
export function demandResource(brokerApi: BrokerApi, site: string, wanted: SlotResource | undefined): void {
  const found = brokerApi.sites().find(({ name }) => name === site);
  if (wanted === undefined || found === undefined) return;
  const { stores = {}, links = {} } = found.spec;
  const { kind, name } = wanted;
  if (Object.hasOwn(kind === "store" ? stores : links, name)) return;
  const known = { stores: Object.keys(stores), links: Object.keys(links) };
  throw refusalProblem({ kind: "unknownResource", site, resource: { kind, name }, ...known });
}
