/** `npm run tidy`: checks the written style, as far as a machine can. */
import { tell } from "./house/finding.ts";
import { tidy } from "./house/tidy.ts";

await tell("tidy", "files", tidy);
