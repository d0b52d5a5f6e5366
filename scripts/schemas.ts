/** `npm run schemas`: writes docs/schemas and the reference of stint.yaml from the shapes of files. */
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { configurationPage } from "./house/configuration-page.ts";
import { fileSchemas, stintSchema } from "./house/file-schemas.ts";
import { streamXsd } from "./house/stream-xsd.ts";

const folder = resolve(import.meta.dirname, "../docs/schemas");
for (const [name, schema] of fileSchemas()) {
  writeFileSync(join(folder, name), `${JSON.stringify(schema, null, 2)}\n`);
}
writeFileSync(join(folder, "stream.xsd"), streamXsd());
writeFileSync(join(folder, "../reference/configuration.md"), configurationPage(stintSchema()));
spawnSync("npx", ["biome", "format", "--write", folder], { stdio: "inherit" });
