/** `npm run layers`: checks which folders import which. */
import { tell } from "./house/finding.ts";
import { checkLayers } from "./house/layers.ts";

await tell("layers", "modules", checkLayers);
