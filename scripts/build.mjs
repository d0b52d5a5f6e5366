/** `npm run build`: src/ to dist/. */
import { build } from "./house/build.mjs";

if (!(await build({ declarations: true }))) process.exitCode = 1;
