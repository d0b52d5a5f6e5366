/**
 * Streams: jobs whose data come in while they compute. A stream is a job whose program is a wrapper; it is
 * held until its minima of processors, bandwidth and storage are free at its site ([STREAM] 3.1).
 */
import { counted, sizeText, utcText } from "../../base/index.ts";
import type { FeatureModel } from "../feature.ts";
import type { LiveStream } from "../live-stream.ts";

/** A rate that a trial has measured, of a program on a class of processors of a site. */
export interface StreamRate {
  readonly site: string;
  readonly className: string;
  readonly executableHash: string;
  readonly bytesPerSec: number;
  /** Bytes per second of processor time, or of elapsed time if processor time is not known. */
  readonly bytesPerCpuSec: number;
  readonly atMs: number;
}

/** A stage of a pipeline, as its wrapper last reported. */
interface StageFigures {
  readonly name: string;
  /** Bytes of stream data per second, while the stage has a block; null before the first block. */
  readonly bytesPerSec: number | null;
  /** Output of the previous stage that this stage has not acknowledged. */
  readonly waitingBytes: number;
}

/** Trouble of a stream with a source or a sink. */
interface StreamStall {
  readonly with: "source" | "sink";
  readonly sinceMs: number;
  /** Absent where the next attempt is not planned, in the past while one is under way. */
  readonly nextAtMs?: number;
}

/** Last report of a wrapper. */
export interface StreamFigures {
  readonly state: string;
  readonly atMs: number;
  readonly allocatedBytesPerSec: number;
  readonly receivedBytesPerSec: number;
  readonly processedBytesPerSec: number;
  readonly ackedBytes: number;
  readonly totalBytes: number | null;
  readonly occupiedBytes: number;
  readonly quotaBytes: number;
  /** Results that the sink has not confirmed yet, and those that it has; absent without a sink. */
  readonly unsentBytes?: number;
  readonly sentBytes?: number;
  /** Stages of a pipeline, in their order; absent for a single program. */
  readonly stages?: readonly StageFigures[];
  readonly halts: number;
  readonly haltedMs: number;
  readonly seq: number;
  readonly setAside: number;
  /** Class of a trial, and the rates that it has measured; absent outside trials. */
  readonly trial?: { readonly className: string } & Partial<TrialRates>;
  readonly trouble: string | null;
  /** Trouble with the source or the sink, its begin and the next attempt, by the wrapper's clock. */
  readonly stall?: StreamStall;
  /** Reason why the wrapper ended before the end of the data; absent where it did not. */
  readonly failure?: string;
}

/** A stream of the broker, by the id of its job. */
export interface StreamRecord {
  readonly job: string;
  readonly site: string;
  readonly stream: LiveStream;
  readonly submittedAtMs: number;
  /** Null while its minima are not free. */
  readonly admittedAtMs: number | null;
  /** Class of its processors; absent while it waits, and at sites whose processors are alike. */
  readonly className?: string;
  /** Classes on which it is still to be tried, before its job starts. */
  readonly trials?: readonly string[];
  /** Trials that have measured nothing; absent where there are none. */
  readonly failedTrials?: readonly FailedTrial[];
  readonly isPaused: boolean;
  /** True where what is fetched is processed, and nothing more is fetched. */
  readonly isDraining: boolean;
  /** Resources set aside while it waits; absent where it has reserved nothing. */
  readonly reservation?: StreamReserved;
  /** Instant at which its last reservation expired. */
  readonly reservationExpiredAtMs?: number;
  readonly endedAtMs: number | null;
  /** The last report, once it has ended. */
  readonly last: StreamFigures | null;
}

/** Reservation for a stream that has waited long: processors, and minimum bandwidth and storage. */
export interface StreamReserved {
  readonly sinceMs: number;
  /** Processors that it holds already, by class. */
  readonly procs: Readonly<Record<string, number>>;
}

/** A trial without a rate. */
interface FailedTrial {
  readonly className: string;
  readonly why: string;
}

