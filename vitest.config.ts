import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts"],
    globalSetup: ["test/build-once.ts"],
    setupFiles: ["test/property-seed.ts"],
    // Property tests and spawned programs on a busy machine of two cores; a hang still ends.
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});
