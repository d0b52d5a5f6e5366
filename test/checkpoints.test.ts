/** A job that saves its state goes on from it, also under another broker; another job begins from it. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { liveSetting } from "./live-setting.ts";
import { temporaryFolder } from "./stint.ts";

const COUNT = `n=0
[ -z "$STINT_CHECKPOINT" ] || read -r n < "$STINT_CHECKPOINT/n"
echo "from $n"
[ "$n" != 1 ] || until [ -e "$GO" ]; do sleep 0.1; done
n=$((n + 1)); echo $n > n; stint-ckpt save step$n n
[ "$n" -ge 3 ] || exit 85`;

describe("saved states", () => {
  const { ask, until, end, up } = liveSetting(["  - { name: local, type: managed, procs: 2 }"]);
  const go = join(temporaryFolder(), "go");

  it("BR-210 BR-211 BR-212 a chain of attempts, also over a killed broker; another job", async () => {
    const saving = ["--checkpoint-exit", "85", "--env", `GO=${go}`];
    const id = ask("submit", ...saving, "--", "sh", "-c", COUNT).out.trim();
    await expect.poll(() => ask("checkpoint", "list", id).out, { timeout: 200_000 }).toContain("step1");
    await end("SIGKILL");
    await up();
    writeFileSync(go, "");
    await until(id, "DONE");
    expect(ask("logs", id).out).toBe("from 2\n");
    const items = ["step3", "step2"].map((name) => ({ name, files: 1, sizeBytes: 2 }));
    expect(JSON.parse(ask("checkpoint", "list", id, "-o", "json").out)).toMatchObject({ items });
    expect(ask("list", "--exit-code", "0", "-o", "name").out.trim()).toBe(id);
    expect(ask("list", "--exit-code", "85", "-o", "name").out).toBe("");
    const other = ask("submit", "--from-checkpoint", `${id}:step2`, "--", "sh", "-c", COUNT).out.trim();
    await until(other, "DONE");
    expect(ask("logs", other).out).toBe("from 2\n");
    expect(ask("submit", "--from-checkpoint", `${id}:step9`, "--", "true").err).toContain(
      "has no checkpoint step9",
    );
  });
});
