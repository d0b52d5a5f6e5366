/**
 * Writes a workload in the Standard Workload Format.
 *
 * Source: SWF 2.2, Chapin et al. 1999 [SWF]. Whole numbers are written without a point, others with the
 * fewest decimals that read back as the same number and never with an exponent, which other tools do not
 * expect. Text goes out in pieces of about 64 KiB: one call per row would cost more than the row.
 */
import { assert } from "../../base/index.ts";
import { swfFieldCount, swfFieldIsIntegral } from "./fields.ts";

/** Takes a workload piece by piece; what it writes is complete after `flush`. */
export interface SwfWriter {
  /** One comment line, without its ";"; further lines of the text become comment lines too. */
  comment(text: string): void;
  /** "; Label: value"; the label is a word. */
  entry(key: string, value: string | number): void;
  /**
   * One row: 18 numbers in the order of `swfField`, -1 where unknown (asserted: finite, within ±2^53,
   * identifiers and counts whole).
   */
  row(values: ArrayLike<number>): void;
  /** Emits what is still held back. */
  flush(): void;
}

/** Characters (all ASCII but for comments) held back before they are emitted. */
const pieceCharacters = 64 * 1024;

/** A writer that hands its text to `emit` in pieces of about 64 KiB. */
export function swfWriter(emit: (text: string) => void): SwfWriter {
  let held = "";

  function add(line: string): void {
    held += line;
    if (held.length >= pieceCharacters) flush();
  }
  function flush(): void {
    if (held === "") return;
    const text = held;
    held = "";
    emit(text);
  }

  return {
    comment(text) {
      for (const line of text.split(/\r\n|\r|\n/)) add(`; ${line}`.trimEnd().concat("\n"));
    },
    entry(key, value) {
      assert(/^[A-Za-z][\w-]*$/.test(key), "an SWF header label is one word");
      const [first, ...others] = String(value).split(/\r\n|\r|\n/);
      add(`; ${key}: ${first}\n`);
      for (const other of others) add(`;   ${other}\n`);
    },
    row(values) {
      assert(values.length === swfFieldCount, "an SWF row has 18 fields");
      let line = numberText(values[0] as number, 0);
      for (let column = 1; column < swfFieldCount; column++) {
        line += ` ${numberText(values[column] as number, column)}`;
      }
      add(`${line}\n`);
    },
    flush,
  };
}

function numberText(value: number, column: number): string {
  assert(Math.abs(value) <= Number.MAX_SAFE_INTEGER, "an SWF number is finite and within ±2^53");
  if (Number.isInteger(value)) return String(value);
  assert(swfFieldIsIntegral[column] === false, "identifiers and counts in SWF are whole numbers");
  const text = String(value);
  return text.includes("e") ? withoutExponent(text) : text;
}

/** "-1.5e-9" → "-0.0000000015"; only negative exponents reach this. */
function withoutExponent(text: string): string {
  const [mantissa = "", exponent = "0"] = text.split("e");
  const sign = mantissa.startsWith("-") ? "-" : "";
  const digits = mantissa.replace(/[-.]/g, "");
  return `${sign}0.${"0".repeat(-Number(exponent) - 1)}${digits}`;
}
