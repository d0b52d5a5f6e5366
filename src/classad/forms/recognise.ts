/** Forms of files of ads, and which of them a text has. */

/** The forms in which batch systems write ads. */
const AD_FORMS = ["new", "long", "xml", "json"] as const;

/**
 * A form of ads: `[ … ]` one after the other, lines `name = expression` with a blank line between ads
 * (`condor_status -long`), XML, or JSON.
 */
export type AdForm = (typeof AD_FORMS)[number];

/** Lines that are looked at where only their shape tells the form. */
const LINES_TRIED = 10_000;
/** A whole attribute on a line, without a semicolon; a comment; a line between ads; nothing. */
const LONG_LINE = /^\s*(?:[A-Za-z_][\w.]*\s*=(?!=)\s*\S.*(?<![;{([,\s])\s*|#.*|\*\*\*.*|--.*)?$/;

/** The form of a text, by its first characters; of one without brackets by the shape of its lines. */
export function formOf(text: string): AdForm {
  const begin = text.trimStart();
  if (begin.startsWith("<")) return "xml";
  const next = begin.slice(1, 1_000).trimStart();
  if (begin.startsWith("[")) return next.startsWith("{") ? "json" : "new";
  if (begin.startsWith("{")) return /^["}]/.test(next) ? "json" : "new";
  return isLong(begin) ? "long" : "new";
}

function isLong(text: string): boolean {
  let at = 0;
  for (let line = 0; line < LINES_TRIED && at < text.length; line++) {
    const end = text.indexOf("\n", at);
    const stop = end === -1 ? text.length : end;
    if (!LONG_LINE.test(text.slice(at, Math.min(stop, at + 100_000)))) return false;
    at = stop + 1;
  }
  return true;
}
