import type { Result } from "../../base/index.ts";
import type { ClassAd } from "../language.ts";
import type { ClassAdProblem } from "../problem.ts";
import { readJson, writeJson } from "./json.ts";
import { readLong, writeLong } from "./long.ts";
import { readNew, writeCanonical, writeNew, writePretty } from "./new.ts";
import { type AdForm, formOf } from "./recognise.ts";
import { readXml, writeXml } from "./xml.ts";

export { type AdForm, formOf } from "./recognise.ts";

const READERS = { new: readNew, long: readLong, xml: readXml, json: readJson } as const;
const WRITERS = { new: writeNew, long: writeLong, xml: writeXml, json: writeJson } as const;

/** The ads of a text, in the form that it seems to have or is said to have. */
export function readAds(
  text: string,
  form: AdForm = formOf(text),
): Result<readonly ClassAd[], ClassAdProblem> {
  return READERS[form](text);
}

/** Layout of ads in the new form. */
export type AdLayout = "canonical" | "pretty";

/** Ads in the new form, one on a line or on many lines; they read back as the same. */
export function laidOut(ads: readonly ClassAd[], layout: AdLayout): string {
  return layout === "canonical" ? writeCanonical(ads) : writePretty(ads);
}

/** Ads as a text that reads back as the same in that form. */
export function writeAds(ads: readonly ClassAd[], form: AdForm): string {
  return WRITERS[form](ads);
}
