import type { SimulationGiven, VariantGiven } from "../../app/client.ts";
import { type PackedFile, packed } from "./packed.ts";

/** A variant as it is typed. */
export interface VariantDraft {
  /** Tells rows apart while names change. */
  readonly key: number;
  readonly name: string;
  /** Empty: the default. */
  readonly discipline: string;
  readonly priority: string;
  readonly estimates: string;
  readonly overrun: string;
  readonly procs: number | string;
  /** A pool a line: `gpu nodes=4 procs=32`. */
  readonly pools: string;
  readonly priorityRules: string;
  readonly policies: string;
  readonly owners: string;
  /** What the form does not show, of a variant of an earlier simulation. */
  readonly others: Pick<VariantGiven, "memoryBytes" | "gpus" | "onOutage">;
}

/** Where the workload comes from, as it is chosen. */
export type WorkloadDraft =
  | { readonly kind: "example"; readonly name: string }
  | { readonly kind: "upload"; readonly file: File | null }
  | { readonly kind: "queue"; readonly site: string }
  | { readonly kind: "past"; readonly site: string; readonly days: number }
  | { readonly kind: "again"; readonly id: string };

/** A simulation as it is filled in. */
export interface SimulationDraft {
  readonly name: string;
  readonly workload: WorkloadDraft;
  readonly isRecord: boolean;
  readonly isShared: boolean;
  readonly variants: readonly VariantDraft[];
}

const DAY_MS = 86_400_000;
let lastKey = 0;

/** A variant with these words; the others have their defaults. */
export function variantDraft(words: Partial<Omit<VariantDraft, "key">>): VariantDraft {
  return {
    ...{ key: ++lastKey, name: "", discipline: "", priority: "", estimates: "", overrun: "", procs: "" },
    ...{ pools: "", priorityRules: "", policies: "", owners: "", others: {} },
    ...words,
  };
}

/** A variant of an earlier simulation, to be changed. */
export function draftOf({ procs, pools = [], ...variant }: VariantGiven): VariantDraft {
  const lines = pools.map(({ name, ...amounts }) =>
    [name, ...Object.entries(amounts).map(([amount, value]) => `${amount}=${value}`)].join(" "),
  );
  const { memoryBytes, gpus, onOutage, ...words } = variant;
  const others = {
    ...(memoryBytes !== undefined && { memoryBytes }),
    ...(gpus !== undefined && { gpus }),
    ...(onOutage !== undefined && { onOutage }),
  };
  return variantDraft({ ...words, procs: procs ?? "", pools: lines.join("\n"), others });
}

/** The request of a draft. @throws Error where the file is too large, or a line of pools cannot be read */
export async function requestOf(draft: SimulationDraft): Promise<SimulationGiven> {
  const { name, workload, isRecord, isShared, variants } = draft;
  return {
    ...{ name: name.trim(), shared: isShared, variants: variants.map(variantOf) },
    workload: { ...(await workloadOf(workload)), ...(workload.kind === "upload" && { isRecord }) },
  };
}

async function workloadOf(workload: WorkloadDraft): Promise<SimulationGiven["workload"]> {
  switch (workload.kind) {
    case "example":
      return { example: workload.name };
    case "queue":
      return { queue: workload.site };
    case "past": {
      const since = new Date(Date.now() - workload.days * DAY_MS).toISOString();
      return { past: { site: workload.site, since } };
    }
    case "again":
      return { again: workload.id };
    case "upload":
      return { upload: await chosen(workload.file) };
  }
}

async function chosen(file: File | null): Promise<PackedFile> {
  if (file === null) throw new Error("No file is chosen. Choose one, or drop it on the field.");
  return await packed(file);
}

function variantOf(draft: VariantDraft): VariantGiven {
  const { key: _, name, procs, pools, others, ...words } = draft;
  const given = Object.fromEntries(Object.entries(words).filter(([, text]) => text !== ""));
  const lines = pools.split("\n").filter((line) => line.trim() !== "");
  return {
    ...(given as Partial<VariantGiven>),
    ...others,
    name: name.trim(),
    ...(typeof procs === "number" && { procs }),
    ...(lines.length > 0 && { pools: lines.map(poolOf) }),
  };
}

const AMOUNTS = ["procs", "nodes", "gpus", "memoryBytes"];

function poolOf(line: string): NonNullable<VariantGiven["pools"]>[number] {
  const [name = "", ...amounts] = line.trim().split(/\s+/);
  const pairs = amounts.map((amount) => amount.split("="));
  const isRight = pairs.every(([what = "", value]) => AMOUNTS.includes(what) && /^\d+$/.test(value ?? ""));
  if (!isRight || pairs.length === 0) {
    throw new Error(`"${line}" is not a pool. Example: gpu nodes=4 procs=32`);
  }
  return { name, ...Object.fromEntries(pairs.map(([what, value]) => [what, Number(value)])) };
}
