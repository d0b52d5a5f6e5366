/**
 * A line of a workload with its fields: which it has, and the faults of what is wrong with them.
 */
import { Fault, formatPosition } from "../../base/index.ts";
import type { Entry, Notes, Words } from "../yaml/index.ts";

/** A line with its fields; their places are columns. */
export interface LineFields {
  readonly file: string;
  readonly line: number;
  readonly fields: readonly Entry[];
}

/** The fault of something at a column of a line. */
export function lineFault({ file, line }: Omit<LineFields, "fields">, column: number, words: Words): Fault {
  const { code, what, why, remedy } = words;
  return new Fault({
    kind: "badInput",
    code,
    what: `${formatPosition({ file, line, column })}: ${what}`,
    why,
    remedy,
  });
}

/** The field of that name; `null` equals absent. */
export function fieldOf({ fields }: LineFields, name: string): Entry | undefined {
  return fields.find((field) => field.key === name && isSaid(field));
}

/** True for a value other than `null`. */
export function isSaid({ value }: Entry): boolean {
  return value.kind !== "scalar" || value.value !== null;
}

const CODES: Readonly<Record<string, string>> = {
  wordUnknown: "workloadWord",
  wordMissing: "workloadFieldMissing",
};

/** Notes of a line, which throw the first problem. */
export class LineNotes implements Notes {
  readonly #line: LineFields;

  constructor(line: LineFields) {
    this.#line = line;
  }

  problem(column: number, { code, ...words }: Words): never {
    throw lineFault(this.#line, column, { ...words, code: CODES[code] ?? "workloadField" });
  }

  warning(): void {}

  lineOf(): number {
    return this.#line.line;
  }

  problemCount(): number {
    return 0;
  }

  collected(): ReturnType<Notes["collected"]> {
    return { problems: [], warnings: [] };
  }
}
