/**
 * The partitions that jobs may name, for matching; they are read less often than the queue.
 *
 * A survey reads them if somebody has asked for their ads and these are nearly out of date, if jobs wait for
 * reasons that show that nodes or partitions have changed, and otherwise once an hour.
 */
import { Fault } from "../../base/index.ts";
import { openQueues, type Survey } from "../../engine/index.ts";
import {
  NODES_COMMAND,
  PARTITIONS_COMMAND,
  readNodes,
  readPartitions,
  type SlurmJob,
} from "../../formats/slurm/index.ts";
import type { ClusterSnapshot, SlurmSiteSpec } from "../../model/index.ts";
import type { Clock } from "../../runtime/index.ts";
import type { Ask } from "./ask.ts";

/** Age from which on an ad is renewed when it is asked for: its lifetime is five minutes; ms. */
const NEARLY_OLD_MS = 240_000;
/** Age at which an ad is renewed although nobody asks for it; ms. */
const OLDEST_MS = 3_600_000;
/** Interval after a reading that failed. */
const AGAIN_MS = 30_000;
/** A reading that could not be renewed for so long is forgotten; jobs name no partitions until the next. */
const FORGOTTEN_MS = 600_000;

/** Slurm's reasons for a wait that follow from a change of nodes or partitions. */
const NEWS = /^\(?(Partition(Down|Inactive|Config|NodeLimit)|NodeDown|ReqNodeNotAvail|Nodes_required)/;

/** Partitions and nodes as they were read last. */
export class QueueLooks {
  readonly #spec: Pick<SlurmSiteSpec, "account" | "partition" | "readOnly">;
  readonly #ask: Ask;
  readonly #clock: Pick<Clock, "nowMs">;
  #notBeforeMs = Number.NEGATIVE_INFINITY;
  #hasFailed = false;
  /** Reasons in the last survey that tell of changed nodes or partitions. */
  #news = "";
  #isAnnounced = false;
  #readAtMs = Number.NEGATIVE_INFINITY;
  #read: Pick<ClusterSnapshot, "partitions" | "nodes"> | undefined;

  constructor(
    spec: Pick<SlurmSiteSpec, "account" | "partition" | "readOnly">,
    ask: Ask,
    clock: Pick<Clock, "nowMs">,
  ) {
    this.#spec = spec;
    this.#ask = ask;
    this.#clock = clock;
  }

  /**
   * Queues for a survey; none where the configuration names the partition, or the site is read-only.
   *
   * @param areAsked true if somebody has asked for the ads since the last survey
   */
  async shown(jobs: readonly SlurmJob[], areAsked = true): Promise<Pick<Survey, "queues">> {
    const { account, partition, readOnly } = this.#spec;
    if (partition !== null || readOnly) return {};
    // Changes that this survey shows are read with the next one: Slurm may answer with the state before them.
    const isDue = this.#isAnnounced || this.#ageMs() >= (areAsked ? NEARLY_OLD_MS : OLDEST_MS);
    this.#heed(jobs);
    if (isDue && this.#clock.nowMs() >= this.#notBeforeMs) await this.#look();
    if (this.#hasFailed && this.#ageMs() >= FORGOTTEN_MS) this.#read = undefined;
    if (this.#read === undefined) return {};
    return { queues: openQueues({ ...this.#read, jobs }, account) };
  }

  #ageMs(): number {
    return this.#clock.nowMs() - this.#readAtMs;
  }

  /** Notes whether jobs wait for other reasons of nodes or partitions than in the last survey. */
  #heed(jobs: readonly SlurmJob[]): void {
    const reasons = jobs.flatMap(({ reason }) => (reason !== null && NEWS.test(reason) ? [reason] : []));
    const news = [...new Set(reasons)].sort().join(" ");
    this.#isAnnounced ||= news !== this.#news;
    this.#news = news;
  }

  /** A survey is worth more than its queues: without an answer the last one stands. */
  async #look(): Promise<void> {
    try {
      const partitions = readPartitions(await this.#ask("partitions", PARTITIONS_COMMAND));
      this.#read = { partitions, nodes: readNodes(await this.#ask("nodes", NODES_COMMAND)) };
      this.#readAtMs = this.#clock.nowMs();
      this.#hasFailed = false;
      this.#isAnnounced = false;
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      this.#hasFailed = true;
      this.#notBeforeMs = this.#clock.nowMs() + AGAIN_MS;
    }
  }
}
