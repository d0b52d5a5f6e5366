/** Some of the functions of the ClassAd language, as docs/reference/classads.md says them (rule CA-20). */
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
  if (node.key === "stringlistmember") return stringListMember(values[0], values[1]);
  const isUnknown = values.some(([kind]) => kind === "undefined");
  if (isUnknown && UNDEFINED_FIRST.includes(node.key)) return U;
  if (isUnknown && DEMANDING.includes(node.key)) return E;
  return exception(...values) ?? strictCall(node.key, values);
}

const UNDEFINED_FIRST = ["member", "tolower", "strcmp", "stricmp", "substr"];
const DEMANDING = ["quantize", "stringlistsize"];

function countMatches({ operands }: CallNode, place: Place, evaluate: Evaluate): Plain {
  const list = evaluate(operands[1], place);
  if (list[0] === "undefined") return integer(0n);
  if (list[0] !== "list") return E;
  const asked = expressionOf(operands[0], place, evaluate);
  const isTrue = (item: Plain) => {
    if (item[0] !== "ad") return false;
    const { other } = item[1];
    let root = item[1];
    while (root.around !== undefined) root = root.around;
    item[1].other = root.other;
    const value = evaluate(asked, item[1]);
    item[1].other = other;
    return truth(value) === true;
  };
  return integer(BigInt(list[1].filter(isTrue).length));
}

/** The expression of the attribute that a name means, or itself. */
function expressionOf(node: Node, place: Place, evaluate: Evaluate): Node {
  if (node.kind === "scope") return written(place, node.key) ?? node;
  if (node.kind === "reference") {
    const other = place.other === undefined ? undefined : written(place.other, node.key);
    return around(place, node.key) ?? other ?? node;
  }
  if (node.kind === "absolute") {
    let root = place;
    while (root.around !== undefined) root = root.around;
    return written(root, node.key) ?? node;
  }
  if (node.kind !== "select") return node;
  const of = evaluate(node.of, place);
  return (of[0] === "ad" ? around(of[1], node.key) : undefined) ?? node;
}

function written(place: Place, key: string): Node | undefined {
  return place.record.attributes.find((one) => one.key === key)?.node;
}

function around(place: Place, key: string): Node | undefined {
  return written(place, key) ?? (place.around === undefined ? undefined : around(place.around, key));
}

function stringListMember(item: Plain, list: Plain): Plain {
  if ([item, list].some(([kind]) => kind !== "string" && kind !== "undefined")) return E;
  if (item[0] === "undefined" && list[0] === "undefined") return U;
  const [text, all] = [item, list].map((one) => (one[0] === "string" ? one[1] : ""));
  const items = all.split(/[ ,\t\r\n]/).filter((one) => one !== "");
  return ["boolean", items.includes(text)];
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
  if (value[0] === "string") counted = leading(value[1]);
  if (counted === undefined) return E;
  if (key === "real") return ["real", Number(counted)];
  if (typeof counted === "bigint") return integer(counted);
  return Number.isFinite(counted) ? integer(BigInt(Math.trunc(counted))) : E;
}

/** The number that a text begins with. */
function leading(text: string): number | undefined {
  const digits = /^[+-]?\d+(\.\d+)?/.exec(text);
  return digits === null ? undefined : Number(digits[0]);
}

function size(value: Plain): Plain {
  if (value[0] === "string" || value[0] === "list") return integer(BigInt(value[1].length));
  return value[0] === "ad" ? integer(BigInt(value[1].record.attributes.length)) : E;
}

function overNumbers(key: "sum" | "max", list: Plain): Plain {
  if (list[0] !== "list") return E;
  const given = list[1].filter(([kind]) => kind !== "undefined");
  if (given.some((item) => number(item) === undefined)) return E;
  const items = given.map((item): Plain => (item[0] === "boolean" ? integer(item[1] ? 1n : 0n) : item));
  if (items.length === 0) return key === "sum" ? integer(0n) : U;
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
  if (value[0] === "integer" && step[0] === "integer") {
    const [a, b] = [value[1], step[1]];
    const cut = a / b;
    return integer((a % b !== 0n && a < 0n === b < 0n ? cut + 1n : cut) * b);
  }
  const multiple = Math.ceil(Number(value[1]) / Number(step[1])) * Number(step[1]);
  if (step[0] === "real") return ["real", multiple];
  return Number.isFinite(multiple) ? integer(BigInt(multiple)) : E;
}

function ofStringLists(key: string, values: readonly Plain[]): Plain {
  if (values.some(([kind]) => kind !== "string")) return E;
  const items = String(values[0][1])
    .split(/[ ,]/)
    .filter((item) => item !== "");
  return key === "stringlistsize" ? integer(BigInt(items.length)) : E;
}
