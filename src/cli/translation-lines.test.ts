import { describe, expect, it } from "vitest";
import type { Translation } from "../formats/job-reading/index.ts";
import { translationTable, translationWarnings } from "./translation-lines.ts";

const translations: readonly Translation[] = [
  { line: 2, written: "#SBATCH -n 4", verdict: "translated", becomes: "procs: 4" },
  { line: 3, written: "#SBATCH --mail-type=END", verdict: "notTranslated", why: "Stint sends no mail yet" },
  { line: 12, written: "EnableWmsFeedback = true", verdict: "noEffect", why: "sites always report" },
];

describe("translations", () => {
  it("FO-117 the table has what is not translated, with why", () => {
    expect(translationTable(translations)).toBe(
      "    LINE  WRITTEN                   VERDICT         WHY\n" +
        "       3  #SBATCH --mail-type=END   not translated  Stint sends no mail yet\n" +
        "      12  EnableWmsFeedback = true  no effect       sites always report\n",
    );
    expect(translationTable(translations.slice(0, 1))).toBe("");
  });

  it("FO-117 a submission warns of what cannot be translated", () => {
    expect(translationWarnings("a.sh", translations)).toEqual([
      "stint: warning: a.sh:3: #SBATCH --mail-type=END is not translated: Stint sends no mail yet\n",
    ]);
  });
});
