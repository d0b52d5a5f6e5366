import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Of every project: time for property tests and spawned programs on a busy machine; a hang still ends. */
const shared = {
  setupFiles: ["test/property-seed.ts"],
  testTimeout: 400_000,
  hookTimeout: 300_000,
  expect: { poll: { timeout: 100_000 } },
};

/** Of projects whose tests start brokers. */
const withBrokers = { ...shared, setupFiles: [...shared.setupFiles, "test/end-brokers-left.ts"] };

/** Tests that become another user for a moment, which a thread cannot do alone. */
const needProcess = [
  "src/formats/safe-file.test.ts",
  "src/formats/trace-bytes.test.ts",
  "src/store/sqlite/store.test.ts",
];

/** Tests that need Slurm, each of which skips visibly where it is not installed. */
const ofClusters = [
  "test/slurm-*.test.ts",
  "test/when.test.ts",
  "test/import-accounting.test.ts",
  "src/sites/slurm/conformance.test.ts",
  "src/sites/slurm/queue-conformance.test.ts",
  "src/sites/slurm/real-clusters.test.ts",
];

/** Each takes long, most of it waiting: begun last, they would run on alone. */
const longest = [
  "src/sites/simulated/conformance.test.ts",
  "src/sites/managed/crash.test.ts",
  "src/sim/external/program.test.ts",
  "src/sim/scenario/deciders.test.ts",
  "src/store/samples/samples.test.ts",
  "src/sites/managed/processes.test.ts",
  "src/sites/managed/conformance.test.ts",
  "src/sites/slurm/conformance.test.ts",
  "src/sites/slurm/queue-conformance.test.ts",
  "test/slurm-virtual.test.ts",
  "test/slurm-traps.test.ts",
  "test/slurm-forgotten.test.ts",
  "test/slurm-load.test.ts",
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) => longest.some((end) => moduleId.endsWith(end));
    const sorted = await super.sort(files);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

/** Some wait for processes, clusters and disks: one more at a time than there are cores. */
const waiting = { maxWorkers: availableParallelism() + 1 };

export default defineConfig({
  test: {
    globalSetup: ["test/build-once.ts", "test/slurm-clusters-setup.ts"],
    // The clusters of a run are taken down at its end.
    teardownTimeout: 300_000,
    sequence: { sequencer: LongestFirst },
    // What was translated is kept in node_modules, by its content, for the next run.
    experimental: { fsModuleCache: true },
    projects: [
      {
        test: {
          ...shared,
          name: "unit",
          include: ["src/**/*.test.ts", "scripts/**/*.test.ts", "web/src/**/*.test.ts"],
          exclude: [...needProcess, ...ofClusters],
          // Importing the sources anew for each file takes longer than all of these tests.
          pool: "threads",
          isolate: false,
          // Some wait for processes and signals.
          ...waiting,
          sequence: { groupOrder: 2 },
        },
      },
      {
        test: {
          ...withBrokers,
          name: "program",
          include: ["test/**/*.test.ts", ...needProcess],
          exclude: ofClusters,
          // Many polls are a process of the command line, which takes as long.
          expect: { poll: { timeout: 100_000, interval: 200 } },
          // As above; a process, since some become another user for a moment.
          isolate: false,
          ...waiting,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          ...withBrokers,
          name: "cluster",
          include: ofClusters,
          isolate: false,
          // They wait most of all.
          maxWorkers: availableParallelism() + 2,
          sequence: { groupOrder: 0 },
        },
      },
    ],
  },
});
