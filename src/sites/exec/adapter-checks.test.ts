import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { checkAdapter } from "./index.ts";

const examples = fileURLToPath(new URL("../../../examples/adapters/", import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), "stint-checks-"));

afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** The example in Python with one line that is wrong. */
function wrong(name: string, line: string, instead: string): readonly string[] {
  const text = readFileSync(join(examples, "processes.py"), "utf8");
  expect(text).toContain(line);
  const file = join(scratch, `${name}.py`);
  writeFileSync(file, text.replace(line, instead), { mode: 0o700 });
  return [file, join(scratch, `${name}-queue`), "2"];
}

async function failing(command: readonly string[], patienceMs: number): Promise<readonly string[]> {
  const checks = await checkAdapter({ command, directory: scratch, patienceMs });
  return checks.filter(({ works }) => works !== true).map(({ what, why }) => `${what}: ${why}`);
}

describe("the conformance suite for authors of adapters", () => {
  it("a program that does not forget ended jobs is found out", async () => {
    const command = wrong("keeps", 'os.remove(path(record["job"]))\n        elif', "pass\n        elif");
    const missing = expect.stringContaining("stays in the list, or left no report within 1.5 s");
    expect(await failing(command, 1500)).toContainEqual(missing);
  });

  it("a program that ends, or is none, is explained by the first check alone", async () => {
    expect(await failing(["/bin/false"], 1000)).toEqual(["describe: its program ended with exit code 1"]);
    expect(await failing(["/no/such"], 1000)).toHaveLength(1);
  });

  it("the example for the queue of batch passes, with a queue that starts everything at once", async () => {
    const bin = join(scratch, "bin");
    const queue = join(scratch, "at");
    mkdirSync(bin);
    mkdirSync(queue);
    const tool = (name: string, text: string): void => {
      writeFileSync(join(bin, name), `#!/bin/sh\nqueue='${queue}'\n${text}`);
      chmodSync(join(bin, name), 0o700);
    };
    tool("batch", BATCH);
    tool("atq", 'for job in "$queue"/*; do [ -f "$job" ] && echo "${job##*/} Sat Nov 28 = me"; done; :\n');
    tool("atrm", 'rm -f "$queue/$1"\n');
    const path = `PATH=${bin}:${process.env.PATH}`;
    const command = ["/usr/bin/env", path, join(examples, "batch.sh"), join(scratch, "batch"), "2"];
    expect(await failing(command, 100_000)).toEqual([]);
  });
});

const BATCH = `job=$(($(cat "$queue.last" 2> /dev/null || echo 0) + 1))
echo "$job" > "$queue.last"
cat > "$queue/$job"
( setsid sh "$queue/$job"; rm -f "$queue/$job" ) < /dev/null > /dev/null 2>&1 &
echo "job $job at Sat Nov 28 04:20:00 2026" >&2
`;
