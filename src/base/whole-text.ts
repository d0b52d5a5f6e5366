/**
 * Text without unpaired surrogates. A JavaScript string may hold half of a surrogate pair, which UTF-8 cannot
 * encode, so neither the logbook nor a file can store it.
 */

const half = /\p{Surrogate}/u;
const halves = /\p{Surrogate}/gu;

/** True where no character is half of a surrogate pair. */
export function isWholeText(text: string): boolean {
  return !half.test(text);
}

/** Replaces each half of a surrogate pair with U+FFFD. */
export function wholeText(text: string): string {
  return half.test(text) ? text.replaceAll(halves, "\uFFFD") : text;
}
