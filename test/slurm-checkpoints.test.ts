/** Jobs of a real cluster that save their states, go on from them, and begin from those of others. */
import { describe, expect, it } from "vitest";
import { slurmBroker } from "./slurm-broker.ts";
import { clusterUp, hasSlurm, howToInstallSlurm } from "./slurm-clusters.ts";

const COUNT = `n=0
[ -z "$STINT_CHECKPOINT" ] || read -r n < "$STINT_CHECKPOINT/d/n"
echo "from $n"
n=$((n + 1)); mkdir d; echo $n > d/n; stint-ckpt save step$n d || exit 9
[ "$n" -ge 2 ] || exit 85`;

describe.skipIf(!hasSlurm)(`states saved at a real cluster${howToInstallSlurm}`, { timeout: 400_000 }, () => {
  it("BR-211 BR-212 a job goes on in a further attempt; another one begins from its state", async () => {
    const broker = await slurmBroker(await clusterUp("A"));
    try {
      await broker.submit("chain", COUNT, { checkpointExitCode: 85 });
      expect(await broker.until("chain", "DONE", "ABORTED")).toMatchObject({ attempt: 2, exitCode: 0 });
      expect(await broker.output("chain")).toBe("from 1\n");
      const states = await broker.brokerApi.savedStates("chain");
      expect(states?.map(({ name, attempt }) => `${name} ${attempt}`)).toEqual(["step2 2", "step1 1"]);
      await broker.submit("other", COUNT, { fromCheckpoint: "chain:step1" });
      expect(await broker.until("other", "DONE", "ABORTED")).toMatchObject({ attempt: 1, exitCode: 0 });
      expect(await broker.output("other")).toBe("from 1\n");
    } finally {
      await broker.stop();
    }
  });
});
