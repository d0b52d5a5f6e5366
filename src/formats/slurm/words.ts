/**
 * Notations common to Slurm's commands: nothing, instants, durations, sizes, TRES, lists.
 *
 * Commands write instants as Unix seconds (SLURM_TIME_FORMAT), so that time zones have no effect, and array
 * tasks in full (SLURM_BITSTR_LEN). Source: the manual pages squeue(1), scontrol(1) and sacctmgr(1) of Slurm
 * 22.05 to 24.11.
 */

/** The environment in which every command is to run. */
export const SLURM_ENVIRONMENT: Readonly<Record<string, string>> = {
  LC_ALL: "C",
  SLURM_TIME_FORMAT: "%s",
  SLURM_BITSTR_LEN: "0",
};

/** Between two fields of a row. Characters that no name has: a `|` is common in names of jobs. */
export const FIELD_END = "\u001f";
/** After the last field of a row, before the end of the line: a name may have line ends. */
export const ROW_END = "\u001e";

const MS_PER_SECOND = 1000;
const SECONDS_PER_DAY = 86_400;
const MIB = 1024 ** 2;
const NOTHING = new Set(["", "N/A", "(null)", "None", "NONE", "Unknown", "NOT_SET", "UNLIMITED", "INFINITE"]);
const UNITS: Readonly<Record<string, number>> = {
  K: 1024,
  M: MIB,
  G: 1024 ** 3,
  T: 1024 ** 4,
  P: 1024 ** 5,
};

/** The text, or null where Slurm writes that there is nothing, or no limit. */
export function saidText(text: string | undefined): string | null {
  if (text === undefined) return null;
  const said = text.trim();
  return NOTHING.has(said) ? null : said;
}

/** A whole or broken number; null where there is none. */
export function saidNumber(text: string | undefined): number | null {
  const said = saidText(text);
  if (said === null || !/^-?\d+(\.\d+)?$/.test(said)) return null;
  return Number(said);
}

/** An instant in Unix ms; null where there is none yet. */
export function instantMs(text: string | undefined): number | null {
  const seconds = saidNumber(text);
  return seconds === null || seconds <= 0 ? null : seconds * MS_PER_SECOND;
}

/** A length of time (`1-02:03:04`, `02:03:04`, `03:04`, `04`) in ms; null where there is none or no end. */
export function durationMs(text: string | undefined): number | null {
  const match = /^(?:(\d+)-)?(\d+)(?::(\d+))?(?::(\d+))?(?:\.\d+)?$/.exec(saidText(text) ?? "");
  if (match === null) return null;
  const [, days, ...rest] = match;
  const parts = rest.filter((part) => part !== undefined).map(Number);
  // After days come hours first; without them the last part is always seconds.
  while (days !== undefined && parts.length < 3) parts.push(0);
  const seconds = parts.reduce((sum, part) => sum * 60 + part, 0);
  return (Number(days ?? 0) * SECONDS_PER_DAY + seconds) * MS_PER_SECOND;
}

/** A size (`4G`, `1.50G`, `100M`, without a unit MiB) in bytes; null where there is none. */
export function sizeBytes(text: string | undefined): number | null {
  const match = /^(\d+(?:\.\d+)?)([KMGTP]?)[cn]?$/.exec(saidText(text) ?? "");
  if (match === null) return null;
  return Math.round(Number(match[1]) * (UNITS[match[2]] ?? MIB));
}

/** `cpu=4,mem=4G,gres/gpu:a100=2` by name: memory in bytes, everything else as counted. */
export function tresOf(text: string | undefined): Readonly<Record<string, number>> {
  const found: Record<string, number> = {};
  for (const part of listOf(text)) {
    const at = part.lastIndexOf("=");
    const name = part.slice(0, at);
    const value = name === "mem" ? sizeBytes(part.slice(at + 1)) : countOf(part.slice(at + 1));
    if (at > 0 && value !== null) found[name] = value;
  }
  return found;
}

/** `a,b` as a list; Slurm's words for nothing give an empty one. */
export function listOf(text: string | undefined): readonly string[] {
  const said = saidText(text);
  return said === null ? [] : said.split(",").filter((part) => part !== "");
}

/** `a:2,b` as counts, by default 1. `*` is a separator, too, in some newer versions. */
export function countsOf(text: string | undefined): Readonly<Record<string, number>> {
  const found: Record<string, number> = {};
  for (const part of listOf(text)) {
    const match = /^(.+?)(?:[:=*](\d+))?$/.exec(part);
    if (match !== null) found[match[1]] = Number(match[2] ?? 1);
  }
  return found;
}

/** GPUs of `gres:gpu:a100:2`, `gres/gpu:2`, `gpu:2(S:0)` by type; without a type: `gpu`. */
export function gpusOf(text: string | undefined): Readonly<Record<string, number>> {
  const found: Record<string, number> = {};
  // An index in brackets, `(S:0-1,3)`, may have commas.
  const plain = (saidText(text) ?? "").replace(/\([^()]*\)/g, "");
  for (const part of listOf(plain)) {
    const [name, ...more] = part.replace(/^gres[:/]/, "").split(/[:=]/);
    const count = /^\d+$/.test(more.at(-1) ?? "") ? more.pop() : undefined;
    if (name !== "gpu" || more.length > 1 || more[0] === "") continue;
    const type = more[0] ?? "gpu";
    found[type] = (found[type] ?? 0) + Number(count ?? 1);
  }
  return found;
}

/** All of them together. */
export function sumOf(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

/** A count, perhaps with a unit of thousands as Slurm shortens large ones. */
function countOf(text: string): number | null {
  const match = /^(\d+(?:\.\d+)?)([KMGTP]?)$/.exec(text);
  if (match === null) return null;
  return Math.round(Number(match[1]) * (match[2] === "" ? 1 : UNITS[match[2]]));
}
