#!/usr/bin/env node
/**
 * The `stint` command. Runs what `npm ci` has compiled into dist.
 */
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const compiled = new URL("../dist/bundle/cli.js", import.meta.url);
if (existsSync(fileURLToPath(compiled))) {
  const { main } = await import(compiled.href);
  await main();
} else {
  process.stderr.write(
    "stint: the program is not compiled\n" +
      "  why: dist/bundle/cli.js is missing; npm ci compiles it unless told to skip scripts\n" +
      "  do:  run npm ci, or npm run build, in the folder of the project\n",
  );
  process.exitCode = 1;
}
