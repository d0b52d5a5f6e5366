import { defineConfig } from "vitest/config";

/** Of every project: time for property tests and spawned programs on a busy machine; a hang still ends. */
const shared = {
  setupFiles: ["test/property-seed.ts"],
  testTimeout: 60_000,
  hookTimeout: 120_000,
  teardownTimeout: 60_000,
};

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
  "src/sites/slurm/real-clusters.test.ts",
];

export default defineConfig({
  test: {
    globalSetup: ["test/build-once.ts", "test/slurm-clusters-setup.ts"],
    // Many tests wait for programs; left to itself the runner keeps one of two cores idle.
    maxWorkers: "100%",
    projects: [
      {
        test: {
          ...shared,
          name: "unit",
          include: ["src/**/*.test.ts", "scripts/**/*.test.ts"],
          exclude: [...needProcess, ...ofClusters],
          // Importing the sources anew for each file takes longer than all of these tests.
          pool: "threads",
          isolate: false,
        },
      },
      {
        test: {
          ...shared,
          name: "program",
          include: ["test/**/*.test.ts", ...needProcess],
          exclude: ofClusters,
        },
      },
      { test: { ...shared, name: "cluster", include: ofClusters } },
    ],
  },
});
