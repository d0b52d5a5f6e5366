/** A simulation as the API shows it. */
import type { SimulationView } from "../contract/index.ts";
import { mayDo } from "../engine/index.ts";
import type { Identity } from "../model/index.ts";
import type { SimulationRecord, Simulations } from "../runtime/index.ts";
import { isoInstant } from "./iso-instant.ts";

/** A simulation as `who` sees it. */
export function simulationView(
  record: SimulationRecord,
  who: Identity,
  simulations: Pick<Simulations, "ahead">,
): SimulationView {
  const { id, name, owner, consumer, isShared, state, progress, failure, variants } = record;
  const { atMs, isPrivate: _, ...workload } = record.workload;
  return {
    ...{ id, name, owner, consumer, shared: isShared, mine: mayDo(who, "changeSimulation", record) },
    ...{ state, ahead: simulations.ahead(id), progress, failure, variants },
    workload: { ...workload, at: instantOrNull(atMs) },
    createdAt: isoInstant(record.createdAtMs),
    startedAt: instantOrNull(record.startedAtMs),
    endedAt: instantOrNull(record.endedAtMs),
  };
}

function instantOrNull(atMs: number | null): string | null {
  return atMs === null ? null : isoInstant(atMs);
}
