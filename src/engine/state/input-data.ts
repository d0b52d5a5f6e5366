/**
 * Where the input files of a job are, seen from a site (rule EN-281): in its own stores, or so long a
 * transfer away.
 *
 * Of each file the copy counts that is there soonest; files come one after the other. The rate between two
 * sites is the least of what their links carry, where they declare any.
 */
import { mulDiv } from "../../base/index.ts";
import {
  type InputDataAt,
  type JobDescription,
  networkBytesPerSecOf,
  type Replica,
} from "../../model/index.ts";
import type { Projection } from "./projection.ts";
import type { SiteState } from "./site-state.ts";

/** Rate between two sites that declare no links: 1 Gbit/s. */
const ASSUMED_BYTES_PER_SEC = 125_000_000;

type ReplicaCopy = Replica["copies"][number];
type Known = Pick<Projection, "books" | "sites">;
type Asked = Pick<JobDescription, "inputData" | "dataAccessProtocol">;

/** Names of the input files of which no copy is known that the job could read. */
export function missingData({ books }: Pick<Projection, "books">, asked: Asked): readonly string[] {
  return (asked.inputData ?? []).filter((name) => {
    const replica = books.replicas.get(name);
    return replica === undefined || readable(replica, asked).length === 0;
  });
}

/** The input files seen from a site; undefined for a job without any. Those without a copy do not count. */
export function inputDataAt({ books, sites }: Known, site: SiteState, asked: Asked): InputDataAt | undefined {
  const { inputData = [] } = asked;
  if (inputData.length === 0) return undefined;
  const from = new Set<string>();
  let [nearFiles, nearBytes, farFiles, farBytes, transferMs, isAssumed] = [0, 0, 0, 0, 0, false];
  for (const name of inputData) {
    const replica = books.replicas.get(name);
    const best = replica && bestCopy(replica, { site, sites, asked });
    if (replica === undefined || best === undefined) continue;
    if (best.copy.site === site.name) {
      nearFiles++;
      nearBytes += replica.bytes;
      continue;
    }
    farFiles++;
    farBytes += replica.bytes;
    from.add(best.copy.site);
    transferMs += mulDiv(replica.bytes, 1000, best.rate, "up");
    isAssumed ||= best.isAssumed;
  }
  return { nearFiles, nearBytes, farFiles, farBytes, from: [...from], transferMs, isAssumed };
}

/** A copy, and how fast it comes. */
interface ReachedCopy {
  readonly copy: ReplicaCopy;
  readonly rate: number;
  readonly isAssumed: boolean;
}

interface Reading {
  readonly site: SiteState;
  readonly sites: Projection["sites"];
  readonly asked: Asked;
}

/** The copy of a file that is at a site soonest; the first of several. */
function bestCopy(replica: Replica, { site, sites, asked }: Reading): ReachedCopy | undefined {
  let best: ReachedCopy | undefined;
  for (const copy of readable(replica, asked)) {
    if (copy.site === site.name) return { copy, rate: Number.POSITIVE_INFINITY, isAssumed: false };
    const rates = [sites.get(copy.site), site].map((end) => (end ? networkBytesPerSecOf(end.spec) : 0));
    const declared = rates.filter((rate) => rate > 0);
    const isAssumed = declared.length === 0;
    const rate = isAssumed ? ASSUMED_BYTES_PER_SEC : Math.min(...declared);
    if (best === undefined || rate > best.rate) best = { copy, rate, isAssumed };
  }
  return best;
}

/** Copies that a job can read by one of its protocols; one without an address by any. */
function readable({ copies }: Replica, { dataAccessProtocol }: Asked): readonly ReplicaCopy[] {
  if (dataAccessProtocol === undefined) return copies;
  const known = dataAccessProtocol.map((protocol) => `${protocol.toLowerCase()}:`);
  return copies.filter(
    ({ url }) => url === undefined || known.some((it) => url.toLowerCase().startsWith(it)),
  );
}
