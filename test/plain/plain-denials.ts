/**
 * Which sites would never let a job go, and where it may therefore go, as PO-1, PO-21, EN-5 and EN-110 say.
 */

/** A site, what its policies give of its processors at once (in percent), and whether they are enforced. */
export interface PlainPoliced {
  readonly name: string;
  readonly procs: number;
  readonly isEnforced: boolean;
  /** Of the site, by consumer; none where no policy concerns the site. */
  readonly bursts: Readonly<Record<string, number>>;
  /** Of what the level above was given, by consumer. */
  readonly handedOn: Readonly<Record<string, number>>;
}

/** Where a job of so many processors may go; none where it is refused. */
export function plainOpen(
  sites: readonly PlainPoliced[],
  consumer: string,
  procs: number,
): readonly string[] {
  const large = sites.filter((site) => procs <= site.procs);
  const willing = large.filter((site) => !isNever(site, consumer, procs));
  const open = willing.length > 0 ? willing : large.filter(({ isEnforced }) => !isEnforced);
  return open.map(({ name }) => name);
}

function isNever(site: PlainPoliced, consumer: string, procs: number): boolean {
  if (Object.keys(site.bursts).length === 0) return false;
  const words = consumer.split("/");
  const levels = words.map((_, at) => words.slice(0, at + 1).join("/"));
  const top = levels.find((level) => site.bursts[level] !== undefined);
  if (top === undefined) return true;
  let most = site.procs;
  return levels.some((level) => {
    const percent = level === top ? site.bursts[level] : (site.handedOn[level] ?? 100);
    most = (most * percent) / 100;
    return procs > Math.floor(most + 1e-9);
  });
}
