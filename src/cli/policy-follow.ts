/**
 * `stint policy follow`: keeps the policies of another broker here, and tells it which version holds.
 *
 * Nothing of it is kept beside the brokers: what was taken over last is in the note of the version here.
 */
import { readFile } from "node:fs/promises";
import { Command } from "commander";
import type { PoliciesView, PolicySetView, StintClient } from "../api/client/index.ts";
import { Fault } from "../base/index.ts";
import type { Policy } from "../model/index.ts";
import type { Daily } from "./daily.ts";
import { durationValue } from "./quantity-values.ts";
import { reachBroker } from "./reach-broker.ts";
import { printable } from "./text-table.ts";

const EXAMPLES = `
Examples:
  $ stint token create --role follower --vo west/broker --expires 365d > west.token
  $ stint policy follow http://127.0.0.1:7900 --token-file west.token --name west
  $ stint policy follow http://127.0.0.1:7900 --token-file west.token --name west --once

The first is for an admin of the other broker. Policies whose provider is a site of this broker, and what
their consumers hand on, are applied here as they are applied there, instead of all that hold; the other
broker is told which version was taken over (stint policy show there). While it does not answer, the last
version goes on being enforced, and it is asked again. A broker elsewhere is reached through a tunnel, for
instance ssh -L 7900:127.0.0.1:7846 there.example.org.
`;

interface FollowOptions {
  readonly tokenFile: string;
  readonly name: string;
  readonly every: number;
  readonly once: boolean;
}

/** The command. */
export function policyFollowCommand(daily: Daily): Command {
  return new Command("follow")
    .summary("keep the policies of another broker here")
    .description("Applies here what is applied at another broker, for the sites of this one.")
    .argument("<url>", "the other broker")
    .requiredOption("--token-file <file>", "a file with a token of the role follower, of the other broker")
    .requiredOption("--name <name>", "what this broker is called there")
    .option("--every <time>", "how often the other broker is asked", durationValue("--every"), 30_000)
    .option("--once", "ask once, and end", false)
    .addHelpText("after", EXAMPLES)
    .action(async (url: string, options: FollowOptions) => {
      const token = await tokenIn(options.tokenFile);
      const there = await reachBroker({ url, token }).catch((error: unknown) => {
        throw inOtherWords(error, options.tokenFile);
      });
      const world = { there, here: await daily.client(), url, daily };
      try {
        if (options.once) await takeOver(world, options);
        else await keepFollowing(world, options);
      } finally {
        world.there.close();
      }
    });
}

interface World {
  readonly there: StintClient;
  readonly here: StintClient;
  readonly url: string;
  readonly daily: Daily;
}

async function tokenIn(file: string): Promise<string> {
  try {
    return (await readFile(file, "utf8")).trim();
  } catch (error) {
    throw new Fault({
      kind: "badInput",
      code: "tokenFileUnreadable",
      what: `${file} cannot be read`,
      why: error instanceof Error ? error.message : String(error),
      remedy: "save what stint token create printed there, for you alone to read",
    });
  }
}

/** What was given here is no setting of the broker here: the remedy says where it was given. */
function inOtherWords(error: unknown, tokenFile: string): unknown {
  if (!(error instanceof Fault)) return error;
  const { kind, code, what, why } = error;
  const remedies: Readonly<Record<string, string>> = {
    tokenUnreadable: `save all of what stint token create printed there in ${tokenFile}`,
    urlWrong: "give the near end of a tunnel to it, for instance http://127.0.0.1:7900",
  };
  const remedy = Object.hasOwn(remedies, code) ? remedies[code] : error.remedy;
  return new Fault({ kind, code, what, why, remedy });
}

async function keepFollowing(world: World, options: FollowOptions): Promise<void> {
  const { surface } = world.daily;
  const ending = new AbortController();
  const giveBack = surface.onEndRequest(() => ending.abort());
  let trouble: string | undefined;
  try {
    while (!ending.signal.aborted) {
      const now = await takeOver(world, options).then(
        () => undefined,
        (error: unknown) => troubleOf(error),
      );
      if (now !== undefined && now !== trouble) {
        surface.writeError(`stint: ${printable(now)}; what was taken over last goes on holding\n`);
      }
      if (now === undefined && trouble !== undefined) surface.writeError("stint: following again\n");
      trouble = now;
      await pause(options.every, ending.signal);
    }
  } finally {
    giveBack();
  }
}

