/**
 * `stint policy follow`: copies the policies of another broker, and reports the copied version to it. No
 * state is kept beside the brokers: the version copied last is in the note of the version here.
 */

import { Command, Option } from "commander";
import type { PoliciesView, PolicyEntry, PolicySetView, StintClient } from "../api/client/index.ts";
import type { CommandContext } from "./command-context.ts";
import { keepAsking } from "./keep-asking.ts";
import { durationValue } from "./quantity-values.ts";
import { askedElsewhere, type ElsewhereOptions, otherVersion, reachElsewhere } from "./reach-elsewhere.ts";
import { printable } from "./text-table.ts";

const EXAMPLES = `
Examples:
  $ stint token create --role follower --vo west/broker --expires 365d > west.token
  $ stint policy follow http://127.0.0.1:7900 --token-file west.token --name west
  $ stint policy follow http://127.0.0.1:7900 --token-file west.token --name west --once
  $ stint policy follow https://there.example.org --token-file west.token --name west --ca there.pem

An administrator of the other broker runs the first command. Applied here are
the policies whose provider is a site of this broker, and those by which their
consumers divide their shares, as they are applied there. The policies of sites
for which the other broker has none stay unchanged. The other broker records
which version was copied (stint policy show there). While it does not answer,
the last version stays in force, and polling continues.

A broker on another machine is reached over https, if it has a certificate or is
behind a proxy that terminates TLS, or through a tunnel, for instance ssh -L
7900:127.0.0.1:7846 there.example.org.
`;

const REMEDY =
  "see whether it runs, and whether the tunnel to it is open; the policies here stay as they are";
const HOLDS = "the version copied last stays in force";

interface FollowOptions extends ElsewhereOptions {
  readonly name: string;
  readonly every: number;
  readonly once: boolean;
}

/** Command definition of `stint policy follow`. */
export function policyFollowCommand(context: CommandContext): Command {
  return new Command("follow")
    .summary("copy the policies of another broker")
    .description("Polls another broker for its policies and applies those of the sites here.")
    .argument("<url>", "address of the other broker")
    .requiredOption(
      "--token-file <file>",
      "a file with a token of the role follower, made at the other broker",
    )
    .requiredOption("--name <name>", "name of this broker there")
    .option("--ca <file>", "CA certificates that verify it, in PEM (default: the system's)")
    .addOption(
      new Option("--every <time>", "interval between polls of the other broker")
        .argParser(durationValue("--every"))
        .default(30_000, "30s"),
    )
    .option("--once", "poll once, then end", false)
    .addHelpText("after", EXAMPLES)
    .action(async (url: string, options: FollowOptions) => {
      const there = await reachElsewhere(url, options);
      const world = { there, here: await context.client(), url, context };
      try {
        if (options.once) await takeOver(world, options);
        else {
          const once = () => takeOver(world, options);
          await keepAsking(context.terminal, { everyMs: options.every, once, meanwhile: HOLDS });
        }
      } finally {
        world.there.close();
      }
    });
}

interface World {
  readonly there: StintClient;
  readonly here: StintClient;
  readonly url: string;
  readonly context: CommandContext;
}

/** One poll: applies new versions, and reports them to the other broker. */
async function takeOver({ there, here, url, context }: World, { name }: FollowOptions): Promise<void> {
  const sites = (await here.sites()).map((site) => site.name);
  let ours = setsOf(await here.policies()).at(-1);
  const taken = takenIn(ours?.note ?? "").find((it) => it.url === url)?.version ?? null;
  const theirs = await askedElsewhere(there.followPolicies(name, { sites, version: taken }), {
    url,
    remedy: REMEDY,
  });
  const policies = setsOf(theirs).flatMap((set) => set.policies);
  if (policies.some(({ burst }) => !("bucketSec" in burst))) throw otherVersion(url);
  const news = setsOf(theirs).filter(({ version }) => version > (taken ?? 0));
  for (const set of news) {
    const { theirs: count, request } = requestFor(set, { ours, sites, url, nowMs: context.terminal.nowMs() });
    const applied = await here.applyPolicies(request, { onVersion: ours?.version ?? 0 });
    ours = applied;
    const what = `version ${set.version} of ${url} is version ${applied.version} here`;
    context.terminal.writeResult(`${printable(what)}: ${count} policies\n`);
  }
  const last = news.at(-1);
  if (last === undefined) return;
  await askedElsewhere(there.followPolicies(name, { sites, version: last.version }), { url, remedy: REMEDY });
}

