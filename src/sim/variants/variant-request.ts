/**
 * From a variant as it is requested to the request of `stint sim`, whose files of rules are written first.
 */
import { join } from "node:path";
import { Fault } from "../../base/index.ts";
import type { VariantGiven } from "../../contract/index.ts";
import { writeSafeFile } from "../../formats/index.ts";
import type { PoolEntry } from "../../formats/workload-jsonl/index.ts";
import type { SimulationRequest } from "../../model/index.ts";
import type { PoolChange } from "../workload/prepare.ts";
import { VARIANT_FILES, type VariantsOrder } from "./order.ts";

/** A variant that can be simulated. */
export interface VariantRequest {
  readonly simulation: SimulationRequest;
  readonly changePools: PoolChange;
}

/** The request of variant `at` of an order. @throws Fault `poolUnknown` while the workload is read */
export async function variantRequest(order: VariantsOrder, at: number): Promise<VariantRequest> {
  const { directory, variants } = order;
  const variant = variants[at];
  const { estimates = "requested", overrun = "extend", priority, pools = [] } = variant;
  const rules = await writeRules(directory, variant, at);
  const { procs, memoryBytes, gpus, onOutage } = variant;
  return {
    simulation: {
      trace: join(directory, VARIANT_FILES.workload),
      discipline: variant.discipline ?? order.discipline,
      ...{ estimates, overrun, lenient: false },
      ...(procs !== undefined && { procs }),
      ...(memoryBytes !== undefined && { memoryBytes }),
      ...(gpus !== undefined && { gpus }),
      ...(onOutage !== undefined && { stoppedJobs: onOutage }),
      ...(priority !== undefined && { priority }),
      ...rules,
    },
    changePools: (entries) => changed(entries, pools),
  };
}

type FilesOfRules = Pick<SimulationRequest, "priorityConfig" | "policies">;

async function writeRules(
  directory: string,
  { priorityRules, policies, owners }: VariantGiven,
  at: number,
): Promise<FilesOfRules> {
  const written = async (text: string, kind: string): Promise<string> => {
    const file = join(directory, `${kind} of variant ${at + 1}`);
    await writeSafeFile(file, text);
    return file;
  };
  return {
    ...(priorityRules !== undefined && { priorityConfig: await written(priorityRules, "priority rules") }),
    ...(policies !== undefined && {
      policies: {
        files: [await written(policies, "policies")],
        form: "ours" as const,
        ...(owners !== undefined && { owners: await written(owners, "owners") }),
      },
    }),
  };
}

function changed(
  entries: readonly PoolEntry[],
  changes: NonNullable<VariantGiven["pools"]>,
): readonly PoolEntry[] {
  const strange = changes.find(({ name }) => entries.every((entry) => entry.name !== name));
  if (strange !== undefined) throw noPool(strange.name, entries);
  return entries.map((entry) => ({ ...entry, ...changes.find(({ name }) => name === entry.name) }));
}

function noPool(pool: string, entries: readonly PoolEntry[]): Fault {
  const names = entries.map(({ name }) => name);
  return new Fault({
    kind: "badInput",
    code: "changePool",
    what: `the workload has no pool ${pool}`,
    why: names.length === 0 ? "it describes no pools" : `its pools are ${names.join(", ")}`,
    remedy: names.length === 0 ? "give procs for the whole machine instead" : "name one of them",
  });
}
