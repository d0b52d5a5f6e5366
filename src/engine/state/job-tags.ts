/** Tags of jobs as a text of the view of jobs, and the parts of it by which they are found. */

/** All tags, each `key=value` on a line of its own with a line end before and behind; null without any. */
export function tagsText(tags: Readonly<Record<string, string>>): string | null {
  const lines = Object.entries(tags).map(([key, value]) => `${key}=${value}`);
  return lines.length === 0 ? null : `\n${lines.join("\n")}\n`;
}

/** Part of that text for a tag as it is asked for: `key=value` exactly, or `key` with whatever value. */
export function tagPart(asked: string): string {
  return asked.includes("=") ? `\n${asked}\n` : `\n${asked}=`;
}
