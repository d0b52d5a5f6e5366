/**
 * package-lock.json names every optional package, of all platforms.
 *
 * npm writes the lock file of the machine it runs on: a platform's binary that the registry did not give
 * is left out without a word, and then `npm ci` fails elsewhere (EUSAGE, "Missing: … from lock file").
 */
import type { Finding } from "./finding.ts";
import { positionAt, type TextFile } from "./tree.ts";

interface Lock {
  readonly packages: Readonly<
    Record<string, { readonly optionalDependencies?: Readonly<Record<string, string>> }>
  >;
}

/** Judges the lock file. */
export function tidyLock({ file, text }: TextFile): Finding[] {
  const { packages = {} }: Partial<Lock> = JSON.parse(text);
  return Object.entries(packages).flatMap(([from, { optionalDependencies = {} }]) =>
    Object.entries(optionalDependencies)
      .filter(([name]) => !isLocked(packages, from, name))
      .map(([name, version]) => ({
        file,
        ...positionAt(text, Math.max(0, text.indexOf(`"${name}"`))),
        rule: "lock-file-complete",
        what: `${name} ${version} has no entry`,
        remedy:
          "Bring its entry back from the last commit, or write it: version, os, cpu, libc, optional (an " +
          "integrity is not needed for what this machine never fetches).",
      })),
  );
}

/** True if a package resolves as in Node: beside the package that needs it, then further up. */
function isLocked(packages: Lock["packages"], from: string, name: string): boolean {
  const path = from === "" ? `node_modules/${name}` : `${from}/node_modules/${name}`;
  if (path in packages) return true;
  return from !== "" && isLocked(packages, from.replace(/(^|\/)node_modules\/(@[^/]+\/)?[^/]+$/, ""), name);
}
