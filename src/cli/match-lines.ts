/** Matches of a job in lines: sites, clauses with their verdicts, changes that would help. */
import type { JobMatchView } from "../api/client/index.ts";
import { counted } from "../base/index.ts";
import { dataText } from "../model/index.ts";

/** The lines, without their ends. */
export function matchLines(
  { sites, clauses, matches, changes }: JobMatchView,
  { isRanked }: { readonly isRanked: boolean },
): readonly string[] {
  const found = matches.map(({ name, rank }) => {
    const isClosed = sites.some((site) => site.name === name && !site.takesJobs);
    const notes = `${isRanked ? `  rank ${rank}` : ""}${isClosed ? "  (takes no jobs now)" : ""}`;
    return `${placeOf(name, sites)}${notes}`;
  });
  const none =
    sites.length === 0
      ? "no site is large enough for it"
      : `no site matches (${counted(sites.length, "site")})`;
  return [
    ...(found.length === 0 ? [none] : found),
    ...dataLines(sites),
    ...clauses.flatMap((clause) => ["", ...clauseLines(clause, sites)]),
    ...(changes.length === 0 ? [] : ["", "what would help:"]),
    ...changes.map(({ text, wins }) => `  ${text}: ${counted(wins, "more site")} would match`),
  ];
}

/** A site, with the queue that the job would name there. */
function placeOf(name: string, sites: JobMatchView["sites"]): string {
  const queue = sites.find((site) => site.name === name)?.queue;
  return queue === undefined ? name : `${name}, queue ${queue}`;
}

function clauseLines(
  { of, text, verdicts }: JobMatchView["clauses"][number],
  sites: JobMatchView["sites"],
): readonly string[] {
  const asked = sites.flatMap(({ name }, at) => {
    const verdict = verdicts[at];
    return verdict === undefined || verdict === "notAsked" ? [] : [{ name: placeOf(name, sites), verdict }];
  });
  const failing = asked.filter(({ verdict }) => verdict !== "true");
  const costs = failing.length === 0 ? "excludes none" : `excludes ${failing.length} of ${asked.length}`;
  return [
    `${of === "site" ? "site demands " : ""}${text}: ${costs}`,
    ...failing.map(({ name, verdict }) => `  ${name}: ${verdict}`),
  ];
}

/** Where the input files of the job are, seen from each site. */
function dataLines(sites: JobMatchView["sites"]): readonly string[] {
  const lines = sites.flatMap(({ name, data }) =>
    data === undefined
      ? []
      : [`  ${name}: ${dataText({ ...data, transferMs: Math.round(data.transferSec * 1000) })}`],
  );
  return lines.length === 0 ? [] : ["", "data:", ...lines];
}
