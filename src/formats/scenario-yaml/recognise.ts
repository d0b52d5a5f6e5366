/**
 * Tells a scenario from a trace: by the end of its name, else by its content (rule FO-21).
 */
import { createReadStream, statSync } from "node:fs";

/** Enough to see past a comment that explains the scenario. */
const LOOKED_AT_BYTES = 16 * 1024;

/**
 * Whether `file` is a scenario. A trace begins with numbers or with comments that begin with `;`, packed or
 * not; one that cannot be read counts as a trace, the reader of which says why.
 */
export async function isScenarioFile(file: string): Promise<boolean> {
  if (/\.(ya?ml|json)$/i.test(file)) return true;
  // A pipe would lose what is looked at.
  if (file === "-" || file.startsWith("/dev/") || file.startsWith("/proc/")) return false;
  try {
    if (!statSync(file).isFile()) return false;
    let begin = "";
    for await (const chunk of createReadStream(file, { end: LOOKED_AT_BYTES - 1, encoding: "utf8" })) {
      begin += chunk;
    }
    return /^\s*\{?\s*"?(name|sites)"?\s*:/m.test(begin);
  } catch {
    return false;
  }
}
