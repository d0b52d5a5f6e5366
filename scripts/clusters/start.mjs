/**
 * Runs main.ts from the sources, without a build; the loader is resolved from here, in any working
 * directory.
 */
import { register } from "tsx/esm/api";

register();
await import("./main.ts");
