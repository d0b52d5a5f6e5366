/**
 * `stint policy follow`: keeps the policies of another broker here, and tells it which version holds.
 *
 * Nothing of it is kept beside the brokers: what was taken over last is in the note of the version here.
 */
import { readFile } from "node:fs/promises";
import { Command } from "commander";
import type { BrokerPlace, PoliciesView, PolicySetView, StintClient } from "../api/client/index.ts";
import { Fault } from "../base/index.ts";
import type { Daily } from "./daily.ts";
import { merged, takenIn } from "./policy-follow-merge.ts";
import { durationValue } from "./quantity-values.ts";
import { reachBroker } from "./reach-broker.ts";
import { printable } from "./text-table.ts";

const EXAMPLES = `
Examples:
  $ stint token create --role follower --vo west/broker --expires 365d > west.token
  $ stint policy follow http://127.0.0.1:7900 --token-file west.token --name west
  $ stint policy follow http://127.0.0.1:7900 --token-file west.token --name west --once
  $ stint policy follow https://there.example.org --token-file west.token --name west --ca there.pem

The first is for an admin of the other broker. Policies whose provider is a site of this broker, and what
their consumers hand on, are applied here as they are applied there; those for sites of which it says
nothing stay. The other broker is told which version was taken over (stint policy show there). While it does
not answer, the last version goes on being enforced, and it is asked again. A broker elsewhere is reached
over https, where it has a certificate or a proxy there speaks TLS for it, or through a tunnel, for instance
ssh -L 7900:127.0.0.1:7846 there.example.org.
`;

interface FollowOptions {
  readonly tokenFile: string;
  readonly name: string;
  readonly every: number;
  readonly once: boolean;
  readonly ca?: string;
}

/** The command. */
export function policyFollowCommand(daily: Daily): Command {
  return new Command("follow")
    .summary("keep the policies of another broker here")
    .description("Applies here what is applied at another broker, for the sites of this one.")
    .argument("<url>", "the other broker")
    .requiredOption("--token-file <file>", "a file with a token of the role follower, of the other broker")
    .requiredOption("--name <name>", "what this broker is called there")
    .option("--ca <file>", "certificates by which it is known, in PEM (default: the system's)")
    .option("--every <time>", "how often the other broker is asked", durationValue("--every"), 30_000)
    .option("--once", "ask once, and end", false)
    .addHelpText("after", EXAMPLES)
    .action(async (url: string, options: FollowOptions) => {
      const place: BrokerPlace = {
        url,
        token: (await textIn(options.tokenFile, "save what stint token create printed there")).trim(),
        ...(options.ca === undefined
          ? {}
          : { ca: await textIn(options.ca, "name a file with certificates") }),
      };
      const there = await reachBroker(place).catch((error: unknown) => {
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

async function textIn(file: string, remedy: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    throw new Fault({
      kind: "badInput",
      code: "fileUnreadable",
      what: `${file} cannot be read`,
      why: error instanceof Error ? error.message : String(error),
      remedy: `${remedy}, for you alone to write`,
    });
  }
}

/** What was given here is no setting of the broker here: the remedy says where it was given. */
function inOtherWords(error: unknown, tokenFile: string): unknown {
  if (!(error instanceof Fault)) return error;
  const { kind, code, what, why } = error;
  const remedies: Readonly<Record<string, string>> = {
    tokenUnreadable: `save all of what stint token create printed there in ${tokenFile}`,
    urlWrong: "give its https address, or the near end of a tunnel to it, as in http://127.0.0.1:7900",
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
  let ours = setsOf(await here.policies()).at(-1);
  const taken = takenIn(ours?.note ?? "").find((it) => it.url === url)?.version ?? null;
  const theirs = await asked(url, there.followPolicies(name, { sites, version: taken }));
  const news = setsOf(theirs).filter(({ version }) => version > (taken ?? 0));
  for (const set of news) {
    const { theirs: count, wish } = wishFor(set, { ours, sites, url, nowMs: daily.surface.nowMs() });
    const applied = await here.applyPolicies(wish, { onVersion: ours?.version ?? 0 });
    ours = applied;
    const what = `version ${set.version} of ${url} is version ${applied.version} here`;
    daily.surface.writeResult(`${printable(what)}: ${count} policies\n`);
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
  const wish = { policies: made.policies, note: made.note, ...(isComing ? { effectiveFrom } : {}) };
  return { theirs: made.theirs, wish };
}

/** In the order in which they were applied. */
function setsOf({ now, coming }: PoliciesView): readonly PolicySetView[] {
  return [...(now === null ? [] : [now]), ...coming].sort((one, other) => one.version - other.version);
}
