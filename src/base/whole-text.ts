/**
 * Text whose every character is whole. A JavaScript string may hold one half of a surrogate pair, which
 * UTF-8 cannot say, so neither the log nor a file can keep it.
 */

const half = /\p{Surrogate}/u;
const halves = /\p{Surrogate}/gu;

/** Whether no character is half of a surrogate pair. */
export function isWholeText(text: string): boolean {
  return !half.test(text);
}

/** The same text with U+FFFD in place of each half of a pair. */
export function wholeText(text: string): string {
  return half.test(text) ? text.replaceAll(halves, "\uFFFD") : text;
}
