import { describe, expect, it } from "vitest";
import {
  ENFORCEMENT_DEFAULTS,
  RESERVATION_DEFAULTS,
  type SimulatedSiteSpec,
  SLURM_DEFAULTS,
  type SlurmSiteSpec,
} from "../../model/index.ts";
import { readStintYaml } from "./read.ts";
import { readRules } from "./read-site.ts";
import { writtenSettings } from "./written.ts";

const read = (text: string) =>
  readStintYaml(text, {
    folder: "/etc/stint",
    fileState: (path) => (path === "/etc/stint/busy.swf" ? "readable" : "missing"),
  });

/** `line:column code` of each problem. */
const wrongIn = (text: string): string[] =>
  read(text).problems.map(({ line, column, code }) => `${line}:${column} ${code}`);

/** A file with one simulated site that says this besides what it must. */
const simulated = (words: string) => `sites: [{ name: w, type: simulated, procs: 4, ${words} }]`;

const everything = `server:
  stateDir: state
  port: none
sites:
  - name: here
    type: managed
    procs: 2
  - name: west
    type: simulated
    procs: 128
    memory: 256G
    discipline: conservative
    wallTime: 1h30m
    jobs: run
    speedUp: 60
    background: { trace: busy.swf, skip: 2d }
    delays: { order: 200ms, start: 1s }
    losses:
      failed: 0.01
      doubtful: 0.000001
      vanished: 1e-3
    seed: 7
`;

