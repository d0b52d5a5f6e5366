/**
 * Values that are one of a few words.
 */
import { nearestWord } from "../../base/index.ts";
import { echoText } from "../echo-text.ts";
import type { Words } from "./remark.ts";
import { type NamedValue, oneText, shown } from "./shapes.ts";

/** One of a few words, in any letters where capitals are as good; undefined, with a problem, where none. */
export function wordOf<Word extends string>(
  named: NamedValue,
  words: readonly Word[],
  example: string,
  isAnyCase = false,
): Word | undefined {
  const written = oneText(named, example);
  const said = isAnyCase ? written?.text.trim().toLowerCase() : written?.text;
  const known = words.find((word) => word === said);
  if (written === undefined || known !== undefined) return known;
  named.notes.problem(written.at, valueUnknown(named.name, written.text, words, example));
  return undefined;
}

/** The words for a text that is none of these. */
function valueUnknown(name: string, text: string, words: readonly string[], example: string): Words {
  const nearest = nearestWord(text, words);
  return {
    code: "valueUnknown",
    what: `${shown(name)}: ${echoText(text)} is not known`,
    why: `it is one of ${words.join(", ")}`,
    remedy: nearest === undefined ? `write for instance ${example}` : `did you mean ${nearest}?`,
  };
}
