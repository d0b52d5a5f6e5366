/** `npm run build`: src/ to dist/. */
import { build } from "./house/build.mjs";

if (!build()) process.exitCode = 1;
