/**
 * Patterns of paths as shells have them: `*` and `?` match within a name, `**` any directories. Names that
 * begin with a dot are matched by a part that begins with one.
 */

/** True if a path has characters of patterns. */
export function isPattern(path: string): boolean {
  return /[*?]/.test(path);
}

/** Expression that matches relative paths. */
export function patternExpression(parts: readonly string[]): RegExp {
  // Directories at any depth mean the files in them.
  const all = parts.at(-1) === "**" ? [...parts, "*"] : parts;
  const source = all.map((part, at) => {
    if (part === "**") return "(?:(?!\\.)[^/]+/)*";
    return partSource(part) + (at < all.length - 1 ? "/" : "");
  });
  return new RegExp(`^${source.join("")}$`, "su");
}

function partSource(part: string): string {
  const source = part.replace(/\*+|[\\^$.+?()[\]{}|]/g, (special) => {
    if (special.startsWith("*")) return "[^/]*";
    return special === "?" ? "[^/]" : `\\${special}`;
  });
  return /^[*?]/.test(part) ? `(?!\\.)${source}` : source;
}