/** Changes that are possible while a stream is active. */
export interface StreamChange {
  readonly weight?: number;
  readonly maxBytesPerSec?: number;
  readonly isPaused?: boolean;
  readonly isDraining?: true;
}

/** A minimum that is not free. */
interface StreamNeedShort {
  readonly resource: "processors" | "bandwidth" | "storage";
  readonly needed: number;
  readonly available: number;
}

/** A minimum that is not free, with who has the resource and when it is expected to be free. */
interface StreamNeedAwaited extends StreamNeedShort {
  /** The largest holders; absent at a site that publishes aggregates. */
  readonly holders?: readonly StreamResourceHolder[];
  /** Holders beside those. */
  readonly moreHolders?: number;
  /** Instant at which enough is free if all end at their time limits; absent where that is not known. */
  readonly availableAtMs?: number;
}

/** A job or a stream that has some of a short resource. */
interface StreamResourceHolder {
  readonly job: string;
  readonly consumer: string;
  readonly amount: number;
  /** True where it waits too, and the amount is reserved for it. */
  readonly isReserving?: boolean;
}

/** Rates of a trial. */
export interface TrialRates {
  readonly bytesPerSec: number;
  /** Absent if processor time is not known. */
  readonly bytesPerCpuSec?: number;
}

interface StreamsTypes {
  readonly command:
    | {
        readonly kind: "recordStream";
        readonly job: string;
        readonly site: string;
        readonly stream: LiveStream;
      }
    | { readonly kind: "selectStreams"; readonly site: string }
    | {
        readonly kind: "recordTrial";
        readonly job: string;
        readonly className: string;
        /** Null where the trial has measured nothing. */
        readonly measured: TrialRates | null;
        /** Reason for which nothing was measured. */
        readonly problem?: string;
      }
    | ({ readonly kind: "changeStream"; readonly job: string; readonly by: string } & StreamChange)
    | { readonly kind: "endStream"; readonly job: string; readonly last: StreamFigures | null };
  readonly event:
    | {
        readonly kind: "streamRecorded";
        readonly job: string;
        readonly site: string;
        readonly stream: LiveStream;
      }
    | {
        readonly kind: "streamAdmitted";
        readonly job: string;
        readonly className?: string;
        readonly trials?: readonly string[];
      }
    | {
        readonly kind: "streamTried";
        readonly job: string;
        readonly className: string;
        readonly measured: TrialRates | null;
        readonly problem?: string;
      }
    | { readonly kind: "streamAssigned"; readonly job: string; readonly className: string }
    | {
        readonly kind: "streamReserved";
        readonly job: string;
        readonly procs: StreamReserved["procs"];
      }
    | { readonly kind: "streamReservationExpired"; readonly job: string }
    | ({ readonly kind: "streamChanged"; readonly job: string; readonly by: string } & StreamChange)
    | { readonly kind: "streamEnded"; readonly job: string; readonly last: StreamFigures | null };
  readonly refusal:
    | { readonly kind: "unknownStream"; readonly job: string }
    | { readonly kind: "streamOver"; readonly job: string }
    | { readonly kind: "streamNotAdmitted"; readonly job: string }
    | { readonly kind: "noStreamPool"; readonly site: string; readonly known: readonly string[] }
    | {
        readonly kind: "streamUnsuited";
        readonly site: string;
        readonly type?: string;
        readonly requirements?: string;
        /** Classes of the site; empty where its processors are alike. */
        readonly classes: readonly string[];
      }
    | {
        readonly kind: "streamNeverFits";
        readonly site: string;
        readonly shortages: readonly StreamNeedShort[];
      };
  readonly books: { readonly streams: StreamRecord; readonly streamRates: StreamRate };
  readonly action: "changeStream";
  readonly cause:
    | {
        readonly kind: "streamWaits";
        readonly site: string;
        readonly shortages: readonly StreamNeedAwaited[];
        /** The one minimum that is too large, and the largest one with which the stream could start now. */
        readonly smallestChange?: {
          readonly resource: StreamNeedShort["resource"];
          readonly lowerTo: number;
        };
        /** Processors that are reserved for it, and the end of its reservation. */
        readonly reserved?: { readonly procs: number; readonly untilMs: number };
        /** Stream for which resources are reserved before it. */
        readonly behind?: string;
        /** True where its minima are reserved, and other streams still occupy its storage. */
        readonly isAdmitted?: true;
      }
    /** A trial on a class of processors is under way; `left` more classes follow. */
    | {
        readonly kind: "streamOnTrial";
        readonly site: string;
        readonly className: string;
        readonly left: number;
      }
    /** A trial on a class of processors has measured nothing. */
    | ({ readonly kind: "streamTrialFailed" } & FailedTrial)
    /** The broker cannot start the stream, or cannot write its orders; it tries again each second. */
    | { readonly kind: "streamHindered"; readonly why: string; readonly sinceMs: number }
    /** A running stream whose data have stopped at a source or a sink; attempts are repeated. */
    | ({ readonly kind: "streamStalled"; readonly why: string } & Partial<StreamStall>)
    | { readonly kind: "streamFailed"; readonly why: string };
}

