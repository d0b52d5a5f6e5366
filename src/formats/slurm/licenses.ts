/**
 * Licences that the controller counts: `scontrol -o show licenses`.
 */
import type { ClusterLicense } from "../../model/index.ts";
import { keyValueLines } from "./rows.ts";
import { saidNumber } from "./words.ts";

/** The command that asks for them. */
export const LICENSES_COMMAND: readonly string[] = ["scontrol", "--oneliner", "show", "licenses"];

/** Reads what it printed; `No licenses configured in Slurm.` are none. */
export function readLicenses(text: string): readonly ClusterLicense[] {
  return keyValueLines(text, "LicenseName").map(({ LicenseName, Total, Used, Free }) => {
    const total = saidNumber(Total) ?? 0;
    const used = saidNumber(Used) ?? 0;
    return { name: LicenseName ?? "", total, used, free: saidNumber(Free) ?? Math.max(0, total - used) };
  });
}
