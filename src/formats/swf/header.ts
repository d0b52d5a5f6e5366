/**
 * The header of an SWF file: its comment lines, and the few that a simulation needs as numbers.
 *
 * Source: SWF 2.2, Chapin et al. 1999 [SWF]: lines "; Label: value". Real headers also have continuation
 * lines, notes and addresses, so every comment is retained unchanged, wherever it is in the file.
 */

/** Comments up to the line last read. */
export interface SwfHeader {
  /** The comment lines as they are, without line ends; at most the first 10,000. */
  readonly lines: readonly string[];
  /** The "; Label: value" ones, in order, labels may repeat. */
  readonly entries: readonly (readonly [key: string, value: string])[];
  /** Processors, > 0; undefined where missing or not a number. */
  readonly maxProcs: number | undefined;
  /** Nodes, > 0; of "338 (batch partition; 512 total)" the first number. */
  readonly maxNodes: number | undefined;
  /** Seconds since 1970 UTC of submit time 0. */
  readonly unixStartTime: number | undefined;
  /** The first value of a label, whatever its case. */
  value(key: string): string | undefined;
}

/** A header that is still being read. */
export interface SwfHeaderReader extends SwfHeader {
  /** Takes one comment line, beginning with ";" after blanks. */
  add(line: string): void;
}

/** Bounds the memory that a file of nothing but comments can take. */
const maxKeptLines = 10_000;

/** An empty header to which comment lines are added. */
export function swfHeaderReader(): SwfHeaderReader {
  const lines: string[] = [];
  const entries: (readonly [string, string])[] = [];
  const firstValues = new Map<string, string>();
  const value = (key: string) => firstValues.get(key.toLowerCase());
  return {
    lines,
    entries,
    value,
    get maxProcs() {
      return leadingNumber(value("MaxProcs"), 1);
    },
    get maxNodes() {
      return leadingNumber(value("MaxNodes"), 1);
    },
    get unixStartTime() {
      return leadingNumber(value("UnixStartTime"), 0);
    },
    add(line) {
      if (lines.length >= maxKeptLines) return;
      lines.push(line);
      const [, key, text] = /^\s*;\s*([A-Za-z][\w-]*):(?:\s+(.*))?$/.exec(line) ?? [];
      if (key === undefined) return;
      const trimmed = (text ?? "").trim();
      entries.push([key, trimmed]);
      if (!firstValues.has(key.toLowerCase())) firstValues.set(key.toLowerCase(), trimmed);
    },
  };
}

/** "338 (batch …)" → 338; "1,024", "2.5" and "-1" → undefined: a wrong machine size is worse than none. */
function leadingNumber(text: string | undefined, min: number): number | undefined {
  const digits = /^\d+(?!\d|[.,]\d)/.exec(text ?? "")?.[0];
  const number = Number(digits ?? Number.NaN);
  return Number.isSafeInteger(number) && number >= min ? number : undefined;
}
