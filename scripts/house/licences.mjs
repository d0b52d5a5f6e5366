/** Licences of packages whose code is bundled; they ask to stand beside it. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Up to the folder of the package that a module belongs to. */
const PACKAGE = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/;
const LICENCE = /^(?:licen[cs]e|notice|copying)\b/i;

/**
 * Text with the licence of each package that has one of these modules.
 *
 * @param {readonly string[]} modules
 */
export function licencesOf(modules) {
  const folders = new Set(modules.flatMap((id) => PACKAGE.exec(id.replace(/^\0+/, ""))?.[0] ?? []));
  return [...folders].sort().map(licenceOf).join("\n");
}

/** @param {string} folder */
function licenceOf(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const files = readdirSync(folder).filter((file) => LICENCE.test(file));
  const texts = files.map((file) => readFileSync(join(folder, file), "utf8").trim());
  return `${name} ${version} (${license})\n\n${texts.join("\n\n")}\n`;
}
