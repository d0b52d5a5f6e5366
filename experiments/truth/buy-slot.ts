/**
 * A broker over the clusters, and a slot that is bought through it as anybody would: quoted, offered,
 * accepted.
 */

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Result } from "../../src/base/index.ts";
import type { Broker } from "../../src/broker/index.ts";
import {
  type Refusal,
  type ReservationRecord,
  SLURM_DEFAULTS,
  type SlurmSiteSpec,
} from "../../src/model/index.ts";
import { brokerOver } from "../broker-over.ts";
import type { TruthCluster } from "./clusters.ts";
import type { PlacedSlot } from "./plan.ts";
import { CLUSTER_PROCS, type RequestedSlot } from "./workload.ts";

/** A slot that was bought. */
export interface BoughtSlot {
  readonly id: string;
  readonly slot: PlacedSlot;
  /** f: what the delays of others cost, in processor-milliseconds. */
  readonly fixedProcMs: number;
  readonly delaysJobs: number;
  /** Why earlier ones could not be had. */
  readonly refusals: readonly string[];
}

/** What the experiment asks of its broker. */
export interface TruthBroker {
  /** The first slot that the request allows; each buyer is a consumer of its own. */
  buy(cluster: TruthCluster, request: RequestedSlot, buyer: string): Promise<BoughtSlot>;
  /** Gives up what is left of a slot; says whether it was kept until now. */
  giveUp(bought: BoughtSlot): Promise<boolean>;
  stop(): Promise<void>;
}

/** Slots that may be refused before the buyer gives up. */
const TRIES = 10;
const LOOK_EVERY_MS = 100;
const MADE_WITHIN_MS = 20_000;
const MEMORY_BYTES = 2 ** 34;
const SECOND_MS = 1000;

/** How a cluster is configured: by the defaults but for how often it is looked at. */
export function specOf({ slurmConf }: TruthCluster, submitDirectory: string): SlurmSiteSpec {
  const size = { procs: CLUSTER_PROCS, memoryBytes: MEMORY_BYTES };
  const more = { readOnly: false, slurmConf, submitDirectory, pollsPerMinute: 60 };
  return { ...SLURM_DEFAULTS, type: "slurm", ...size, ...more };
}

/** Starts it, with all clusters as its sites, and waits until it has seen them. */
export async function startTruthBroker(
  folder: string,
  clusters: readonly TruthCluster[],
  warn: (message: string) => void,
): Promise<TruthBroker> {
  const jobs = join(folder, "jobs");
  mkdirSync(jobs, { recursive: true });
  const sites = clusters.map((cluster) => ({ name: cluster.name, spec: specOf(cluster, jobs) }));
  const broker = await brokerOver(sites, folder, warn);
  return {
    buy: (cluster, request, buyer) => buy(broker, cluster.name, request, buyer),
    giveUp: (bought) => giveUp(broker, bought),
    stop: () => broker.stop(),
  };
}

/**
 * Quotes, has offered and accepts. Where the queue has taken the slot meanwhile it is quoted again; where
 * the cluster refuses it (Slurm does at the very second in which a running job's limit ends), from a second
 * later.
 */
async function buy(
  { brokerApi }: Broker,
  site: string,
  { procs, afterMs, durationMs }: RequestedSlot,
  buyer: string,
): Promise<BoughtSlot> {
  const size = { procs, memoryBytes: 0, durationMs };
  const whose = { site, consumer: `truth/${buyer}`, owner: buyer };
  // Slurm's clock has whole seconds.
  let fromMs = Math.ceil((Date.now() + afterMs) / SECOND_MS) * SECOND_MS;
  const refusals: string[] = [];
  while (refusals.length < TRIES) {
    const id = `${buyer}-${refusals.length + 1}`;
    const when = { kind: "from", fromMs } as const;
    const [{ starts, trouble }] = await brokerApi.quote({
      ...size,
      consumer: whose.consumer,
      sites: [site],
      when,
    });
    const first = starts.find(({ hindrance }) => hindrance === null);
    if (first === undefined) throw new Error(`no slot at ${site}: ${trouble ?? "its rules allow none"}`);
    const { startMs } = first;
    const offered = await brokerApi.ask({ kind: "offerSlot", reservation: id, ...whose, ...size, startMs });
    if (!offered.ok) {
      refusals.push(JSON.stringify(offered.refusal));
      continue;
    }
    must(await brokerApi.ask({ kind: "acceptOffer", reservation: id, by: buyer }));
    const { state, history, fixedProcMs, delaysJobs } = await madeOrNot(brokerApi, id);
    const slot = { procs, startMs, durationMs };
    if (state !== "VIOLATED") return { id, slot, fixedProcMs, delaysJobs, refusals };
    refusals.push(history[history.length - 1].why ?? state);
    fromMs = (Math.floor(startMs / SECOND_MS) + 1) * SECOND_MS;
  }
  throw new Error(`no slot at ${site}: ${refusals.join("; ")}`);
}

/** The record when the cluster has it, or has refused it. */
async function madeOrNot(brokerApi: Broker["brokerApi"], id: string): Promise<ReservationRecord> {
  const endMs = performance.now() + MADE_WITHIN_MS;
  for (;;) {
    const record = await brokerApi.reservation(id);
    if (record !== undefined && (record.siteReservation !== null || record.state === "VIOLATED"))
      return record;
    if (performance.now() > endMs) throw new Error(`${id} is not made: ${JSON.stringify(record)}`);
    await delay(LOOK_EVERY_MS);
  }
}

async function giveUp({ brokerApi }: Broker, { id }: BoughtSlot): Promise<boolean> {
  const state = (await brokerApi.reservation(id))?.state;
  if (state === "ACCEPTED")
    must(await brokerApi.ask({ kind: "cancelReservation", reservation: id, by: "truth" }));
  if (state === "ACTIVE") must(await brokerApi.ask({ kind: "relinquish", reservation: id, by: "truth" }));
  return state === "ACCEPTED" || state === "ACTIVE" || state === "FULFILLED";
}

function must(answer: Result<unknown, Refusal>): void {
  if (!answer.ok) throw new Error(JSON.stringify(answer.refusal));
}