describe("what a configuration says", () => {
  it("FO-32 each setting has its type and line; paths are relative to the file's directory", () => {
    const { configuration, problems } = read(everything);
    expect(problems).toEqual([]);
    expect(configuration.server).toEqual({
      stateDirectory: { value: "/etc/stint/state", line: 2 },
      port: { value: null, line: 3 },
    });
    const [here, west] = configuration.sites;
    expect(here).toMatchObject({
      name: "here",
      line: 5,
      settings: { type: "managed", procs: 2, discipline: "easy", defaultWallTimeMs: 86_400_000 },
    });
    expect(west).toMatchObject({
      name: "west",
      line: 8,
      settings: {
        type: "simulated",
        procs: 128,
        memoryBytes: 256 * 2 ** 30,
        discipline: "conservative",
        defaultWallTimeMs: 5_400_000,
        jobs: "run",
        speedUp: 60,
        background: { trace: "/etc/stint/busy.swf", skipMs: 172_800_000 },
        delays: { orderMs: 200, startMs: 1000 },
        losses: { failedPpm: 10_000, doubtfulPpm: 1, vanishedPpm: 1000 },
        seed: 7,
      },
    });
    expect(west.lines.get("background.trace")).toBe(16);
    expect(west.lines.get("losses.vanished")).toBe(21);
    expect(here.lines.has("memory")).toBe(false);
  });

  it("FO-32 every setting of a simulated site but its size has a default", () => {
    const [{ settings }] = read("sites: [{ name: w, type: simulated, procs: 4 }]").configuration.sites;
    const expected: SimulatedSiteSpec = {
      type: "simulated",
      procs: 4,
      memoryBytes: 4 * 2 ** 30,
      discipline: "easy",
      defaultWallTimeMs: 3_600_000,
      jobs: "imitate",
      speedUp: 1,
      background: null,
      delays: { orderMs: 0, startMs: 0 },
      losses: { failedPpm: 0, doubtfulPpm: 0, vanishedPpm: 0 },
      seed: 1,
    };
    expect(settings).toEqual(expected);
  });

  it.each(["", "# nothing yet\n", "---\n", "server: {}", "sites: []"])("FO-32 %j has no settings", (text) => {
    expect(read(text)).toEqual({ configuration: { server: {}, sites: [] }, problems: [] });
  });

  it("FO-32 by default a Slurm site is only observed, and has the size that it reports", () => {
    const [{ settings }] = read("sites: [{ name: w, type: slurm }]").configuration.sites;
    expect(settings).toEqual({ type: "slurm", ...SLURM_DEFAULTS });
    const everything = {
      ...SLURM_DEFAULTS,
      readOnly: false,
      sshHost: "login",
      slurmConf: "/a",
      account: "b",
    };
    const whole = { partition: "c", qos: "d", submitDirectory: "/e", pollsPerMinute: 9, procs: 4 };
    const spec = { type: "slurm", ...everything, ...whole, memoryBytes: 2 ** 30 } as const;
    const written = { name: "w", ...Object.fromEntries(writtenSettings(spec)) };
    const again = read(JSON.stringify({ sites: [written] }));
    expect(again.problems).toEqual([]);
    expect(again.configuration.sites[0].settings).toEqual(spec);
  });

  it("FO-36 omitted words of reservations have the restrictive defaults, and the result reads back", () => {
    const words =
      "consumers: [cms, a/b], ahead: 7d, share: 0.25, unitPrice: 1.5, transaction: 0.5, offer: 2m";
    for (const type of ["managed", "slurm", "simulated, procs: 4"]) {
      const { configuration, problems } = read(
        `sites: [{ name: w, type: ${type}, reservations: { ${words} } }]`,
      );
      expect(problems).toEqual([]);
      const [{ settings, lines }] = configuration.sites;
      expect(settings.reservations).toEqual({
        ...RESERVATION_DEFAULTS,
        ...{ consumers: ["cms", "a/b"], aheadMs: 7 * 86_400_000, sharePpm: 250_000, offerMs: 120_000 },
        ...{ unitPriceThousandths: 1500, transactionProcMs: 1_800_000 },
      });
      expect(lines.get("reservations.share")).toBe(1);
      const spec = { procs: 4, memoryBytes: 1, ...settings } as SimulatedSiteSpec;
      const written = writtenSettings(spec).flatMap(([path, value]) =>
        path.startsWith("reservations.") ? [[path.split(".")[1], value]] : [],
      );
      const again = read(
        JSON.stringify({
          sites: [{ name: "w", type: "managed", reservations: Object.fromEntries(written) }],
        }),
      );
      expect(again.problems).toEqual([]);
      expect(again.configuration.sites[0].settings.reservations).toEqual(settings.reservations);
    }
  });

  it("FO-36 reservation rules on their own are read the same way", () => {
    expect(readRules("{ ahead: 7d }")).toEqual({
      value: { ...RESERVATION_DEFAULTS, aheadMs: 7 * 86_400_000 },
      problems: [],
    });
    expect(readRules("")).toEqual({ value: undefined, problems: [] });
    expect(readRules("ahed: 7d").problems).toMatchObject([{ code: "wordUnknown" }]);
    expect(readRules("[").problems).not.toEqual([]);
  });

  it("FO-36 an empty list of consumers admits none; without any word there are no reservations", () => {
    const rules = (words: string) =>
      read(`sites: [{ name: w, type: managed${words} }]`).configuration.sites[0].settings.reservations;
    expect(rules("")).toBeUndefined();
    expect(rules(", reservations: {}")).toBeUndefined();
    expect(rules(", reservations: { consumers: [] }")?.consumers).toEqual([]);
    expect(rules(", reservations: { consumers: cms }")?.consumers).toEqual(["cms"]);
  });

  it.each([
    ["consumers: [a//b]", "badConsumer", "leave it out for everybody"],
    ["unitPrice: 0.5", "notFraction", "unitPrice: 1.5"],
    ["unitPrice: 1.0001", "notFraction", "unitPrice: 1.5"],
    ["share: 2", "notFraction", "share: 0.5"],
    ["offer: 0", "notPositive", "omit it"],
    ["ahed: 1d", "wordUnknown", "did you mean ahead?"],
  ])("FO-36 %s is a problem with its line and remedy: %s", (word, code, remedy) => {
    const { problems } = read(`sites:\n  - name: w\n    type: managed\n    reservations:\n      ${word}\n`);
    expect(problems).toMatchObject([{ line: 5, code, remedy: expect.stringContaining(remedy) }]);
  });

  it("FO-36 omitted words of enforcement have the restrictive defaults, and the result reads back", () => {
    const words = "grant: [suspend, hold], minRun: 90s, suspendedShare: 0.25, lease: 2m, actionsPerHour: 7";
    for (const type of ["managed", "slurm", "simulated, procs: 4"]) {
      const { configuration, problems } = read(
        `sites: [{ name: w, type: ${type}, enforcement: { ${words} } }]`,
      );
      expect(problems).toEqual([]);
      const [{ settings, lines }] = configuration.sites;
      expect(settings.enforcement).toEqual({
        ...ENFORCEMENT_DEFAULTS,
        ...{ granted: ["hold", "suspend"], minRunMs: 90_000, suspendedPpm: 250_000, leaseMs: 120_000 },
        actionsPerHour: 7,
      });
      expect(lines.get("enforcement.grant")).toBe(1);
      const spec = { procs: 4, memoryBytes: 1, ...settings } as SimulatedSiteSpec;
      const written = writtenSettings(spec).flatMap(([path, value]) =>
        path.startsWith("enforcement.") ? [[path.split(".")[1], value]] : [],
      );
      const site = { name: "w", type: "managed", enforcement: Object.fromEntries(written) };
      const again = read(JSON.stringify({ sites: [site] }));
      expect(again.problems).toEqual([]);
      expect(again.configuration.sites[0].settings.enforcement).toEqual(settings.enforcement);
    }
  });

  it("FO-36 without a grant nothing is granted, and a repeated step counts once", () => {
    const rules = (words: string) =>
      read(`sites: [{ name: w, type: managed${words} }]`).configuration.sites[0].settings.enforcement;
    expect(rules("")).toBeUndefined();
    expect(rules(", enforcement: {}")).toBeUndefined();
    expect(rules(", enforcement: { grant: [] }")?.granted).toEqual(["watch"]);
    expect(rules(", enforcement: { grant: hold }")?.granted).toEqual(["hold"]);
    expect(rules(", enforcement: { grant: [suspend, hold, hold] }")?.granted).toEqual(["hold", "suspend"]);
  });

  it.each([
    ["grant: [hold, suspent]", "valueUnknown", "did you mean suspend?"],
    ["form: mine", "valueUnknown", "form: ours"],
    ["lease: 0", "notPositive", "omit it for the default of five minutes"],
    ["suspendedShare: 2", "notFraction", "suspendedShare: 0.5"],
    ["minrun: 1m", "wordUnknown", "did you mean minRun?"],
  ])("FO-36 %s is a problem with its line and remedy: %s", (word, code, remedy) => {
    const { problems } = read(`sites:\n  - name: w\n    type: managed\n    enforcement:\n      ${word}\n`);
    expect(problems).toMatchObject([{ line: 5, code, remedy: expect.stringContaining(remedy) }]);
  });

  it("accounts of a cluster map to consumers; a bad path is a problem at its position", () => {
    const words = "consumers: { physics: cms, chemistry: atlas/higgs }";
    const [{ settings }] = read(`sites: [{ name: w, type: slurm, ${words} }]`).configuration.sites;
    expect(settings).toMatchObject({ consumers: { physics: "cms", chemistry: "atlas/higgs" } });
    const whole = { procs: 0, memoryBytes: 0, ...settings } as SlurmSiteSpec;
    const again = read(
      JSON.stringify({ sites: [{ name: "w", ...Object.fromEntries(writtenSettings(whole)) }] }),
    );
    expect(again.configuration.sites[0].settings).toEqual(settings);
    const { problems } = read("sites:\n  - name: w\n    type: slurm\n    consumers:\n      physics: a//b\n");
    expect(problems).toMatchObject([{ line: 5, code: "badConsumer" }]);
    expect(read(`sites: [{ name: w, type: managed, ${words} }]`).problems).toMatchObject([
      { code: "wordOfSlurm" },
    ]);
  });

  it("FO-32 written settings read back as the same site", () => {
    const { settings } = read(everything).configuration.sites[1];
    const lines = writtenSettings(settings as SimulatedSiteSpec).map(([path, value]) => {
      const [first, second] = path.split(".");
      return second === undefined ? { [first]: value } : { [first]: { [second]: value } };
    });
    const whole: Record<string, unknown> = { name: "west" };
    for (const line of lines) {
      for (const [key, value] of Object.entries(line)) {
        whole[key] = typeof value === "object" ? { ...(whole[key] as object), ...value } : value;
      }
    }
    const again = read(JSON.stringify({ sites: [whole] }));
    expect(again.problems).toEqual([]);
    expect(again.configuration.sites[0].settings).toEqual(settings);
  });
});