export const streams: FeatureModel<StreamsTypes> = {
  events: {
    ...{ streamRecorded: 1, streamAdmitted: 1, streamChanged: 1, streamEnded: 1 },
    ...{ streamReserved: 1, streamReservationExpired: 1, streamTried: 1, streamAssigned: 1 },
  },
  refusals: {
    unknownStream: {
      status: 404,
      text: ({ job }) => ({
        what: `there is no stream ${job}`,
        why: "no stream has this id, or it ended too long ago",
        remedy: "list the streams: `stint stream list`",
      }),
    },
    streamOver: {
      status: 409,
      text: ({ job }) => ({
        what: `stream ${job} cannot be changed`,
        why: "it has ended",
        remedy: `show its last figures: \`stint stream status ${job}\``,
      }),
    },
    streamNotAdmitted: {
      status: 409,
      text: ({ job }) => ({
        what: `stream ${job} cannot be released`,
        why: "it is held until all its resources are free at the same time and its trials have ended",
        remedy: `show what is short: \`stint why ${job}\``,
      }),
    },
    noStreamPool: {
      status: 422,
      text: ({ site, known }) => ({
        what: `site ${site} takes no streams`,
        why: "its settings state no bandwidth and storage for streams",
        remedy:
          known.length === 0
            ? "add `streams:` with inbound, storage and directory to the site in stint.yaml"
            : `name a site that takes streams: ${known.join(", ")}`,
      }),
    },
    streamUnsuited: {
      status: 422,
      text: ({ site, type, requirements, classes }) => ({
        what: `the stream can never run at ${site}`,
        why:
          classes.length === 0
            ? "it requires a class of processors, and the site declares no classes"
            : `no class of its processors (${classes.join(", ")}) ${[
                ...(type === undefined ? [] : [`is of type ${type}`]),
                ...(requirements === undefined ? [] : [`fulfils ${requirements.slice(0, 200)}`]),
              ].join(" and ")}`,
        remedy:
          classes.length === 0
            ? "remove type and requirements, or add `classes:` to the streams of the site in stint.yaml"
            : "correct type or requirements, or choose another site",
      }),
    },
    streamNeverFits: {
      status: 422,
      text: ({ site, shortages }) => ({
        what: `the stream can never run at ${site}`,
        why: shortages.map((it) => shortageText(it, "the site")).join("; "),
        remedy: "lower this minimum, or choose another site",
      }),
    },
  },
  books: {
    streams: ({ job }) => job,
    streamRates: rateKey,
  },
  actions: {
    changeStream: {
      may: { admin: "all", operator: "all", siteAdmin: "site", voAdmin: "subtree", user: "own" },
    },
  },
  causes: {
    streamFailed: ({ why }) => `the stream ended before the end of its data: ${why}`,
    streamStalled: ({ why, with: of, sinceMs, nextAtMs }, formatInstant) => {
      if (sinceMs === undefined) return `its data have stopped, and the stream tries again: ${why}`;
      const what = of === "sink" ? "its sink has accepted no results" : "it has received no data";
      const next = nextAtMs === undefined ? "" : `; next attempt at ${formatInstant(nextAtMs)}`;
      return `${what} since ${formatInstant(sinceMs)}: ${why}${next}`;
    },
    streamTrialFailed: ({ className, why }) => `its trial on class ${className} has measured no rate: ${why}`,
    streamHindered: ({ why, sinceMs }, formatInstant) =>
      `its start or its orders have failed since ${formatInstant(sinceMs)}, ` +
      `and are tried again each second: ${why}`,
    streamOnTrial: ({ site, className, left }) => {
      const text = `the stream is tried on class ${className} of the processors of ${site}`;
      const after = "before it starts on the fastest class";
      if (left === 0) return `${text}, ${after}`;
      return `${text}, and then on ${left} other${left === 1 ? "" : "s"}, ${after}`;
    },
    streamWaits: ({ site, shortages, smallestChange, reserved, behind, isAdmitted }, formatInstant) => {
      if (isAdmitted === true) {
        return `the stream is admitted at ${site} and starts when other streams there have freed its storage`;
      }
      if (shortages.length === 0) return `the stream is about to be admitted at ${site}`;
      const text = `at ${site} ${shortages.map((it) => awaitedText(it, formatInstant)).join("; ")}`;
      if (reserved !== undefined) {
        const procs = counted(reserved.procs, "processor");
        return `${text}; reserved for it until ${utcText(reserved.untilMs)}: ${procs}, bandwidth, storage`;
      }
      if (behind !== undefined) return `${text}; resources are reserved for stream ${behind}`;
      if (smallestChange === undefined) return text;
      const { resource, lowerTo } = smallestChange;
      return `${text}; with a minimum of ${amountText(resource, lowerTo)} it could start now`;
    },
  },
};

