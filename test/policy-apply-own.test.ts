import { writeFileSync } from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type LiveBroker, startLiveBroker } from "./live-broker.ts";
import { stint, temporaryFolder } from "./stint.ts";

const folder = temporaryFolder();
const me = `local/${userInfo().username}`;
let broker: LiveBroker;

const at = (...words: readonly string[]) => stint(words, folder, broker.environment);

function apply(lines: readonly string[], ...words: readonly string[]) {
  const file = join(folder, "shares.policy.yaml");
  writeFileSync(file, lines.map((line) => `- ${line}\n`).join(""));
  return at("policy", "apply", file, ...words);
}

const others = ["CPU, west, physics, (3600,50), (5,50)", "CPU, east, physics, (3600,50), (5,50)"];

beforeAll(async () => {
  const config = join(folder, "stint.yaml");
  const west = "{ name: west, type: simulated, procs: 8, enforcement: { grant: [hold] } }";
  writeFileSync(config, `sites:\n  - ${west}\n  - { name: east, type: simulated, procs: 8 }\n`);
  broker = await startLiveBroker(join(folder, "state"), ["--config", config]);
});

afterAll(async () => {
  if (broker?.isUp()) await broker.end("SIGTERM");
});

it("policy apply says before it whom it locks out: those who apply it, of run and reserve", () => {
  const { code, err } = apply(others, "--dry-run");
  expect(code).toBe(0);
  const will = (site: string, what: string) =>
    `remark: under these policies ${me} has no share at ${site}: ${what} will be refused there;`;
  expect(err).toContain(will("west", "stint run and stint reserve"));
  expect(err).toContain(will("east", "stint reserve"));
  expect(err).toContain("add one for it, for instance CPU, west, local, (3600, 10)");
});

it("what it says is what happens then, and it is silent where that is so already", () => {
  expect(apply(others).err).toContain("has no share at west");
  const refused = at("run", "--site", "west", "--", "true");
  expect(refused.code).not.toBe(0);
  expect(refused.err).toContain(`no policy gives ${me} anything`);
  const slot = ["--procs", "1", "--time", "10m", "--yes"];
  expect(at("reserve", "--site", "east", ...slot).err).toContain("no policy gives");
  expect(apply([...others, "CPU, west, chemistry, (3600,10)"], "--dry-run").err).not.toContain(
    "has no share at",
  );
});

it("nobody is told of it who has a share", () => {
  const own = ["west", "east"].map((site) => `CPU, ${site}, local, (3600,10)`);
  expect(apply([...others, ...own]).err).not.toContain("has no share at");
  expect(apply(others, "--dry-run").err).toContain("has no share at east");
});
