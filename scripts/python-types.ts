/** `npm run python-types`: writes the types of clients/python anew from the types of reports. */
import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { PYTHON_TYPES, pythonTypes } from "./house/python-types.ts";

writeFileSync(resolve(import.meta.dirname, "..", PYTHON_TYPES), pythonTypes());
