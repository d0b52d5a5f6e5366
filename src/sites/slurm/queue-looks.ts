/** The partitions that jobs may name, for matching: read every few minutes, beside the surveys. */
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

/** Interval of readings, so that an ad is renewed before its lifetime of five minutes is over; ms. */
const EVERY_MS = 240_000;
/** Interval after a reading that failed. */
const AGAIN_MS = 30_000;
/** A reading that could not be renewed for so long is forgotten; jobs name no partitions until the next. */
const FORGOTTEN_MS = 600_000;

/** Partitions and nodes as they were read last. */
export class QueueLooks {
  readonly #spec: Pick<SlurmSiteSpec, "account" | "partition" | "readOnly">;
  readonly #ask: Ask;
  readonly #clock: Pick<Clock, "nowMs">;
  #nextMs = Number.NEGATIVE_INFINITY;
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

  /** Nothing where the configuration names the partition, or no job of ours goes there. */
  async shown(jobs: readonly SlurmJob[]): Promise<Pick<Survey, "queues">> {
    const { account, partition, readOnly } = this.#spec;
    if (partition !== null || readOnly) return {};
    if (this.#clock.nowMs() >= this.#nextMs) await this.#look();
    if (this.#clock.nowMs() - this.#readAtMs >= FORGOTTEN_MS) this.#read = undefined;
    if (this.#read === undefined) return {};
    return { queues: openQueues({ ...this.#read, jobs }, account) };
  }

  /** A survey is worth more than its queues: without an answer the last one stands. */
  async #look(): Promise<void> {
    try {
      const partitions = readPartitions(await this.#ask("partitions", PARTITIONS_COMMAND));
      this.#read = { partitions, nodes: readNodes(await this.#ask("nodes", NODES_COMMAND)) };
      this.#readAtMs = this.#clock.nowMs();
      this.#nextMs = this.#readAtMs + EVERY_MS;
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      this.#nextMs = this.#clock.nowMs() + AGAIN_MS;
    }
  }
}
