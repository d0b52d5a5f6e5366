import { describe } from "vitest";
import { siteConformance } from "../../../test/conformance/site.ts";
import { slurmHarness } from "../../../test/conformance/slurm-harness.ts";
import { clusterUp, hasSlurm, howToInstallSlurm } from "../../../test/slurm-clusters.ts";

// A real cluster on a busy machine is late now and then: what fails is tried again.
describe.skipIf(!hasSlurm)(`with Slurm${howToInstallSlurm}`, { retry: 2 }, () => {
  siteConformance("a cluster under Slurm", {
    kind: "foreign",
    runsPrograms: true,
    circumstances: ["plain"],
    create: async () => slurmHarness(await clusterUp("A")),
  });
});
