/**
 * Bids of another broker, beside those of the broker here ([WMS] slide 48): the other broker refers the job
 * to a site with start and cost, and the job is submitted there with the user's own token. No broker passes
 * a job on.
 */
import type { Command } from "commander";
import type { BidCall, BidListView, BidView, JobSubmission, StintClient } from "../api/client/index.ts";
import { Fault, messageOf } from "../base/index.ts";
import { rankBids } from "../market/index.ts";
import { reachElsewhere } from "./reach-elsewhere.ts";
import type { Terminal } from "./terminal.ts";
import { printable } from "./text-table.ts";

/** Options that name another broker. */
export interface PeerOptions {
  readonly peer?: string;
  readonly tokenFile?: string;
  readonly ca?: string;
}

/** Another broker. */
export interface Peer {
  readonly url: string;
  readonly client: StintClient;
}

/** A bid, with the address of its broker unless that is the one here. */
export interface PeerBid extends BidView {
  readonly broker?: string;
}

/** Bids of both brokers. */
export interface BidsOfBoth extends Omit<BidListView, "items"> {
  readonly items: readonly PeerBid[];
}

const MILLION = 1_000_000;

/** Adds the options. */
export function withPeerOptions(command: Command): Command {
  return command
    .option("--peer <url>", "also request bids from another broker; with --token-file")
    .option("--token-file <file>", "a file with your token at the other broker")
    .option("--ca <file>", "CA certificates that verify the other broker, in PEM");
}

/** The broker that the options name; undefined: none. @throws Fault */
export async function peerOf({ peer: url, tokenFile, ca }: PeerOptions): Promise<Peer | undefined> {
  if (url === undefined && tokenFile === undefined && ca === undefined) return undefined;
  if (url === undefined || tokenFile === undefined) {
    throw new Fault({
      kind: "badInput",
      code: "usage",
      what: url === undefined ? "--token-file or --ca is given without --peer" : "--peer is given alone",
      why: "another broker is reached by its address (--peer) with a token of it (--token-file)",
      remedy: "give both, or omit both",
    });
  }
  return { url, client: await reachElsewhere(url, { tokenFile, ...(ca === undefined ? {} : { ca }) }) };
}

/** Bids of the broker here and of the other one, best first; one that cannot be asked is reported. */
export async function bidsOfBoth(
  here: Pick<StintClient, "call">,
  peer: Peer | undefined,
  body: BidCall,
  { writeError }: Pick<Terminal, "writeError">,
): Promise<BidsOfBoth> {
  if (peer === undefined) return callForBids(here, body);
  const { url } = peer;
  const failed = (error: unknown): undefined => {
    const isGone = error instanceof Fault && error.kind === "unreachable";
    const why = isGone ? "it cannot be reached" : printable(messageOf(error));
    writeError(`stint: no bids of ${printable(url)}: ${why}\n`);
  };
  const [own, others] = await Promise.all([
    callForBids(here, body),
    callForBids(peer.client, body).catch(failed),
  ]);
  if (others === undefined) return own;
  const items = [...own.items, ...others.items.map((bid) => ({ ...bid, broker: url }))];
  const figures = items.map((bid) => {
    const { site, costProcMs, endAt } = bid;
    return { site, costProcMs, endMs: Date.parse(endAt), bid };
  });
  return {
    items: rankBids(figures, Math.round((body.alpha ?? 0) * MILLION)).map(({ bid }) => bid),
    refusals: [...own.refusals, ...others.refusals.map((it) => ({ ...it, site: `${url} ${it.site}` }))],
    late: [...own.late, ...others.late.map((site) => `${url} ${site}`)],
  };
}

function callForBids(client: Pick<StintClient, "call">, body: BidCall): Promise<BidListView> {
  return client.call("callForBids", { body });
}

interface Submitting {
  readonly here: StintClient;
  readonly jobs: readonly JobSubmission[];
  /** Weight of the cost; undefined where no bids are wanted. */
  readonly alpha: number | undefined;
}

/** The broker with the best bid on the first job: the one here where the other has none that is better. */
export async function brokerOfBestBid(
  peer: Peer | undefined,
  { here, jobs, alpha }: Submitting,
  terminal: Pick<Terminal, "writeError">,
): Promise<StintClient> {
  if (peer === undefined) return here;
  const [job] = jobs;
  if (alpha === undefined || job === undefined) {
    throw new Fault({
      kind: "badInput",
      code: "usage",
      what: "--peer is given without --by, or without a job",
      why: "the job goes to the broker with the better bid",
      remedy: "add --by time, --by cost or --by alpha=0.5, or omit --peer",
    });
  }
  const { items } = await bidsOfBoth(here, peer, { ...job, alpha }, terminal);
  if (items[0]?.broker === undefined) return here;
  const text = `the job is submitted to the broker at ${printable(peer.url)}, with your token there`;
  terminal.writeError(`stint: ${text}\n`);
  return peer.client;
}
