/** Runs main.ts as it is written, without a build; the loader is found from here, wherever we are called. */
import { register } from "tsx/esm/api";

register();
await import("./main.ts");
