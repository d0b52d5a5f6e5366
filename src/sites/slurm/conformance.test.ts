import { beforeAll, describe } from "vitest";
import { siteConformance } from "../../../test/conformance/site.ts";
import { slurmHarness } from "../../../test/conformance/slurm-harness.ts";
import { clusterUp, hasSlurm, howToInstallSlurm, type TestCluster } from "../../../test/slurm-clusters.ts";

// A real cluster on a busy machine is late now and then: what fails is tried again.
describe.skipIf(!hasSlurm)(`with Slurm${howToInstallSlurm}`, { retry: 2 }, () => {
  let cluster: TestCluster;

  beforeAll(async () => {
    cluster = await clusterUp("A");
  });

  siteConformance("attempts at a cluster under Slurm", {
    kind: "foreign",
    parts: ["attempts"],
    circumstances: ["plain"],
    create: () => slurmHarness(cluster),
  });
});
