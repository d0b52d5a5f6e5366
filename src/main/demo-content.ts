/**
 * Content of a demo that is kept: usage policies, one of them at its limit, and a running stream.
 *
 * Two organisations have half of elm each at any instant. The first uses its half; the enforcer holds its
 * other jobs although processors are free.
 */
import { setTimeout } from "node:timers/promises";
import type { reachBroker } from "../cli/index.ts";
import type { PoliciesRequest } from "../contract/index.ts";
import { SITES } from "./demo-jobs.ts";

type Client = Awaited<ReturnType<typeof reachBroker>>;
/** A client of the demo's broker with this token. */
type Reach = (token: string) => Promise<Client>;

/** Numbers without end, at the rate at which they are read; the stream counts those with a 7. */
const SOURCE = ["seq", "9000000000000"];
const COUNTER = `
require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { seq, path } = JSON.parse(line);
  const sevens = require("fs").readFileSync(path, "utf8").split("\\n").filter((it) => it.includes("7"));
  console.error(sevens.length + " numbers with a 7 in block " + seq);
  console.log(JSON.stringify({ kind: "ack", seq }));
});`;
const STREAM = {
  ...{ name: "sevens", weight: 1, weightStep: 1, weightPeriodSec: 600, procs: 1 },
  ...{ minBytesPerSec: 100_000, maxBytesPerSec: 400_000, minBytes: 4_000_000, maxBytes: 8_000_000 },
  ...{ blockBytes: 400_000, connections: 1, ahead: 5, delivery: "lines" as const, restarts: 3 },
  sources: [{ href: [`exec:${SOURCE[0]}`], exec: SOURCE, endless: true }],
  ...{ command: [process.execPath, "-e", COUNTER], environment: {}, wallTimeSec: 86_400 },
};

const PARTNER = "physics/anna";
const HOUR_SEC = 3600;
const PPM_OF_PERCENT = 10_000;
/** Longest wait for the cancelled jobs to end, when the demo ends. */
const ENDING_MS = 10_000;
const ACTIVE = ["WAITING", "READY", "SCHEDULED", "RUNNING", "SUSPENDED", "HELD"] as const;

/** Fills the views of the page that the jobs of the demo leave empty. */
export async function fillPage(client: Client, reach: Reach): Promise<void> {
  const [{ consumer }] = (await client.jobs({ limit: 1 })).items;
  await client.applyPolicies({ policies: policiesFor(consumer), note: "policies of the demo" });
  const { token } = await client.createToken({ role: "user", consumer: PARTNER, label: "demo" });
  const partner = await reach(token);
  try {
    await partner.submit([held("spectra", 8)]);
  } finally {
    partner.close();
  }
  await client.submit([held("survey", 6), held("mosaic", 6)]);
  await client.call("submitStream", { body: { site: SITES.here, stream: STREAM } });
}

/** Ends all jobs: they would outlive the broker, whose folder is removed. */
export async function endJobs(client: Client): Promise<void> {
  const active = async () => (await client.jobs({ state: [...ACTIVE], limit: 1000 })).items;
  for (const { id } of await active()) await client.act(id, "cancel").catch(() => undefined);
  const endsAt = performance.now() + ENDING_MS;
  while ((await active()).length > 0 && performance.now() < endsAt) await setTimeout(100);
}

/** Half of elm at any instant for each of two organisations, which divide it further. */
function policiesFor(consumer: string): PoliciesRequest["policies"] {
  const [organisation] = consumer.split("/");
  const [partner] = PARTNER.split("/");
  return [
    { ...share(SITES.elm, organisation, [50, 50]), rule: "cap" },
    share(SITES.elm, partner, [50, 75]),
    ...(consumer === organisation ? [] : [share(organisation, consumer, [80, 100])]),
    share(partner, PARTNER, [60, 100]),
  ];
}

function share(provider: string, consumer: string, [epoch, burst]: readonly [number, number]) {
  const window = { kind: "sliding" as const, lengthSec: HOUR_SEC };
  return {
    ...{ resource: "cpu" as const, provider, consumer },
    epoch: { window, sharePpm: epoch * PPM_OF_PERCENT },
    burst: { bucketSec: 60, sharePpm: burst * PPM_OF_PERCENT },
    ...{ rule: "entitlement" as const, mode: "shared" as const, carry: "forgive" as const },
  };
}

function held(name: string, procs: number) {
  const words = { executable: "sleep", arguments: [String(HOUR_SEC / 2)] };
  return { name, ...words, procs, site: SITES.elm, wallTimeSec: HOUR_SEC };
}
