/**
 * Applications that a job asks for by a range of versions (rule MT-12): `gromacs >= 2023`, `gnu >= 11 < 13`.
 *
 * A version is what follows the last `/` or `@` of a site's name of an application. Versions are compared as
 * ClassAds compare them (`versioncmp`), in the match and in the choice at a site alike.
 */
import { evaluate, parseExpression, truthOf } from "../classad/index.ts";

const FUNCTIONS: Readonly<Record<string, string>> = {
  ">=": "versionGE",
  ">": "versionGT",
  "<=": "versionLE",
  "<": "versionLT",
  "==": "versionEQ",
};
const OPERATORS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(FUNCTIONS).map(([operator, name]) => [name.toLowerCase(), operator]),
);
const BOUND = /(>=|<=|==|>|<) *([A-Za-z0-9._+-]+)/g;
const CLAUSE = /^bool\(countMatches\(Name == "([^"\\]+)" && (.+), other\.ApplicationVersions\)\)$/;
const TEST = /(version[A-Z]{2})\(Version, "([^"\\]+)"\)/gi;

/** An application of a site: its name without the version, and the version. */
export interface VersionedApplication {
  readonly name: string;
  readonly version: string;
}

/** The part of a name in front of its version, and the version; undefined for a name without one. */
export function versionIn(application: string): VersionedApplication | undefined {
  const [, name, version] = /^(.+)[/@]([^/@]+)$/.exec(application) ?? [];
  return name === undefined || version === undefined ? undefined : { name, version };
}

/** The clause of Requirements for a range; undefined where what is asked for is a plain name. */
export function rangeClause(asked: string): string | undefined {
  const range = rangeIn(asked);
  if (range === undefined) return undefined;
  const test = `Name == ${JSON.stringify(range.name)} && ${range.test}`;
  // A comparison with a number would be offered for a change of that number.
  return `bool(countMatches(${test}, other.ApplicationVersions))`;
}

/**
 * Application range in a clause of {@link rangeClause}, as in a job description; undefined for other clauses.
 */
export function rangeOfClause(clause: string): string | undefined {
  const [, name, tests] = CLAUSE.exec(clause) ?? [];
  if (name === undefined || tests === undefined) return undefined;
  const bounds = [...tests.matchAll(TEST)].map(([, test, version]) => {
    return `${OPERATORS[(test ?? "").toLowerCase()]} ${version}`;
  });
  return [name, ...bounds].join(" ");
}

/** Of a site's applications the one that a job gets for what it asks for: of a range the newest. */
export function applicationFor(names: readonly string[], asked: string): string | undefined {
  const range = rangeIn(asked);
  // As the match compares them: without regard to case.
  if (range === undefined) return names.find((name) => name.toLowerCase() === asked.toLowerCase());
  let best: (VersionedApplication & { readonly full: string }) | undefined;
  for (const full of names) {
    const found = versionIn(full);
    if (found === undefined || found.name.toLowerCase() !== range.name.toLowerCase()) continue;
    if (!isTrue(range.test.replaceAll("Version,", `${JSON.stringify(found.version)},`))) continue;
    const { version } = found;
    const isNewer =
      best === undefined || isTrue(`versionGT(${JSON.stringify(version)}, ${JSON.stringify(best.version)})`);
    if (isNewer) best = { ...found, full };
  }
  return best?.full;
}

function rangeIn(asked: string): { readonly name: string; readonly test: string } | undefined {
  const bounds = [...asked.matchAll(BOUND)];
  const [first] = bounds;
  if (first === undefined) return undefined;
  const tests = bounds.map(([, operator, version]) => {
    return `${FUNCTIONS[operator ?? ""]}(Version, ${JSON.stringify(version)})`;
  });
  return { name: asked.slice(0, first.index).trim(), test: tests.join(" && ") };
}

function isTrue(text: string): boolean {
  const read = parseExpression(text);
  return read.ok && truthOf(evaluate(read.value, { nowMs: 0 })) === true;
}
