import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type LiveBroker, startLiveBroker } from "./live-broker.ts";
import { stint, temporaryFolder } from "./stint.ts";

const folder = temporaryFolder();
const file = (name: string) => join(folder, name);

/** A broker with one cluster of its own. */
function brokerWith(name: string): Promise<LiveBroker> {
  writeFileSync(file(`${name}.yaml`), `sites:\n  - { name: ${name}, type: simulated, procs: 8 }\n`);
  return startLiveBroker(file(name), ["--config", file(`${name}.yaml`)]);
}

let hub: LiveBroker;
let west: LiveBroker;

const at = (broker: LiveBroker, ...words: readonly string[]) => stint(words, folder, broker.environment);

const follow = () =>
  at(west, "policy", "follow", hub.url, "--token-file", file("token"), "--name", "west", "--once");

function applyThere(...lines: readonly string[]) {
  writeFileSync(file("hub.policy.yaml"), lines.map((line) => `- "${line}"\n`).join(""));
  return at(hub, "policy", "apply", file("hub.policy.yaml"));
}

beforeAll(async () => {
  [hub, west] = await Promise.all([brokerWith("hub"), brokerWith("west")]);
  const made = at(hub, "token", "create", "--role", "follower", "--vo", "west/broker");
  writeFileSync(file("token"), made.out, { mode: 0o600 });
});

afterAll(async () => {
  await Promise.all([hub, west].map((broker) => broker?.isUp() && broker.end("SIGTERM")));
});

describe("policies of another broker", () => {
  it("are enforced at the sites here, and their version is reported back", () => {
    expect(follow().code).toBe(0);
    const lines = ["CPU, hub, atlas, (3600,50), (5,60)", "CPU, west, cms, (3600,20), (5,60)"];
    expect(applyThere(...lines, "CPU, cms, cms/top, (3600,50), (5,100)").code).toBe(0);
    expect(follow().out).toBe(`version 1 of ${hub.url} is version 1 here: 2 policies\n`);
    const here = JSON.parse(at(west, "policy", "show", "-o", "json").out);
    expect(here.now.policies.map(({ consumer }: { consumer: string }) => consumer)).toEqual([
      "cms",
      "cms/top",
    ]);
    expect(at(hub, "policy", "show").out).toMatch(/^west +1 +west +(?:now|\d+s ago), /m);
    expect(follow().out).toBe("");
  });

  it("a broker that is cut off keeps what it has; its token does nothing else", async () => {
    const url = hub.url;
    await hub.end("SIGKILL");
    const cutOff = follow();
    expect(cutOff).toMatchObject({ code: 69, err: expect.stringContaining("cannot be reached") });
    const here = JSON.parse(at(west, "policy", "show", "-o", "json").out);
    expect(here.now).toMatchObject({ version: 1, note: `version 1 of ${url} for west` });
    hub = await brokerWith("hub");
    const asFollower = { STINT_URL: hub.url, STINT_TOKEN: readFileSync(file("token"), "utf8").trim() };
    const denied = stint(["site", "list"], folder, asFollower);
    expect(denied).toMatchObject({ code: 4, err: expect.stringContaining("not allowed") });
    const followers = JSON.parse(at(hub, "policy", "show", "-o", "json").out).followers;
    expect(followers).toMatchObject([{ name: "west", version: 1, sites: ["west"], heardAt: null }]);
  });
});
