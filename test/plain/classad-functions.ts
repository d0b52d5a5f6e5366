/** Some of the functions of the ClassAd language, as docs/classad-language.md says them (rule CA-20). */
import type { Node } from "../../src/classad/language.ts";
import {
  binary,
  E,
  exception,
  folded,
  identical,
  integer,
  number,
  type Place,
  type Plain,
  truth,
  U,
} from "./classad-values.ts";

type CallNode = Extract<Node, { kind: "call" }>;
type Evaluate = (node: Node, place: Place) => Plain;

/** The names of those that are here, with how many operands they take. */
export const PLAIN_FUNCTIONS = {
  isundefined: 1,
  iserror: 1,
  isinteger: 1,
  isstring: 1,
  islist: 1,
  isclassad: 1,
  int: 1,
  real: 1,
  ifthenelse: 3,
  member: 2,
  identicalmember: 2,
  size: 1,
  sum: 1,
  max: 1,
  tolower: 1,
  strcmp: 2,
  stricmp: 2,
  substr: 2,
  stringlistmember: 2,
  stringlistsize: 1,
  countmatches: 2,
  quantize: 2,
} as const;

const KINDS: Readonly<Record<string, string>> = {
  isundefined: "undefined",
  iserror: "error",
  isinteger: "integer",
  isstring: "string",
  islist: "list",
  isclassad: "ad",
};

/** The value of a call of one of them, with the right number of operands. */
export function call(node: CallNode, place: Place, evaluate: Evaluate): Plain {
  if (node.key === "ifthenelse") {
    const verdict = truth(evaluate(node.operands[0], place));
    if (typeof verdict === "boolean") return evaluate(node.operands[verdict ? 1 : 2], place);
    return verdict === "undefined" ? U : E;
  }
  if (node.key === "countmatches") return countMatches(node, place, evaluate);
  const values = node.operands.map((operand) => evaluate(operand, place));
  if (KINDS[node.key] !== undefined) return ["boolean", values[0][0] === KINDS[node.key]];
  if (node.key === "identicalmember") return identicalMember(values[0], values[1]);
  return exception(...values) ?? strictCall(node.key, values);
}

function countMatches({ operands }: CallNode, place: Place, evaluate: Evaluate): Plain {
  const list = evaluate(operands[1], place);
  if (list[0] === "undefined") return integer(0n);
  if (list[0] !== "list") return E;
  const isTrue = (item: Plain) => {
    if (item[0] !== "ad") return false;
    const value = evaluate(operands[0], item[1]);
    return value[0] === "boolean" && value[1];
  };
  return integer(BigInt(list[1].filter(isTrue).length));
}

function identicalMember(value: Plain, list: Plain): Plain {
  if (list[0] === "undefined") return U;
  if (list[0] !== "list" || value[0] === "list" || value[0] === "ad") return E;
  return ["boolean", list[1].some((item) => identical(item, value))];
}

function strictCall(key: string, values: readonly Plain[]): Plain {
  const [first, second] = values;
  switch (key) {
    case "int":
    case "real":
      return converted(key, first);
    case "member":
      if (second[0] !== "list" || first[0] === "list" || first[0] === "ad") return E;
      return ["boolean", second[1].some((item) => isTrue(binary("==", item, first)))];
    case "size":
      return size(first);
    case "sum":
    case "max":
      return overNumbers(key, first);
    case "strcmp":
    case "stricmp":
    case "tolower":
      return ofTexts(key, values);
    case "substr":
      if (first[0] !== "string" || second[0] !== "integer") return E;
      return ["string", first[1].slice(Number(second[1]))];
    case "quantize":
      return quantize(first, second);
    default:
      return ofStringLists(key, values);
  }
}

function isTrue(value: Plain): boolean {
  return value[0] === "boolean" && value[1];
}

function converted(key: "int" | "real", value: Plain): Plain {
  let counted = number(value);
  if (value[0] === "string") counted = /^[+-]?\d+(\.\d+)?$/.test(value[1]) ? Number(value[1]) : undefined;
  if (counted === undefined) return E;
  if (key === "real") return ["real", Number(counted)];
  if (typeof counted === "bigint") return integer(counted);
  return Number.isFinite(counted) ? integer(BigInt(Math.trunc(counted))) : E;
}

function size(value: Plain): Plain {
  if (value[0] === "string" || value[0] === "list") return integer(BigInt(value[1].length));
  return value[0] === "ad" ? integer(BigInt(value[1].record.attributes.length)) : E;
}

function overNumbers(key: "sum" | "max", list: Plain): Plain {
  if (list[0] !== "list") return E;
  if (list[1].length === 0) return key === "sum" ? integer(0n) : U;
  const items = list[1].filter(([kind]) => kind !== "undefined");
  if (items.length === 0) return U;
  if (items.some(([kind]) => kind !== "integer" && kind !== "real")) return E;
  let result = items[0];
  for (const item of items.slice(1)) {
    if (key === "sum") result = binary("+", result, item);
    else if (isTrue(binary(">", item, result))) result = item;
  }
  const isReal = items.some(([kind]) => kind === "real");
  return isReal && result[0] === "integer" ? ["real", Number(result[1])] : result;
}

function ofTexts(key: string, values: readonly Plain[]): Plain {
  // Other kinds have canonical texts, of which this version knows nothing.
  if (values.some(([kind]) => kind !== "string")) return ["string", "?"];
  const texts = values.map((value) => String(value[1]));
  if (key === "tolower") return ["string", folded(texts[0])];
  const [a, b] = key === "stricmp" ? texts.map(folded) : texts;
  if (a === b) return integer(0n);
  return integer(a < b ? -1n : 1n);
}

function quantize(value: Plain, step: Plain): Plain {
  if (value[0] !== "integer" && value[0] !== "real") return E;
  if (step[0] === "list") {
    for (const item of step[1]) {
      if (item[0] !== "integer" && item[0] !== "real") return E;
      if (isTrue(binary(">=", item, value))) return item;
    }
    return step[1].length === 0 ? E : quantize(value, step[1][step[1].length - 1]);
  }
  if ((step[0] !== "integer" && step[0] !== "real") || Number(step[1]) === 0) return E;
  const multiple = Math.ceil(Number(value[1]) / Number(step[1])) * Number(step[1]);
  if (step[0] === "real") return ["real", multiple];
  return Number.isSafeInteger(multiple) ? integer(BigInt(multiple)) : E;
}

function ofStringLists(key: string, values: readonly Plain[]): Plain {
  if (values.some(([kind]) => kind !== "string")) return E;
  const texts = values.map((value) => String(value[1]));
  const items = texts[texts.length - 1].split(/[ ,]/).filter((item) => item !== "");
  return key === "stringlistsize" ? integer(BigInt(items.length)) : ["boolean", items.includes(texts[0])];
}
