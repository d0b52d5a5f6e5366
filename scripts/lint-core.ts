/** `npm run lint:core`: what the pure core may not say. */
import { lintCore } from "./house/core-lint.ts";
import { tell } from "./house/finding.ts";

await tell("lint:core", "core files", lintCore);