/** Key of a remembered rate. */
export function rateKey({
  site,
  className,
  executableHash,
}: Pick<StreamRate, "site" | "className" | "executableHash">): string {
  return `${executableHash} ${site} ${className}`;
}

/** @param who `free`, or who has no more in all */
function shortageText({ resource, needed, available }: StreamNeedShort, who: "free" | "the site"): string {
  const has = who === "free" ? "free:" : "the site has";
  return `it needs ${amountText(resource, needed)}, ${has} ${amountText(resource, available)}`;
}

function amountText(resource: StreamNeedShort["resource"], amount: number): string {
  if (resource === "processors") return counted(amount, "processor");
  return `${sizeText(amount)}${resource === "bandwidth" ? "/s" : ""} of ${resource}`;
}

/** A shortage with who has the resource, and when it is expected to be free. */
function awaitedText(shortage: StreamNeedAwaited, formatInstant: (atMs: number) => string): string {
  const { resource, holders = [], moreHolders = 0, availableAtMs } = shortage;
  const having = holders.map(({ job, consumer, amount, isReserving }) => {
    const verb = isReserving === true ? "is reserved for" : "is used by";
    return `${amountText(resource, amount)} ${verb} ${job} of ${consumer}`;
  });
  const more = moreHolders === 0 ? [] : [`the rest is used by ${counted(moreHolders, "other job")}`];
  const at = availableAtMs === undefined ? [] : [`enough is free by ${formatInstant(availableAtMs)}`];
  return [shortageText(shortage, "free"), ...having, ...more, ...at].join(", ");
}

/** Storage of a stream beside that of its blocks: unsent results, and outputs between stages. */
export function storageBesideBlocks({ sink, pipeline }: LiveStream): number {
  const between = pipeline?.next.map(({ storageBytes }) => storageBytes) ?? [];
  return between.reduce((sum, bytes) => sum + bytes, sink?.storageBytes ?? 0);
}
