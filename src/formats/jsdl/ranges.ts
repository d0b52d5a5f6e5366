/** Ranges of JSDL, as bounds and as requirements on the ads of sites. */
import { notTranslated, type Outcome, sets } from "../job-draft/index.ts";
import type { XmlElement } from "../xml/index.ts";

/** Least and most values. */
interface Bounds {
  readonly least?: number;
  readonly most?: number;
}

/** The bounds of a range; undefined where it has none that can be read. */
export function boundsOf({ elements, text }: XmlElement): Bounds | undefined {
  if (elements.length === 0) return exactly(text);
  for (const element of elements) {
    const value = numberIn(element.text);
    if (element.name === "Exact") return exactly(element.text);
    if (element.name === "LowerBoundedRange" && value !== undefined) return { least: value };
    if (element.name === "UpperBoundedRange" && value !== undefined) return { most: value };
    if (element.name === "Range") return between(element);
  }
  return undefined;
}

function exactly(text: string): Bounds | undefined {
  const value = numberIn(text);
  return value === undefined ? undefined : { least: value, most: value };
}

function between({ elements }: XmlElement): Bounds | undefined {
  const bound = (name: string) => numberIn(elements.find((one) => one.name === name)?.text ?? "");
  const [least, most] = [bound("LowerBound"), bound("UpperBound")];
  return least === undefined || most === undefined ? undefined : { least, most };
}

function numberIn(text: string): number | undefined {
  return /^\s*\d{1,15}(\.\d{1,9})?([eE]\+?\d{1,2})?\s*$/.test(text) ? Number(text) : undefined;
}

/** A range as a requirement on an attribute of sites. @param unit in which the attribute counts */
export function requiredRange(element: XmlElement, name: string, unit: number): Outcome {
  const bounds = boundsOf(element);
  if (bounds === undefined) return notTranslated("its range is not understood");
  const parts = [
    ...(bounds.least === undefined ? [] : [`other.${name} >= ${Math.ceil(bounds.least / unit)}`]),
    // A site with more of it serves as well as one with just that much.
    ...(bounds.most === undefined || bounds.most === bounds.least
      ? []
      : [`other.${name} <= ${Math.floor(bounds.most / unit)}`]),
  ];
  return sets({ requirements: parts.join(" && ") });
}
