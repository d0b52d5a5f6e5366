/**
 * The folder rules of .dependency-cruiser.mjs, run over a tree.
 *
 * dependency-cruiser reads TypeScript through the TypeScript API; when it cannot (TypeScript 7 has
 * none) it reports "0 modules, no violations". So what it saw is compared with what is on disk, and
 * a file that it did not judge is a finding of its own.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { cruise, type ICruiseResult, type IViolation } from "dependency-cruiser";
import rules from "../../.dependency-cruiser.mjs";
import type { Finding, Report } from "./finding.ts";
import { folders } from "./folders.mjs";
import { isSource, listFiles, positionAt, readText } from "./tree.ts";

const cruised = ["src", "web"];
const comments = new Map(rules.forbidden?.map((rule) => [rule.name, rule.comment]));

/** Judges every import under src/ and web/ of `root`. */
export async function checkLayers(root: string): Promise<Report> {
  const files = cruised.flatMap((folder) => listFiles(root, folder)).filter(isSource);
  const judged = new Set<string>();
  const findings = strangers(files);
  if (files.length > 0) {
    const result = await cruiseTree(root);
    for (const { source } of result.modules) judged.add(source);
    findings.push(...result.summary.violations.map((violation) => toFinding(root, result, violation)));
  }
  const missed = files.filter((file) => !judged.has(file));
  findings.unshift(...blindSpots(files.length, missed));
  return { seen: files.length - missed.length, findings };
}

async function cruiseTree(root: string): Promise<ICruiseResult> {
  const { options, ...ruleSet } = rules;
  const present = cruised.filter((folder) => existsSync(join(root, folder)));
  const { output } = await cruise(
    present,
    { ...options, ruleSet, validate: true, baseDir: root },
    options?.enhancedResolveOptions,
  );
  if (typeof output === "string") throw new Error(`dependency-cruiser answered with text:\n${output}`);
  return output;
}

function toFinding(root: string, result: ICruiseResult, { rule, from, to, cycle }: IViolation): Finding {
  const module = result.modules.find(({ source }) => source === from);
  const written = module?.dependencies.find(({ resolved }) => resolved === to)?.module ?? to;
  const text = readText(root, from) ?? "";
  const at = Math.max(0, text.indexOf(`"${written}"`));
  const around = cycle ? ` (${[from, ...cycle.map(({ name }) => name)].join(" → ")})` : "";
  return {
    file: from,
    ...positionAt(text, at),
    rule: rule.name,
    what: `imports ${to}${around}`,
    remedy: comments.get(rule.name) ?? "see the rule in .dependency-cruiser.mjs",
  };
}

/** Files in folders without a rule, where every import would be allowed. */
function strangers(files: readonly string[]): Finding[] {
  const known = new RegExp(`^(web/|src/(${folders.join("|")})/)`);
  return files
    .filter((file) => !known.test(file))
    .map((file) => ({
      file,
      line: 1,
      column: 1,
      rule: "known-folder",
      what: "stands in a folder that no layering rule knows",
      remedy: "Move it into one of the folders of scripts/house/folders.mjs, or enter the new folder there.",
    }));
}

/**
 * Files that the cruise did not judge: with an unusable compiler dependency-cruiser reports no violations.
 */
export function blindSpots(count: number, missed: readonly string[]): Finding[] {
  if (count > 0 && missed.length === 0) return [];
  return [
    {
      file: missed[0] ?? "src",
      line: 1,
      column: 1,
      rule: "sees-everything",
      what:
        count === 0
          ? "0 modules were there to judge, so nothing was checked"
          : `${missed.length} of ${count} modules were not judged: ${missed.slice(0, 5).join(", ")}`,
      remedy: "Run in the repository's root with TypeScript 6.0.3 installed (npm ci); 7 has no compiler API.",
    },
  ];
}
