/**
 * Whether the usage policies of a site admit a slot, beside all that is held there (rule EN-58).
 */
import type { AdmissionRefusal, SharedResource } from "../../model/index.ts";
import {
  type AdmissionRules,
  admits,
  type Booking,
  bookedByLevel,
  type ShareTree,
} from "../../policy/index.ts";
import { heldAt, type ReservedState } from "../reserve/reserved.ts";
import type { SiteState } from "../site-state.ts";
import { sharesAt } from "./enforced-site.ts";

/** A slot that somebody wants. */
export interface SlotWish {
  readonly consumer: string;
  readonly procs: number;
  readonly memoryBytes: number;
  readonly startMs: number;
  readonly durationMs: number;
}

/** The first limit that it would pass; undefined where it is admitted, or no policy concerns the site. */
export function policyRefusal(
  state: ReservedState,
  site: SiteState,
  wish: SlotWish,
  nowMs: number,
): AdmissionRefusal | undefined {
  const tree = sharesAt(state, site.name, nowMs);
  if (tree === undefined) return undefined;
  const held = heldAt(state.reserved, site.name);
  for (const resource of ["cpu", "memory"] as const) {
    const rules = rulesOf(tree, site, resource);
    const booked = bookedByLevel(held.map((slot) => bookingOf(slot, resource)));
    const refusal = rules === undefined ? undefined : admits(rules, booked, bookingOf(wish, resource));
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}

/** Undefined where no policy shares out this resource. */
function rulesOf(tree: ShareTree, { spec }: SiteState, resource: SharedResource): AdmissionRules | undefined {
  if (resource !== "cpu" && !tree.nodes.has(resource)) return undefined;
  const capacity = BigInt(resource === "cpu" ? spec.procs : spec.memoryBytes);
  return { tree, resource, capacity, ticksPerMs: 1n };
}

function bookingOf(slot: SlotWish, resource: SharedResource): Booking {
  const { consumer, startMs, durationMs } = slot;
  const amount = BigInt(resource === "cpu" ? slot.procs : slot.memoryBytes);
  return { consumer, amount, start: BigInt(startMs), end: BigInt(startMs + durationMs) };
}
