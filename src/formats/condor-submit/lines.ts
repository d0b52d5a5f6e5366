/** Lines of a submit file: comments left out, lines that end in a backslash joined. */

/** A logical line with its offset. */
export interface SubmitLine {
  readonly at: number;
  readonly text: string;
}

/** All lines with something in them. */
export function submitLines(source: string): readonly SubmitLine[] {
  const lines: SubmitLine[] = [];
  let at = 0;
  let begun: { at: number; text: string } | undefined;
  for (const raw of source.split("\n")) {
    const line = raw.replace(/\r$/, "");
    const isComment = /^\s*#/.test(line);
    if (begun !== undefined && isComment) {
      at += raw.length + 1;
      continue;
    }
    const goesOn = !isComment && line.endsWith("\\");
    const part = goesOn ? line.slice(0, -1) : line;
    if (begun !== undefined) begun.text += part.trimStart();
    else if (!isComment && line.trim() !== "")
      begun = { at: at + (part.length - part.trimStart().length), text: part };
    if (begun !== undefined && !goesOn) {
      lines.push({ at: begun.at, text: begun.text.trim() });
      begun = undefined;
    }
    at += raw.length + 1;
  }
  if (begun !== undefined) lines.push({ at: begun.at, text: begun.text.trim() });
  return lines;
}
