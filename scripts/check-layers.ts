/** `npm run layers`: who may call whom. */
import { tell } from "./house/finding.ts";
import { checkLayers } from "./house/layers.ts";

await tell("layers", "modules", checkLayers);
