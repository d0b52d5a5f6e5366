/**
 * The version of the program, from its package.
 */
import { readFileSync } from "node:fs";

/**
 * Reads the version once, from the package file beside `dist`, in a clone and in an installed package
 * alike.
 */
export function readVersion(): string {
  const manifest = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")) as {
    version: string;
  };
  return manifest.version;
}
