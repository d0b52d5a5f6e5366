/** Attributes that administrators add to the ads of a site. */
import { AD_ATTRIBUTE } from "../../model/index.ts";
import { names, text } from "./shape.ts";

/** Attributes by their names, each as a ClassAd expression. */
export const adAttributesShape = names(
  text({ description: "Value of the attribute, a ClassAd expression" }),
  {
    description:
      "Attributes of the site's ad and of the ads of its partitions, as ClassAd expressions; they replace " +
      "observed values. With Requirements, the site accepts only jobs that satisfy them.",
    defined: "ads",
    examples: ['{ GlueHostBenchmarkSI00: 1200, Requirements: "other.CpuNumber <= 64" }'],
    keys: {
      pattern: AD_ATTRIBUTE.source,
      mismatch: {
        code: "badAttribute",
        noun: "name of an attribute",
        why: "a name has up to 100 letters, digits and _, and does not begin with a digit",
      },
    },
  },
);
