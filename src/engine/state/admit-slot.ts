/**
 * Admission of a slot by the usage policies of a site, beside all that is held there (rule PO-7).
 */
import {
  type AdmissionRefusal,
  networkBytesPerSecOf,
  type SharedResource,
  type SiteSpec,
  type SlotResource,
  storageBytesOf,
} from "../../model/index.ts";
import {
  type AdmissionRules,
  admits,
  type Booking,
  bookedByLevel,
  type ShareTree,
} from "../../policy/index.ts";
import { sharesAt } from "./enforced-site.ts";
import { keptAt, type ReservedState } from "./reserved.ts";
import type { SiteState } from "./site-state.ts";

/** A slot that somebody wants. */
export interface SlotRequest {
  readonly consumer: string;
  readonly procs: number;
  readonly memoryBytes: number;
  /** Absent: none. */
  readonly gpus?: number;
  readonly startMs: number;
  readonly durationMs: number;
  readonly resource?: SlotResource;
}

/** The first limit that it would pass; undefined where it is admitted, or no policy concerns the site. */
export function policyRefusal(
  state: ReservedState,
  site: SiteState,
  request: SlotRequest,
  nowMs: number,
): AdmissionRefusal | undefined {
  const tree = sharesAt(state, site.name, nowMs);
  if (tree === undefined) return undefined;
  const held = keptAt(state.reserved, site.name);
  for (const resource of sharesOf(request)) {
    const rules = rulesOf(tree, site, resource);
    const booked = bookedByLevel(held.map((slot) => bookingOf(slot, resource)));
    const refusal = rules === undefined ? undefined : admits(rules, booked, bookingOf(request, resource));
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}

/** Resources of which a slot takes shares. */
function sharesOf({ gpus = 0, resource }: SlotRequest): readonly SharedResource[] {
  if (resource === undefined) return gpus === 0 ? ["cpu", "memory"] : ["cpu", "memory", "gpu"];
  return resource.kind === "store" ? ["storage"] : ["network"];
}

/** Rules for admission of a slot; undefined where no policy divides this resource. */
function rulesOf(tree: ShareTree, { spec }: SiteState, resource: SharedResource): AdmissionRules | undefined {
  if (resource !== "cpu" && !tree.nodes.has(resource)) return undefined;
  return { tree, resource, capacity: BigInt(capacityOf(spec, resource)), ticksPerMs: 1n };
}

/** Capacity of a site for a resource, of which its shares are parts. */
export function capacityOf(spec: SiteSpec, resource: SharedResource): number {
  switch (resource) {
    case "gpu":
      return spec.gpus ?? 0;
    case "storage":
      return storageBytesOf(spec);
    case "network":
      return networkBytesPerSecOf(spec);
    case "memory":
      return spec.memoryBytes;
    default:
      return spec.procs;
  }
}

function bookingOf(slot: SlotRequest, resource: SharedResource): Booking {
  const { consumer, startMs, durationMs } = slot;
  const amount = BigInt(slotAmountOf(slot, resource));
  return { consumer, amount, start: BigInt(startMs), end: BigInt(startMs + durationMs) };
}

/** Amount of a resource that a slot takes. */
export function slotAmountOf(
  {
    procs,
    memoryBytes,
    gpus = 0,
    resource,
  }: Pick<SlotRequest, "procs" | "memoryBytes" | "gpus" | "resource">,
  of: SharedResource,
): number {
  if (of === "cpu") return procs;
  if (of === "memory") return memoryBytes;
  if (of === "gpu") return gpus;
  const kind = of === "storage" ? "store" : "link";
  return resource?.kind === kind ? resource.amount : 0;
}
