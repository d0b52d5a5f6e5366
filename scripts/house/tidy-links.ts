/** Relative links in Markdown lead to files that exist. */
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Finding } from "./finding.ts";
import { positionAt, type TextFile } from "./tree.ts";

const inline = /\]\(\s*<?([^)\s>]+)>?(?:\s+["'(][^)]*)?\)/g;
const reference = /^ {0,3}\[[^\]]+\]:\s*<?([^\s>]+)>?/gm;
const html = /<(?:img|a)\b[^>]*?\b(?:src|href)="([^"]+)"/g;

/** Judges the links of one Markdown file. */
export function tidyLinks(root: string, { file, text }: TextFile): Finding[] {
  const prose = withoutCode(text);
  return [inline, reference, html]
    .flatMap((pattern) => [...prose.matchAll(pattern)])
    .flatMap((match) => {
      const target = match[1] ?? "";
      if (/^([a-z][a-z0-9+.-]*:|#|\/\/)/i.test(target)) return [];
      const path = decodeURIComponent(target.replace(/[?#].*$/, ""));
      const from = path.startsWith("/") ? root : join(root, dirname(file));
      if (existsSync(join(from, path))) return [];
      return {
        file,
        ...positionAt(text, match.index),
        rule: "links-lead-somewhere",
        what: `links to ${target}, which is not there`,
        remedy: "Correct the path (relative to this file), or take the link out.",
      };
    });
}

/** The text with code blanked out; other characters keep their positions. */
function withoutCode(text: string): string {
  const blank = (code: string) => code.replace(/[^\n]/g, " ");
  return text.replace(/^(```+|~~~+)[^\n]*\n[\s\S]*?^\1/gm, blank).replace(/(`+)[^`\n]+\1/g, blank);
}
