/** The Python package of clients/python, with the program that was built. */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { PYTHON_TYPES, pythonTypes } from "../scripts/house/python-types.ts";
import { stintFile } from "./stint.ts";

const root = resolve(import.meta.dirname, "..");
const NEW_ENOUGH = "import sys; sys.exit(sys.version_info < (3, 9))";
const isPythonThere = spawnSync("python3", ["-c", NEW_ENOUGH]).status === 0;

describe("stint_sim, the Python package", () => {
  it("has types of reports as they are (npm run python-types)", () => {
    expect(readFileSync(join(root, PYTHON_TYPES), "utf8")).toBe(pythonTypes());
  });

  it.skipIf(!isPythonThere)("passes its own tests (needs Python 3.9 or newer)", () => {
    const ran = spawnSync("python3", ["-m", "unittest", "discover", "-s", "clients/python/tests"], {
      cwd: root,
      encoding: "utf8",
      env: {
        ...process.env,
        PYTHONDONTWRITEBYTECODE: "1",
        STINT: `'${process.execPath}' '${stintFile}'`,
      },
    });
    expect(ran.stderr).toMatch(/\nOK\b/);
    expect(/^Ran (\d+) tests/m.exec(ran.stderr)?.[1]).toBe("10");
  });
});
