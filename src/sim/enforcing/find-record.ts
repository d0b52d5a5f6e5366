/**
 * Which kind of record a file is, and the lines of a workload in it (rule SI-84).
 */
import { createHash } from "node:crypto";
import { Fault } from "../../base/index.ts";
import { isWorkloadFile } from "../../formats/index.ts";
import { accountingLines, importAccounting, undisguised } from "../../formats/slurm/index.ts";
import { readWorkloadLines } from "../../formats/workload-jsonl/index.ts";
import type { PolicyTrial } from "../../model/index.ts";
import type { WorkloadSource } from "../workload/prepare.ts";

/** A record in JSON lines, or in an accounting that was made into one. */
export interface FoundRecord {
  readonly lines: WorkloadSource;
  /** Assumptions made in reading an accounting, a sentence each. */
  readonly warnings: readonly string[];
}

/**
 * The record of a trial; undefined where it is a trace in SWF.
 *
 * @throws Fault as an accounting is read; `optionMisplaced` where it is none and has options of one
 */
export async function recordIn({ trace, accounting = {} }: PolicyTrial): Promise<FoundRecord | undefined> {
  const isLines = await isWorkloadFile(trace);
  const text = isLines ? undefined : await accountingIn(trace);
  if (text === undefined) {
    const [option] = Object.keys(accounting);
    if (option !== undefined) throw ofAccounting(trace, `--${option}`);
    return isLines ? { lines: readWorkloadLines(trace, { lenient: false }), warnings: [] } : undefined;
  }
  const { zone, since, until, site } = accounting;
  const { lines, warnings } = importAccounting(text, {
    ...{ file: trace, since, until, lenient: false, disguise: undisguised },
    zone: zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
    site: site === undefined ? undefined : (await accountingLines(site)).join("\n"),
  });
  return {
    lines: readWorkloadLines(trace, { lenient: false }, bytesOf(trace, [...lines].join(""))),
    warnings,
  };
}

/** Number of lines searched for the one that names the columns; remarks may precede it. */
const LOOKED_AT = 20;

/** The lines of what sacct printed: one of the first names the columns; undefined where none does. */
async function accountingIn(file: string): Promise<readonly string[] | undefined> {
  if (/\.swf(\.gz)?$/i.test(file)) return undefined;
  const lines = await accountingLines(file);
  return lines.slice(0, LOOKED_AT).some((line) => /(^|\|)JobID\|/.test(line)) ? lines : undefined;
}

/** A text as the bytes of a file. */
function bytesOf(file: string, text: string): WorkloadSource["bytes"] {
  const bytes = Buffer.from(text);
  async function* chunks(): AsyncGenerator<Uint8Array, void, undefined> {
    yield bytes;
  }
  return {
    file,
    bytesRead: bytes.length,
    bytesTotal: bytes.length,
    sha256: () => createHash("sha256").update(bytes).digest("hex"),
    [Symbol.asyncIterator]: chunks,
  };
}

function ofAccounting(file: string, option: string): Fault {
  return new Fault({
    kind: "badInput",
    code: "optionMisplaced",
    what: `${option} has no effect here`,
    why: `it applies only to sacct output, and ${file} has another format`,
    remedy: "omit it; a workload in JSON lines states its zone, period and pools itself",
  });
}
