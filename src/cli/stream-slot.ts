/** Slots of streams: `stint quote --stream` prices the processors of a stream for its time limit. */
import type { SiteView } from "../api/client/index.ts";
import { Fault } from "../base/index.ts";
import { refusalText } from "../model/index.ts";
import { procsOf } from "../stream/index.ts";
import { readStreamFile } from "./stream-request.ts";

/** Options of a slot that a stream gives. */
interface StreamSlotOptions {
  readonly stream?: string;
  readonly procs?: number;
  /** In milliseconds, as the time limit of a stream. */
  readonly time?: number;
}

/** Options with the processors and the time of the stream, where one is named. @throws Fault */
export async function withStream<Options extends StreamSlotOptions>(options: Options): Promise<Options> {
  const { stream: file, procs, time } = options;
  if (file === undefined) return options;
  if (procs !== undefined) throw procsTwice;
  const stream = await readStreamFile(file);
  const limit = time ?? stream.limits.wallTimeMs;
  if (limit === undefined) throw noTime(file);
  return { ...options, procs: procsOf(stream), time: limit };
}

/** Refuses a site that takes no streams, as a submission there would be. @throws Fault */
export function demandStreamPools(named: readonly string[], sites: readonly SiteView[]): void {
  // An unknown site is refused with the quote.
  const site = sites.find(({ name, spec }) => named.includes(name) && spec.streams === undefined)?.name;
  if (site === undefined) return;
  const known = sites.filter(({ spec }) => spec.streams !== undefined).map(({ name }) => name);
  const code = "noStreamPool";
  throw new Fault({ kind: "refused", code, ...refusalText({ kind: code, site, known }) });
}

const procsTwice = new Fault({
  kind: "badInput",
  code: "optionMisplaced",
  what: "-n does not go with --stream",
  why: "the stream's description states the processors",
  remedy: "omit one of the two",
});

function noTime(file: string): Fault {
  return new Fault({
    ...{ kind: "badInput", code: "slotMissing", what: `the stream of ${file} cannot be priced` },
    why: "its description has no time limit, and -t is not given",
    remedy: "give the time with -t, or write limits: { wallTime: 24h }",
  });
}
