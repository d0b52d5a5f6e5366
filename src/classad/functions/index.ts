import type { Builtin } from "./builtin.ts";
import { choosingFunctions } from "./choosing.ts";
import { environmentFunctions } from "./environments.ts";
import { listFunctions } from "./lists.ts";
import { mathFunctions } from "./maths.ts";
import { regexpFunctions } from "./regexps.ts";
import { stringListFunctions } from "./string-lists.ts";
import { stringFunctions } from "./strings.ts";
import { timeFunctions } from "./times.ts";
import { typeFunctions } from "./types.ts";

/** Every function of the language, by key. */
export const builtins: ReadonlyMap<string, Builtin> = new Map([
  ...typeFunctions,
  ...choosingFunctions,
  ...stringFunctions,
  ...listFunctions,
  ...stringListFunctions,
  ...regexpFunctions,
  ...timeFunctions,
  ...mathFunctions,
  ...environmentFunctions,
]);
