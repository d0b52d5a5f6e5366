/** Directives of other languages that have no equivalent, as a table and as warnings. */
import type { Translation } from "../formats/job-reading/index.ts";
import { type Column, printable, textTable } from "./text-table.ts";

const VERDICTS: Readonly<Record<Translation["verdict"], string>> = {
  translated: "translated",
  noEffect: "no effect",
  notTranslated: "not translated",
};

const COLUMNS: readonly Column[] = [
  { head: "LINE", align: "right" },
  { head: "WRITTEN" },
  { head: "VERDICT" },
  { head: "WHY" },
];

/** Table of the directives that are not translated or have a remark, indented; empty without any. */
export function translationTable(translations: readonly Translation[]): string {
  const rows = translations
    .filter(({ verdict, why }) => verdict !== "translated" || why !== undefined)
    .map(({ line, written, verdict, why = "" }) => [String(line), written, VERDICTS[verdict], why]);
  if (rows.length === 0) return "";
  return textTable(COLUMNS, rows, undefined).replace(/^(?=.)/gm, "    ");
}

/** A warning for each directive that cannot be translated. */
export function translationWarnings(file: string, translations: readonly Translation[]): readonly string[] {
  return translations
    .filter(({ verdict }) => verdict === "notTranslated")
    .map(({ line, written, why = "it has no equivalent here" }) => {
      return `stint: warning: ${file}:${line}: ${printable(written)} is not translated: ${printable(why)}\n`;
    });
}
