/** Distinguishes scenarios from traces: by the end of the name, else by the content (rule FO-21). */
import { createReadStream, statSync } from "node:fs";

/** Enough to see past a comment that explains the scenario. */
const LOOKED_AT_BYTES = 16 * 1024;

/**
 * True for a scenario. A trace begins with numbers or with comments that begin with `;`, packed or not; an
 * unreadable file counts as a trace, whose reader reports why.
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
