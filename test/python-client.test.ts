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

const isPandasThere = spawnSync("python3", ["-c", "import pandas"]).status === 0;

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
    expect(/^Ran (\d+) tests/m.exec(ran.stderr)?.[1]).toBe("12");
  });

  // The same run as above: this one is here to be seen as skipped, where it leaves out its data frames.
  it.skipIf(!isPythonThere || !isPandasThere)("gives data frames (needs pandas)", () => {
    const frames = `
from stint_sim import run
done = run("examples/poisson.swf", by=["class", "user"])
assert list(done.groups) == ["class", "user"], done.groups
assert done.groups["user"]["jobs"].sum() == len(done.jobs)
assert abs(done.fairness["waitGini"][0] - done.report["grouped"][1]["fairness"]["waitGini"]) < 1e-12
`;
    const ran = spawnSync("python3", ["-c", frames], {
      cwd: root,
      encoding: "utf8",
      env: {
        ...process.env,
        PYTHONDONTWRITEBYTECODE: "1",
        PYTHONPATH: "clients/python",
        STINT: `'${process.execPath}' '${stintFile}'`,
      },
    });
    expect({ status: ran.status, err: ran.stderr }).toEqual({ status: 0, err: "" });
  });
});