describe("what is wrong with a configuration", () => {
  it("FO-22 all problems are reported together, each with its position", () => {
    const text = `serve: {}
server: { port: 70000, stateDir: ~/stint, prot: 1 }
sites:
  - { name: a b, type: simulated, procs: 0 }
  - { name: c, type: simulatd }
  - { type: managed, speedUp: 2, memory: lots }
`;
    expect(wrongIn(text)).toEqual([
      "1:1 wordUnknown",
      "2:17 notCount",
      "2:34 badPath",
      "2:43 wordUnknown",
      "4:13 badSite",
      "4:42 notCount",
      "5:22 valueUnknown",
      "6:5 wordMissing",
      "6:22 wordOfSimulated",
      "6:42 badSize",
    ]);
  });

  it("FO-22 the problem of an unknown word names the nearest known one", () => {
    expect(read("server: { prot: 1 }").problems[0].remedy).toBe("did you mean port?");
    expect(read(simulated("speedup: 2")).problems[0].remedy).toBe("did you mean speedUp?");
    expect(read(simulated("delays: { begin: 1s }")).problems[0].what).toBe(
      "begin is not known in sites[0].delays",
    );
  });

  it.each([
    ["a list as the whole", "[1]", "1:1 wrongType"],
    ["text as a section", "server: yes", "1:9 wrongType"],
    ["sites as a mapping", "sites: { a: 1 }", "1:8 wrongType"],
    ["a site that is a word", "sites: [west]", "1:9 wrongType"],
    ["no value", "server: { port: }", "1:17 valueMissing"],
    ["a quoted port", 'server: { port: "7846" }', "1:17 wrongType"],
    ["port -1", "server: { port: -1 }", "1:17 notCount"],
    ["no size", "sites: [{ name: w, type: simulated }]", "1:9 wordMissing"],
    ["no time", simulated("wallTime: 0"), "1:57 notPositive"],
    ["an unclear time", simulated("wallTime: 01:30"), "1:57 badDuration"],
    ["no memory", simulated("memory: 0"), "1:55 notPositive"],
    ["half a speed", simulated("speedUp: 1.5"), "1:56 notCount"],
    ["too fast", simulated("speedUp: 1000001"), "1:56 notCount"],
    ["a share above 1", simulated("losses: { failed: 1.01 }"), "1:65 notFraction"],
    ["a share below 0", simulated("losses: { failed: -0.1 }"), "1:65 notFraction"],
    ["a share too fine", simulated("losses: { failed: 0.0000001 }"), "1:65 notFraction"],
    ["a share as text", simulated("losses: { failed: '0.1' }"), "1:65 wrongType"],
    ["a trace that is not there", simulated("background: { trace: x.swf }"), "1:68 traceUnreadable"],
    ["a background without a trace", simulated("background: { skip: 1d }"), "1:59 wordMissing"],
    ["a key twice", "server: {}\nserver: {}", "2:1 duplicateKey"],
    ["a merge key", "server: { <<: {} }", "1:11 mergeKey"],
    ["a second document", "server: {}\n---\nsites: []", "3:1 secondDocument"],
    ["an odd tag", "server: !x {}", "1:9 yamlOddity"],
    ["no YAML", "server: [", "1:10 yamlSyntax"],
  ])("FO-22 %s", (_, text, problem) => {
    expect(wrongIn(text)).toEqual([problem]);
  });

  it("TLS needs both files; without TLS the address is local", () => {
    const { server } = read(
      "server:\n  host: 10.0.0.7\n  tls: { cert: busy.swf, key: /etc/stint/busy.swf }\n",
    ).configuration;
    const file = { value: "/etc/stint/busy.swf", line: 3 };
    expect(server).toEqual({ host: { value: "10.0.0.7", line: 2 }, tls: { cert: file, key: file } });
    expect(wrongIn("server:\n  host: 0.0.0.0\n")).toEqual(["2:9 hostInClear"]);
    expect(wrongIn("server: { host: 127.0.0.2 }")).toEqual([]);
    expect(wrongIn("server: { host: 'https://a' }")).toEqual(["1:17 badHost"]);
    expect(wrongIn("server: { tls: { cert: busy.swf, key: gone.key } }")).toEqual(["1:39 tlsUnreadable"]);
    expect(wrongIn("server: { tls: { key: busy.swf } }")).toEqual(["1:16 wordMissing"]);
    expect(wrongIn("server: { tls: true, port: none }")).toEqual(["1:16 wrongType"]);
  });

  it("names of sites are unique, and one site at most is this machine", () => {
    const text = `sites:
  - { name: a, type: managed }
  - { name: a, type: simulated, procs: 1 }
  - { name: b, type: managed }
`;
    expect(wrongIn(text)).toEqual(["3:5 doubledName", "4:5 secondManaged"]);
    expect(read(text).problems[0].why).toContain("line 2");
  });
});
