/** The long form: a line for each attribute, in old syntax, a blank line between ads. */
import { accepted, type Result, refused } from "../../base/index.ts";
import { assembledAd, attributeOfText } from "../compile.ts";
import { type Attribute, type ClassAd, keyOf } from "../language.ts";
import { parseAd, parseExpression } from "../parse.ts";
import type { ClassAdProblem } from "../problem.ts";
import { quickExpression } from "../quick-ad.ts";
import { nameText, unparse } from "../unparse.ts";
import { oldColumn, withNewStrings, withOldStrings } from "./old-strings.ts";

const NAME = /^\s*(?:([A-Za-z_][\w.]*)|('(?:[^'\\]|\\.)*'))\s*=(?!=)\s*/;
/** Lines that queries and histories put between ads. */
const BANNER = /^(?:\*\*\*|--)/;

/** The ads of a text in the long form; names given twice have the last value. */
export function readLong(text: string): Result<readonly ClassAd[], ClassAdProblem> {
  const ads: ClassAd[] = [];
  let attributes = new Map<string, Attribute>();
  const end = () => {
    if (attributes.size > 0) ads.push(assembledAd([...attributes.values()]));
    attributes = new Map();
  };
  let line = 0;
  for (let at = 0; at <= text.length; line++) {
    const newLine = text.indexOf("\n", at);
    const stop = newLine === -1 ? text.length : newLine;
    const source = text.slice(at, stop);
    at = stop + 1;
    if (source.trim() === "" || BANNER.test(source)) end();
    else if (!source.trimStart().startsWith("#")) {
      const read = attributeOn(source, line + 1);
      if (!read.ok) return read;
      attributes.set(read.value.key, read.value);
    }
  }
  end();
  return accepted(ads);
}

function attributeOn(source: string, line: number): Result<Attribute, ClassAdProblem> {
  const [before, plain, quotedName] = NAME.exec(source) ?? [];
  const name = plain ?? nameIn(quotedName);
  if (before === undefined || name === undefined) {
    return refused({ line, column: 1 + source.search(/\S/), ...NO_ATTRIBUTE });
  }
  const expression = source.slice(before.length).trimEnd();
  const place = { name, key: keyOf(name), line, column: before.length + 1 };
  if (!expression.includes("\\")) {
    const quick = quickExpression(expression, 0, expression.length);
    if (quick !== undefined) return accepted({ ...place, ...quick });
  }
  const read = parseExpression(withNewStrings(expression));
  if (read.ok) return accepted(attributeOfText(place, read.value));
  const column = before.length + oldColumn(expression, read.refusal.column);
  return refused({ ...read.refusal, line, column });
}

function nameIn(quotedName: string | undefined): string | undefined {
  const read = quotedName === undefined ? undefined : parseAd(`${quotedName} = 1`);
  return read?.ok ? read.value.node.attributes[0]?.name : undefined;
}

const NO_ATTRIBUTE = {
  code: "unexpectedToken" as const,
  what: "this line is not an attribute",
  why: "in the long form each line is name = expression, and a blank line ends an ad",
  remedy: "correct the line, or name the form of the file with --from",
};

/** Ads in the long form. */
export function writeLong(ads: readonly ClassAd[]): string {
  return ads
    .map(({ node }) => {
      const lines = node.attributes.map((one) => {
        return `${nameText(one.name)} = ${withOldStrings(unparse(one.node))}\n`;
      });
      return lines.join("");
    })
    .join("\n");
}
