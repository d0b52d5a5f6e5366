/** Faults of a verification. */
import { Fault } from "../base/index.ts";
import type { PolicyTerm } from "../policy/index.ts";

/** Recorded seal that differs from the bundle's. */
export function otherSeal(file: string, seal: string): Fault {
  return new Fault({
    kind: "failed",
    code: "bundleOtherSeal",
    what: `${file} is not the bundle with the expected seal`,
    why: `its seal begins with ${seal.slice(0, 16)}`,
    remedy: "request the original bundle; this one was made later",
  });
}

/** Policies that differ from the bundle's. */
export function otherPolicies(
  file: string,
  own: readonly PolicyTerm[],
  theirs: readonly PolicyTerm[],
): Fault {
  return new Fault({
    kind: "refused",
    code: "bundleOtherPolicies",
    what: `${file} was made with other policies`,
    why: firstDifference(own, theirs),
    remedy: "leave --policies out to verify by the policies in the bundle, or agree on the policies first",
  });
}

/** Missing or conflicting options. */
export function usageFault(what: string, why: string, remedy: string): Fault {
  return new Fault({ kind: "badInput", code: "usage", what, why, remedy });
}

/** Ambiguous place. */
export function placeUnclear(places: readonly string[], said: string | undefined): Fault {
  const known = places.length === 0 ? "no site" : places.join(", ");
  return new Fault({
    kind: "badInput",
    code: said === undefined ? "siteMissing" : "siteUnknown",
    what: said === undefined ? "it is not clear which site to verify" : `no policy concerns the site ${said}`,
    why: `the policies concern ${known}`,
    remedy: places.length === 0 ? "name other policies" : `write --site ${places[0]}`,
  });
}

/** Invalid instant. */
export function badInstant(option: string, text: string): Fault {
  return new Fault({
    kind: "badInput",
    code: "optionValueNoInstant",
    what: `${option}: "${text.slice(0, 60)}" is not clear`,
    why: "it must be a date, a date with a time, or Unix seconds; in FROM/TO, the later one must be last",
    remedy: `write for instance ${option} ${SPANS.includes(option) ? EXAMPLE_SPAN : "2026-03-01"}`,
  });
}

const SPANS = ["--gap", "--recorded"];
const EXAMPLE_SPAN = "2026-03-01/2026-03-02T08:00:00";

/** Assertion: no bundle contains an item of this kind. */
export function unsayable(why: string): Error {
  return new Error(`a bundle holds plain data: ${why}`);
}

function firstDifference(own: readonly PolicyTerm[], theirs: readonly PolicyTerm[]): string {
  const names = (terms: readonly PolicyTerm[]) =>
    terms.flatMap(({ fromMs, policies }) =>
      policies.map((policy) => ({
        name: `${policy.resource} of ${policy.provider} for ${policy.consumer}`,
        text: JSON.stringify([fromMs, policy]),
      })),
    );
  const [left, right] = [names(own), names(theirs)];
  const strange = left.find(({ text }) => !right.some((one) => one.text === text));
  if (strange !== undefined) return `${strange.name} is not so in the bundle`;
  const missing = right.find(({ text }) => !left.some((one) => one.text === text));
  return missing === undefined ? "they are in another order" : `${missing.name} is only in the bundle`;
}