function requestFor(
  { version, policies, effectiveFrom }: PolicySetView,
  at: {
    readonly ours: PolicySetView | undefined;
    readonly sites: readonly string[];
    readonly url: string;
    readonly nowMs: number;
  },
) {
  const { ours, sites, url, nowMs } = at;
  const here = { ours: ours?.policies ?? [], note: ours?.note ?? "", sites };
  const made = merged({ taken: { version, url }, theirs: policies, ...here });
  const isComing = Date.parse(effectiveFrom) > nowMs;
  const request = { policies: made.policies, note: made.note, ...(isComing ? { effectiveFrom } : {}) };
  return { theirs: made.theirs, request };
}

/** Versions in the order in which they were applied. */
function setsOf({ now, coming }: PoliciesView): readonly PolicySetView[] {
  return [...(now === null ? [] : [now]), ...coming].sort((one, other) => one.version - other.version);
}

// What of a followed broker's policies, and of those that hold here, is applied together.
//
// Nothing of it is kept beside the brokers: the note of the version here says of each broker that is
// followed which version of it was taken over last, and for which sites.

/** Version of one broker that was copied. */
interface TakenOver {
  readonly version: number;
  readonly url: string;
  /** Sites here whose policies it set. */
  readonly sites: readonly string[];
}

/** A version of a followed broker beside the policies in effect here. */
interface Merging {
  readonly taken: Omit<TakenOver, "sites">;
  readonly theirs: readonly PolicyEntry[];
  readonly ours: readonly PolicyEntry[];
  /** Note of the version in effect here. */
  readonly note: string;
  readonly sites: readonly string[];
}

const PART = /^version (\d{1,15}) of (\S+)(?: for (\S+))?$/;

/** Copied versions from the note of a version; none where it was applied by hand. */
export function takenIn(note: string): readonly TakenOver[] {
  const parts = note.split("; ").map((part) => PART.exec(part));
  if (parts.includes(null)) return [];
  return parts.flatMap((part) => {
    if (part === null) return [];
    const [, version, url, sites = ""] = part;
    return { version: Number(version), url, sites: sites === "" ? [] : sites.split(",") };
  });
}

/**
 * Policies of the sites here that the other broker sets, or set before, as they are there; beside them the
 * policies in effect here for the other sites, by whatever hand.
 */
export function merged({ taken, theirs, ours, note, sites }: Merging): {
  readonly policies: readonly PolicyEntry[];
  readonly theirs: number;
  readonly note: string;
} {
  const concerning = policiesOfSites(theirs, sites);
  const spokenFor = sites.filter((site) => concerning.some((policy) => isOfSite(policy, site)));
  const before = takenIn(note);
  const last = before.find(({ url }) => url === taken.url);
  const theirSites = new Set([...spokenFor, ...(last?.sites ?? [])]);
  const others = sites.filter((site) => !theirSites.has(site));
  const known = new Set(concerning.map(keyOf));
  const staying = policiesOfSites(ours, others).filter((policy) => !known.has(keyOf(policy)));
  const said = [...before.filter(({ url }) => url !== taken.url), { ...taken, sites: spokenFor }];
  const policies = [...concerning, ...staying];
  return { policies, theirs: concerning.length, note: said.map(partOf).join("; ") };
}

/** Policies whose provider is one of the sites, or a consumer with a share of them. */
function policiesOfSites(policies: readonly PolicyEntry[], sites: readonly string[]): readonly PolicyEntry[] {
  const concerning = new Set(policies.filter((policy) => sites.some((site) => isOfSite(policy, site))));
  for (let before = -1; before < concerning.size; ) {
    before = concerning.size;
    const consumers = new Set([...concerning].map(({ consumer }) => consumer));
    for (const policy of policies) if (consumers.has(policy.provider)) concerning.add(policy);
  }
  return policies.filter((policy) => concerning.has(policy));
}

function isOfSite({ provider }: PolicyEntry, site: string): boolean {
  return provider === site || provider.startsWith(`${site}/`);
}

function keyOf({ provider, consumer, resource }: PolicyEntry): string {
  return `${resource} ${provider} ${consumer}`;
}

function partOf({ version, url, sites }: TakenOver): string {
  return `version ${version} of ${url}${sites.length === 0 ? "" : ` for ${sites.join(",")}`}`;
}
