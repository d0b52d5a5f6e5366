/** Attributes that the ads of a site have besides what the site shows. */
import { AD_ATTRIBUTE } from "../../model/index.ts";
import { names, text } from "./shape.ts";

/** Attributes by their names, each as a ClassAd expression. */
export const adAttributesShape = names(text({}), {
  description:
    "Attributes of the site's ad, and of those of its partitions, as ClassAd expressions; they replace " +
    "what the site shows. With Requirements the site chooses its jobs.",
  ...{
    defined: "ads",
    examples: ['{ GlueHostBenchmarkSI00: 1200, Requirements: "other.CpuNumber <= 64" }'],
  },
  keys: {
    pattern: AD_ATTRIBUTE.source,
    mismatch: {
      code: "badAttribute",
      noun: "name of an attribute",
      why: "a name has up to 100 letters, digits and _, and does not begin with a digit",
    },
  },
});
