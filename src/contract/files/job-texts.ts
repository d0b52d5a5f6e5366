/** Shapes that several attributes of a job have. */
import { count, either, list, text } from "./shape.ts";

/** Any text. */
export const plain = text({ defined: "text" });

/** Words: a text that is split as a shell does, or a list. */
export const words = (description: string) =>
  either(
    { scalar: plain, list: list(plain) },
    { description, examples: ["-v 'two words'", "[-v, two words]"] },
  );

/** A ClassAd expression. */
export const expression = (description: string, examples: readonly string[] = ["true"]) =>
  text({
    ...{ description, examples, pattern: "^[^\\u0000]{1,65536}$" },
    mismatch: {
      code: "badExpression",
      noun: "ClassAd expression",
      why: "an expression has 1 to 65,536 characters",
    },
  });

/** A whole number, one or more. */
export const number = (description: string, example: string) =>
  count({ description, least: 1, most: Number.MAX_SAFE_INTEGER, examples: [example] });
