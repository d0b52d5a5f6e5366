import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type LiveBroker, startLiveBroker } from "./live-broker.ts";
import { stint, temporaryFolder } from "./stint.ts";

const folder = temporaryFolder();
const file = (name: string) => join(folder, name);

/** Two clusters that every broker here uses; each gives atlas half of itself at any instant. */
const site = (name: string): string => `  - { name: ${name}, type: simulated, procs: 8, jobs: run }\n`;
const SITES = `sites:\n${site("blue")}${site("green")}`;
const SHARES = ["blue", "green"].map((name) => `- "CPU, ${name}, atlas, (3600,50), (5,50)"\n`).join("");

const at = (broker: LiveBroker, ...words: readonly string[]) => stint(words, folder, broker.environment);

async function brokerNamed(name: string): Promise<LiveBroker> {
  writeFileSync(file("sites.yaml"), SITES);
  writeFileSync(file("shares.yaml"), SHARES);
  const broker = await startLiveBroker(file(name), ["--config", file("sites.yaml")]);
  expect(at(broker, "policy", "apply", file("shares.yaml")).code).toBe(0);
  expect(at(broker, "vo", "set", "atlas", "--select", "leastUsed").code).toBe(0);
  const token = at(broker, "token", "create", "--role", "peer", "--vo", "elsewhere/broker");
  writeFileSync(file(`${name}.token`), token.out, { mode: 0o600 });
  return broker;
}

const JOB = "executable: sleep\narguments: [600]\nprocs: 4\nwallTime: 1h\n";

const siteOfLast = (broker: LiveBroker): string | null =>
  JSON.parse(at(broker, "list", "-o", "json").out).items[0].site;

/** Sends a job of atlas's that takes half of a site, and says which site took it. */
async function siteTaken(broker: LiveBroker): Promise<string | null> {
  writeFileSync(file("job.yaml"), JOB);
  expect(at(broker, "submit", file("job.yaml"), "--for", "atlas/ann")).toMatchObject({ code: 0 });
  await expect.poll(() => siteOfLast(broker), { timeout: 200_000 }).not.toBeNull();
  return siteOfLast(broker);
}

const hear = (there: LiveBroker, here: LiveBroker, name: string) =>
  at(here, "peer", "follow", there.url, "--token-file", file(`${name}.token`), "--name", name, "--once");

let brokers: Readonly<Record<"one" | "two" | "three", LiveBroker>>;

beforeAll(async () => {
  const [one, two, three] = await Promise.all(["one", "two", "three"].map(brokerNamed));
  brokers = { one, two, three };
});

afterAll(async () => {
  const up = Object.values(brokers ?? {}).filter((broker) => broker.isUp());
  for (const broker of up) {
    const jobs: { readonly id: string }[] = JSON.parse(at(broker, "list", "-o", "json").out).items;
    for (const { id } of jobs) at(broker, "cancel", id);
    while (at(broker, "list").out.includes("RUNNING")) await setTimeout(100);
  }
  await Promise.all(up.map((broker) => broker.end("SIGTERM")));
});

describe("several brokers that send jobs to the same clusters", () => {
  it("break a share together without the exchange of what they sent, and keep it with it", async () => {
    const { one, two, three } = brokers;
    const first = await siteTaken(one);
    const blind = await siteTaken(two);
    expect(blind).toBe(first);
    expect(hear(one, three, "one")).toMatchObject({ code: 0, out: "one: 1 jobs reported\n" });
    expect(await siteTaken(three)).not.toBe(first);
  });

  it("say how old it is and what counts, also after a restart", async () => {
    const { one, three } = brokers;
    const counted = "4 processors of 1 job at blue count as use; later jobs are not known";
    for (const words of [
      ["site", "list"],
      ["when", "-n", "1"],
      ["policy", "show"],
    ]) {
      expect(at(three, ...words).out).toMatch(/^broker one, heard \d{4}-/m);
      expect(at(three, ...words).out).toContain(counted);
    }
    await three.end("SIGKILL");
    const again = await startLiveBroker(file("three"), ["--config", file("sites.yaml")]);
    brokers = { ...brokers, three: again };
    expect(at(again, "peer", "list").out).toMatch(/^one +\d.* +1 +0 +blue: 4 procs in 1/m);
    const { items } = JSON.parse(at(one, "list", "-o", "json").out);
    at(one, "cancel", items[0].id);
    await expect.poll(() => hear(one, again, "one").out, { timeout: 200_000 }).toBe("one: 0 jobs reported\n");
    expect(at(again, "peer", "forget", "one")).toMatchObject({ code: 0 });
    expect(at(again, "peer", "forget", "one")).toMatchObject({ code: expect.not.stringMatching("0") });
  });

  it("give a token of a peer what was sent, and nothing else", async () => {
    const { one, two } = brokers;
    const asPeer = {
      STINT_URL: one.url,
      STINT_TOKEN: at(one, "token", "create", "--role", "peer", "--vo", "x/y").out.trim(),
    };
    expect(stint(["site", "list"], folder, asPeer)).toMatchObject({ code: 4 });
    expect(stint(["policy", "show"], folder, asPeer)).toMatchObject({ code: 4 });
    await one.end("SIGKILL");
    expect(hear(one, two, "one")).toMatchObject({
      code: 69,
      err: expect.stringContaining("cannot be reached"),
    });
  });
});
