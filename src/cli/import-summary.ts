/** Summary of an import for people: jobs found, omitted records and assumptions. */
import { type ImportedAccounting, SKIP_REASONS, type SkipReason } from "../formats/slurm/index.ts";
import { printable } from "./text-table.ts";

/** Lines of the summary; `where` names the output. */
export function importSummary(
  { counts, pools, warnings, malformedMessages }: ImportedAccounting,
  where: string,
): string {
  const { rows, jobs, started, running, waiting, withdrawn, requeued, skipped } = counts;
  const found = said([
    [started, "with their start"],
    [running, "still running"],
    [waiting, "still waiting"],
    [withdrawn, "cancelled before they started"],
    [requeued, "runs after a requeue"],
  ]);
  const reasons = Object.keys(SKIP_REASONS) as readonly SkipReason[];
  const left = said(reasons.map((reason) => [skipped[reason], SKIP_REASONS[reason]] as const));
  const lines = [
    `${where}: ${jobs} jobs of ${rows} rows${found === "" ? "" : `; ${found}`}`,
    `  pools: ${pools.map(poolText).join("; ")}`,
    ...(left === "" ? [] : [`  left out: ${left}`]),
    ...warnings.map((warning) => `  note: ${warning}`),
    ...malformedMessages.map((message) => `  skipped ${message}`),
  ];
  return lines.map((line) => `${printable(line)}\n`).join("");
}

function said(counts: readonly (readonly [number, string])[]): string {
  return counts
    .filter(([count]) => count > 0)
    .map(([count, words]) => `${count} ${words}`)
    .join(", ");
}

function poolText({ name, procs, memoryBytes, gpus }: ImportedAccounting["pools"][number]): string {
  const memory = memoryBytes === undefined ? "" : `, ${Math.round(memoryBytes / 1024 ** 3)}G`;
  return `${name} (${procs} processors${memory}${gpus > 0 ? `, ${gpus} GPUs` : ""})`;
}
