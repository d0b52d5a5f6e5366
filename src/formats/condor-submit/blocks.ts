/**
 * `if`, `elif`, `else`, `endif` of submit files.
 *
 * Source: the manual of HTCondor 23, Using Conditionals in the Submit Description File.
 */
import type { Macros } from "./macros.ts";

/** One open `if`. */
interface Block {
  /** True if the lines of the current branch are read. */
  isTaken: boolean;
  /** True if an earlier branch has been taken. */
  hasTaken: boolean;
  /** True if the enclosing lines are read. */
  readonly isInTaken: boolean;
}

/** Open blocks, the innermost last. */
export type Blocks = Block[];

/** True if lines are read here. */
export function counts(blocks: Blocks): boolean {
  return blocks.every(({ isTaken }) => isTaken);
}

const MOST_BLOCKS = 1000;
const BRANCH = /^(if|elif|else|endif)\b\s*(.*)$/is;

/** Takes a line about blocks; false where it is none, a text where it is wrong. */
export function takeBlock(
  line: string,
  blocks: Blocks,
  truth: (condition: string) => boolean | undefined,
): boolean | string {
  const match = BRANCH.exec(line);
  if (match === null || /^(if|elif|else|endif)\s*=/i.test(line)) return false;
  const word = match[1].toLowerCase();
  const condition = match[2] ?? "";
  if (word === "if") {
    if (blocks.length >= MOST_BLOCKS) return `more than ${MOST_BLOCKS} are open`;
    const isInTaken = counts(blocks);
    const isTaken = isInTaken ? truth(condition) : false;
    if (isTaken === undefined) return NO_CONDITION;
    blocks.push({ isTaken, hasTaken: isTaken, isInTaken });
    return true;
  }
  const block = blocks.at(-1);
  if (block === undefined) return "no if is open";
  if (word === "endif") {
    blocks.pop();
    return true;
  }
  const mayBe = block.isInTaken && !block.hasTaken;
  const isTrue = mayBe && word === "elif" ? truth(condition) : mayBe;
  if (isTrue === undefined) return NO_CONDITION;
  block.isTaken = isTrue;
  block.hasTaken ||= isTrue;
  return true;
}

const NO_CONDITION = "a condition is true, false, a number, defined NAME or version >= 9.0";
/** The version of HTCondor whose manual is followed. */
const VERSION = [23, 0, 0];

/** Truth of an expanded condition; undefined where it is none. */
export function conditionTruth(text: string, macros: Macros): boolean | undefined {
  const plain = text.trim();
  if (plain.startsWith("!")) {
    const inner = conditionTruth(plain.replace(/^!+\s*/, ""), macros);
    const isOdd = (/^!+/.exec(plain)?.[0].length ?? 0) % 2 === 1;
    return inner === undefined || !isOdd ? inner : !inner;
  }
  if (/^(true|yes)$/i.test(plain)) return true;
  if (/^(false|no)$/i.test(plain)) return false;
  if (/^-?\d+(\.\d+)?$/.test(plain)) return Number(plain) !== 0;
  const defined = /^defined\s*(\S*)$/i.exec(plain);
  if (defined !== null) return defined[1] !== "" && macros.has(defined[1].toLowerCase());
  const version = /^version\s*(>=|<=|==|!=|>|<)\s*(\d+)(?:\.(\d+))?(?:\.(\d+))?$/i.exec(plain);
  if (version === null) return undefined;
  const [, operator, ...parts] = version;
  const difference =
    parts.map((part, at) => VERSION[at] - Number(part ?? VERSION[at])).find((one) => one !== 0) ?? 0;
  return compared(operator, difference);
}

function compared(operator: string, difference: number): boolean {
  if (operator === "==") return difference === 0;
  if (operator === "!=") return difference !== 0;
  const isOr = operator.endsWith("=") && difference === 0;
  return isOr || (operator.startsWith(">") ? difference > 0 : difference < 0);
}
