/** A partitionable job: two of its sub-jobs are killed in the middle, and every step is there once. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { liveSetting } from "./live-setting.ts";

describe("partitionable jobs", () => {
  const { ask, folder } = liveSetting(["  - { name: local, type: managed, procs: 3 }"]);

  it("BR-280 BR-281 BR-282 two sub-jobs killed in the middle: the aggregate has every step once", () => {
    const ledger = join(folder, "ledger");
    writeFileSync(ledger, "");
    // The second step of the first two parts kills its sub-job, once.
    const step = `echo $STINT_STEP >> "$1"
case $STINT_STEP in
  1 | 4) [ "$STINT_DAG_TRY" != 1 ] || { kill -9 $PPID; exit 1; } ;;
esac
echo done > "$STINT_STATE/$STINT_STEP"`;
    const words = ["-c", step, "sh", ledger].map((word) => JSON.stringify(word)).join(", ");
    const after = 'cut -f 3 "$STINT_CHECKPOINT/steps"; cd "$STINT_CHECKPOINT" && ls part.*/* | wc -l';
    const file = join(folder, "p.jdl");
    writeFileSync(
      file,
      `JobType = "Partitionable"; Executable = "/bin/sh"; Arguments = { ${words} }; JobSteps = 9; retry = 1;
PostJob = [ Executable = "/bin/sh"; Arguments = { "-c", ${JSON.stringify(after)} } ];`,
    );
    const id = ask("submit", file).out.trim();
    expect(ask("wait", id).out).toContain("DONE (ok)");
    const numbers = [0, 1, 2, 3, 4, 5, 6, 7, 8].map(String);
    expect(ask("logs", `${id}-3`).out.split(/\s+/)).toEqual([...numbers, "9", ""]);
    const begun = readFileSync(ledger, "utf8").trim().split("\n").sort();
    expect(begun).toEqual([...numbers, "1", "4"].sort());
  });
});