/** What passes by itself is told and tried again; what does not ends the program. */
function troubleOf(error: unknown): string {
  if (error instanceof Fault && (error.kind === "unreachable" || error.code === "policiesChanged")) {
    return error.what;
  }
  throw error;
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

/** One look: takes over what is new, and says so there. */
async function takeOver({ there, here, url, daily }: World, { name }: FollowOptions): Promise<void> {
  const sites = (await here.sites()).map((site) => site.name);
  const ours = await here.policies();
  const taken = takenOver(ours, url);
  const theirs = await asked(url, there.followPolicies(name, { sites, version: taken }));
  const news = setsOf(theirs).filter(({ version }) => version > (taken ?? 0));
  let onVersion = setsOf(ours).at(-1)?.version ?? 0;
  for (const set of news) {
    const { policies, wish } = wishFor(set, { sites, url, nowMs: daily.surface.nowMs() });
    const applied = await here.applyPolicies(wish, { onVersion });
    onVersion = applied.version;
    const what = `version ${set.version} of ${url} is version ${applied.version} here`;
    daily.surface.writeResult(`${printable(what)}: ${policies} policies\n`);
  }
  const last = news.at(-1);
  if (last !== undefined) await asked(url, there.followPolicies(name, { sites, version: last.version }));
}

/** The other broker's answer; that it does not answer is no matter of the broker here. */
function asked(url: string, answer: Promise<PoliciesView>): Promise<PoliciesView> {
  return answer.catch((error: unknown) => {
    if (!(error instanceof Fault) || error.kind !== "unreachable") throw error;
    throw new Fault({
      kind: "unreachable",
      code: "followedUnreachable",
      what: `the broker at ${url} cannot be reached`,
      why: "nobody answers there",
      remedy: "see whether it runs, and whether the tunnel to it is open; the policies here stay as they are",
    });
  });
}

function wishFor(
  { version, policies, effectiveFrom }: PolicySetView,
  { sites, url, nowMs }: { readonly sites: readonly string[]; readonly url: string; readonly nowMs: number },
) {
  const concerning = policiesOfSites(policies, sites);
  const isComing = Date.parse(effectiveFrom) > nowMs;
  const wish = {
    policies: concerning,
    note: noteOf(version, url),
    ...(isComing ? { effectiveFrom } : {}),
  };
  return { policies: concerning.length, wish };
}

/** In the order in which they were applied. */
function setsOf({ now, coming }: PoliciesView): readonly PolicySetView[] {
  return [...(now === null ? [] : [now]), ...coming].sort((one, other) => one.version - other.version);
}

/** The last version of a broker that was taken over here; null where the last one here is another's. */
export function takenOver(ours: PoliciesView, url: string): number | null {
  const note = setsOf(ours).at(-1)?.note ?? "";
  const version = /^version (\d{1,15}) of /.exec(note)?.[1];
  return version !== undefined && note === noteOf(Number(version), url) ? Number(version) : null;
}

function noteOf(version: number, url: string): string {
  return `version ${version} of ${url}`;
}

/** Those whose provider is one of the sites, or a consumer that has something of them. */
export function policiesOfSites(policies: readonly Policy[], sites: readonly string[]): readonly Policy[] {
  const atSite = ({ provider }: Policy): boolean =>
    sites.some((site) => provider === site || provider.startsWith(`${site}/`));
  const concerning = new Set(policies.filter(atSite));
  for (let before = -1; before < concerning.size; ) {
    before = concerning.size;
    const consumers = new Set([...concerning].map(({ consumer }) => consumer));
    for (const policy of policies) if (consumers.has(policy.provider)) concerning.add(policy);
  }
  return policies.filter((policy) => concerning.has(policy));
}
