/** A broker over https as people meet it: stint.yaml, real processes, and certificates of a test's own. */
import { chmodSync, copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { certificateFiles, hasOpenssl, howToHave } from "./certificate-files.ts";
import { type LiveBroker, startLiveBroker } from "./live-broker.ts";
import { stint, temporaryFolder } from "./stint.ts";

const folder = temporaryFolder();
const configuration = join(folder, "stint.yaml");
const clean = { STINT_STATE_DIR: "", STINT_CONFIG: "", STINT_PORT: "", XDG_CONFIG_HOME: folder };

/** The configuration says this of its server, and has one site. */
function configure(...lines: readonly string[]): void {
  configureWith("west", ...lines);
}

function configureWith(site: string, ...lines: readonly string[]): void {
  const sites = `sites: [{ name: ${site}, type: simulated, procs: 8 }]`;
  writeFileSync(configuration, `${["server:", ...lines, sites].join("\n")}\n`);
}

async function whileUp(state: string, look: (broker: LiveBroker) => void | Promise<void>): Promise<void> {
  const broker = await startLiveBroker(join(folder, state), ["--config", configuration]);
  try {
    await look(broker);
  } finally {
    await broker.end("SIGTERM");
  }
}

describe.skipIf(!hasOpenssl)(`a broker over https${howToHave}`, () => {
  it("prints an https address; its own commands find it, others by STINT_CA", async () => {
    const { cert } = certificateFiles(folder, "broker");
    configure("  host: 127.0.0.1", "  tls: { cert: broker.pem, key: broker.key }");
    await whileUp("state", (broker) => {
      expect(broker.url).toMatch(/^https:\/\/localhost:\d+$/);
      const list = ["site", "list", "-o", "name"];
      expect(stint(list, folder, broker.environment)).toMatchObject({ code: 0, out: "west\n" });
      const STINT_TOKEN = readFileSync(join(folder, "state", "admin.token"), "utf8").trim();
      const there = { ...clean, STINT_URL: broker.url, STINT_TOKEN };
      const known = stint(list, folder, { ...there, STINT_CA: cert });
      expect(known).toMatchObject({ code: 0, out: "west\n", err: "" });
      const unknown = stint(list, folder, { ...there, STINT_CA: "" });
      expect(unknown).toMatchObject({ code: 4, err: expect.stringContaining("STINT_CA") });
      const missing = stint(list, folder, { ...there, STINT_CA: "gone.pem" });
      expect(missing).toMatchObject({ code: 2, err: expect.stringContaining("gone.pem cannot be read") });
      const shown = stint(["config", "show", "--config", configuration], folder, {
        ...there,
        STINT_CA: cert,
      });
      expect(shown.out).toMatch(/^server\.tls\.key +\S+broker\.key +\S+stint\.yaml:3$/m);
      expect(shown.out).toMatch(/^server\.host +127\.0\.0\.1 +\S+stint\.yaml:2$/m);
      expect(shown.out).toMatch(/^ca +\S+broker\.pem +STINT_CA \(environment\)$/m);
    });
  });

  it("the policies of a broker over https are followed", async () => {
    const { cert } = certificateFiles(folder, "broker");
    configureWith("hub", "  tls: { cert: broker.pem, key: broker.key }");
    await whileUp("followed", async (there) => {
      const made = stint(
        ["token", "create", "--role", "follower", "--vo", "w/broker"],
        folder,
        there.environment,
      );
      writeFileSync(join(folder, "token"), made.out, { mode: 0o600 });
      configure("  port: 0");
      await whileUp("following", (here) => {
        const words = ["policy", "follow", there.url, "--token-file", "token", "--name", "west", "--once"];
        const follow = () => stint([...words, "--ca", cert], folder, here.environment);
        // The first look tells that broker of which site there are policies to give.
        expect(follow()).toMatchObject({ code: 0, out: "" });
        writeFileSync(join(folder, "p.yaml"), '- "CPU, west, cms, (3600,20), (5,60)"\n');
        expect(stint(["policy", "apply", "p.yaml"], folder, there.environment).code).toBe(0);
        const told = `version 1 of ${there.url} is version 1 here: 1 policies\n`;
        expect(follow()).toMatchObject({ out: told, err: "" });
      });
    });
  });

  it("what is wrong is told with file and line, and nothing is started", () => {
    const { key } = certificateFiles(folder, "open");
    certificateFiles(folder, "past", { names: "" });
    const up = () => stint(["up", "--config", configuration, "--state-dir", "none"], folder, clean);
    configure("  tls:", "    cert: open.pem", "    key: gone.key");
    expect(up()).toMatchObject({ code: 2, err: expect.stringContaining("stint.yaml:4:10: ") });
    chmodSync(key, 0o644);
    configure("  tls:", "    cert: open.pem", "    key: open.key");
    expect(up()).toMatchObject({ code: 5, err: expect.stringContaining("stint.yaml:4: the private key in") });
    expect(up().err).toContain(`chmod 600 ${key}`);
    configure("  tls: { cert: open.pem, key: past.key }");
    expect(up()).toMatchObject({
      code: 2,
      err: expect.stringContaining("stint.yaml:2: the certificate and the key do not match"),
    });
    const doctor = () => stint(["doctor"], folder, { ...clean, STINT_CONFIG: configuration }).out;
    expect(doctor()).toMatch(
      /^bad {2}certificate +.*stint.yaml:2: the certificate and the key do not match/m,
    );
    chmodSync(key, 0o600);
    configure("  tls: { cert: open.pem, key: open.key }");
    expect(doctor()).toMatch(/^ok {3}certificate +for localhost, until 20/m);
    configure("  tls: { cert: past.pem, key: past.key }");
    expect(doctor()).toMatch(/^bad {2}certificate +the certificate names no host/m);
    configure("  host: 0.0.0.0");
    expect(up()).toMatchObject({ code: 2, err: expect.stringContaining("listens only on this machine") });
  });

  it("a renewed certificate is served without a restart", async () => {
    const old = certificateFiles(folder, "served");
    const renewed = certificateFiles(folder, "renewed");
    configure("  tls: { cert: served.pem, key: served.key }");
    await whileUp("renewing", async (broker) => {
      copyFileSync(renewed.cert, old.cert);
      copyFileSync(renewed.key, old.key);
      const STINT_TOKEN = readFileSync(join(folder, "renewing", "admin.token"), "utf8").trim();
      const there = { ...clean, STINT_URL: broker.url, STINT_TOKEN, STINT_CA: renewed.cert };
      while (stint(["site", "list"], folder, there).code !== 0) await setTimeout(500);
    });
  });
});
