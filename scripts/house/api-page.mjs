/**
 * The page of the API's description, of @fastify/swagger-ui: its code is bundled, and the files that it
 * serves are copied to dist/api-page. Plain JavaScript, since `npm install` runs it (prepare).
 */
import { cpSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";

/** Below dist/. */
export const API_PAGE = "api-page";
/** Files of the package that its page does not load. */
const UNUSED = /\/(?:swagger-ui\.js|index\.html)$/;

const home = dirname(createRequire(import.meta.url).resolve("@fastify/swagger-ui/package.json"));

/** Copies what the page serves. @param {string} dist */
export function copyApiPage(dist) {
  const to = join(dist, API_PAGE);
  rmSync(to, { recursive: true, force: true });
  cpSync(join(home, "static"), join(to, "static"), {
    recursive: true,
    filter: (file) => !UNUSED.test(file),
  });
  cpSync(join(home, "LICENSE"), join(to, "LICENSE"));
}

/** Makes bundled modules of the package find their files where they were copied to. */
export const filesOfApiPage = {
  name: "files-of-api-page",
  /** @param {string} code @param {string} id */
  transform(code, id) {
    const folder = relative(home, dirname(id));
    if (folder.startsWith("..") || !code.includes("__dirname")) return null;
    const place = JSON.stringify(join("..", API_PAGE, folder));
    const known = `require("node:path").join(import.meta.dirname, ${place})`;
    return { code: code.replaceAll("__dirname", known), map: null };
  },
};
