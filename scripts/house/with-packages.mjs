/**
 * Modules of src/ that stand in dist/ together with the packages that they use, so that the installed product
 * needs none of these: a part of a large library costs its own size. Plain JavaScript, since `npm install`
 * runs it (prepare).
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** Below src/. */
export const withPackages = ["report/chart-library.ts"];

/** Licences of the packages, which ask to stand beside what is copied. */
const LICENCES = [
  "echarts/NOTICE",
  "echarts/LICENSE",
  "zrender/LICENSE",
  "echarts/node_modules/tslib/LICENSE.txt",
];

/**
 * The module and its packages as one text; undefined where that cannot be, with the reason on stderr.
 *
 * @param {string} root of the project
 * @param {string} file below src/
 * @returns {Promise<string | undefined>}
 */
export async function textWithPackages(root, file) {
  try {
    const { rolldown } = await import("rolldown");
    const bundled = await rolldown({
      input: join(root, "src", file),
      platform: "node",
      transform: { define: { "process.env.NODE_ENV": '"production"' } },
    });
    const { output } = await bundled.generate({ format: "esm", minify: true });
    await bundled.close();
    const licences = LICENCES.map((name) => readFileSync(join(root, "node_modules", name), "utf8"));
    return `/*\n${licences.join("\n").replaceAll("*/", "* /")}\n*/\n${output[0].code}`;
  } catch (cause) {
    console.error(
      `stint: src/${file} is not bundled\n` +
        `  why: ${cause instanceof Error ? cause.message : cause}\n` +
        "  do:  run npm ci where a package of devDependencies is not installed; else mend what it says",
    );
    return undefined;
  }
}
