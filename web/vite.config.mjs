import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";

const here = fileURLToPath(new URL(".", import.meta.url));

/**
 * How the page is built: to dist/web/, from where the broker serves it.
 *
 * @type {import("vite").InlineConfig}
 */
export const configuration = {
  root: here,
  configFile: false,
  logLevel: "warn",
  plugins: [react()],
  build: {
    outDir: fileURLToPath(new URL("../dist/web", import.meta.url)),
    emptyOutDir: true,
    target: "es2022",
    // One policy for one document: nothing is inlined.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1200,
  },
};
