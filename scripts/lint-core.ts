/** `npm run lint:core`: checks the purity of the core. */
import { lintCore } from "./house/core-lint.ts";
import { tell } from "./house/finding.ts";

await tell("lint:core", "core files", lintCore);
