/**
 * Draws the synthetic workload shipped as `examples/poisson.swf`.
 */
import { writeFileSync } from "node:fs";
import { poissonWorkload, SHIPPED_DRAW } from "../src/sim/index.ts";

writeFileSync(new URL("../examples/poisson.swf", import.meta.url), poissonWorkload(SHIPPED_DRAW));
