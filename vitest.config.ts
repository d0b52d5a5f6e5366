import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts", "scripts/**/*.test.ts"],
    globalSetup: ["test/build-once.ts", "test/slurm-clusters-setup.ts"],
    // Many tests wait for programs; left to itself the runner keeps one of two cores idle.
    maxWorkers: "100%",
    setupFiles: ["test/property-seed.ts"],
    // Property tests and spawned programs on a busy machine of two cores; a hang still ends.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    teardownTimeout: 60_000,
  },
});
