/** `npm run tidy`: the written style, as far as a machine can hold it. */
import { tell } from "./house/finding.ts";
import { tidy } from "./house/tidy.ts";

await tell("tidy", "files", tidy);
