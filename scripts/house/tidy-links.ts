/** Relative links in Markdown, and the sources that maps of the code name, lead to files that exist. */
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Finding } from "./finding.ts";
import { positionAt, type TextFile } from "./tree.ts";

const inline = /\]\(\s*<?([^)\s>]+)>?(?:\s+["'(][^)]*)?\)/g;
const reference = /^ {0,3}\[[^\]]+\]:\s*<?([^\s>]+)>?/gm;
const html = /<(?:img|a)\b[^>]*?\b(?:src|href)="([^"]+)"/g;

/** Maps of the code: they name sources as paths below `src/`, or from the root. */
const maps = /^(?:ARCHITECTURE\.md|src\/.*README\.md)$/;
const source = /`((?:[\w-]+\/)+[\w.-]+\.ts)`/g;

/** Judges the links of one Markdown file. */
export function tidyLinks(root: string, { file, text }: TextFile): Finding[] {
  return [
    ...brokenLinks(root, { file, text }),
    ...(maps.test(file) ? goneSources(root, { file, text }) : []),
  ];
}

function goneSources(root: string, { file, text }: TextFile): Finding[] {
  return [...text.matchAll(source)].flatMap((match) => {
    const path = match[1] ?? "";
    if (["", "src", dirname(file)].some((from) => existsSync(join(root, from, path)))) return [];
    return {
      file,
      ...positionAt(text, match.index),
      rule: "sources-are-there",
      what: `names ${path}, which is not there`,
      remedy: "Name the file that does this now, as a path below src/.",
    };
  });
}

function brokenLinks(root: string, { file, text }: TextFile): Finding[] {
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
