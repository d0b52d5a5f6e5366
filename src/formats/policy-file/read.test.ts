import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { POLICY_DEFAULTS } from "../../model/index.ts";
import { longForm, NOTHING_KNOWN, policiesAt, readPolicies } from "./index.ts";

const HOUR_MS = 3_600_000;
const read = (...texts: string[]) => readPolicies(texts);
const policiesOf = (...texts: string[]) => {
  const { policies, remarks } = read(...texts);
  expect(remarks.flatMap(({ problems }) => problems)).toEqual([]);
  return policies.map(({ policy }) => policy);
};
const problemsOf = (...texts: string[]) =>
  read(...texts).remarks.flatMap(({ problems }) =>
    problems.map(({ line, column, code }) => `${line}:${column} ${code}`),
  );
const codesOf = (...texts: string[]) =>
  read(...texts).remarks.flatMap(({ problems }) => problems.map(({ code }) => code));
const pathsOf = (...texts: string[]) =>
  policiesOf(...texts).map(({ provider, consumer }) => `${provider} > ${consumer}`);

const sliding = (lengthMs: number) => ({ kind: "sliding", lengthMs }) as const;
const source = {
  ...POLICY_DEFAULTS,
  provider: "Site1",
  consumer: "VO0",
  epoch: { window: sliding(HOUR_MS), sharePpm: 200_000 },
  burst: { bucketMs: 5000, sharePpm: 600_000 },
};
const longOf = (words: string) => `{ provider: Site1, consumer: VO0, ${words} }`;
const EPOCH = "epoch: { interval: 1h, share: 20% }";

describe("policies in every form", () => {
  it.each([
    ["a tuple of the source", "(1) CPU, Site1, VO0, (3600,20), (5,60)"],
    ["without a label", "CPU, Site1, VO0, (3600, 20), (5, 60)"],
    ["with units", "cpu, Site1, VO0, (3600s, 20%), (5s, 60%)"],
    ["other lengths, tabs, brackets", "(a)\t[CPU,\tSite1, VO0, (1h, 20.0 %), (00:00:05, 60%)]"],
    ["comments, blank lines, CRLF", "# shares\r\n\r\nCPU, Site1, VO0, (3600,20), (5,60) # agreed\r\n"],
    ["a YAML list of texts", "- CPU, Site1, VO0, (3600,20), (5,60)"],
    ["in quotes, with a label", '- "(1) CPU, Site1, VO0, (3600,20), (5,60)"'],
    ["a list that YAML takes apart", "- [CPU, Site1, VO0, (3600,20), (5,60)]"],
    ["lists in a list, as JSON has them", '[["cpu", "Site1", "VO0", [3600, 20], ["5s", "60%"]]]'],
    [
      "the long form",
      "- { resource: cpu, provider: Site1, consumer: VO0," +
        " epoch: { interval: 1h, share: 20%, window: sliding }," +
        " burst: { interval: 5s, share: 60% }, rule: entitlement, mode: shared, carry: forgive }",
    ],
    [
      "one policy alone",
      "provider: Site1\nconsumer: VO0\nepoch: { interval: hour, share: 20% }\n" +
        "burst: { interval: 5, share: 60% }\n",
    ],
    [
      "declared names, and policies below them",
      "providers: [Site1]\nconsumers: [VO0]\npolicies:\n  - CPU, Site1, VO0, (3600,20), (5,60)\n",
    ],
  ])("FO-84 reads %s", (_, text) => {
    expect(policiesOf(text)).toEqual([source]);
  });

  it.each([
    ["CPU, Site1, (VO0, g1), (3600, 20), (5, 60)", { resource: "cpu", consumer: "VO0/g1" }],
    ["(2) NET, Site1, VO0, (3600,20), (5,60)", { resource: "network", consumer: "VO0" }],
    ["net, Site1, (VO0,g1,u), (3600,20)", { resource: "network", consumer: "VO0/g1/u" }],
  ])("FO-84 reads the source's names of the network and of groups: %s", (text, wanted) => {
    expect(policiesOf(text)).toMatchObject([wanted]);
    expect(policiesOf(`- ${text}`)).toMatchObject([wanted]);
  });

  it.each([
    ["CPU, local, local, (3600, 50)", [["local", "local"]]],
    [
      "CPU, local, vo, (3600, 50)\nCPU, local, local/x, (3600, 50)",
      [
        ["local", "vo"],
        ["local", "local/x"],
      ],
    ],
    [
      "CPU, local, local, (3600, 50)\nCPU, local, local/x, (3600, 50)",
      [
        ["local", "local"],
        ["local", "local/x"],
      ],
    ],
  ])(
    "a site and an organisation of one name are told apart where no site is declared: %s",
    (text, wanted) => {
      expect(policiesOf(text).map(({ provider, consumer }) => [provider, consumer])).toEqual(wanted);
    },
  );

  it("FO-84 forms may be mixed; omitted words have their defaults", () => {
    const text =
      "- CPU, Site1, VO0, (3600, 20)\n" +
      "- { provider: Site1, consumer: VO1, epoch: { interval: month, share: 1.5%, window: fixed }," +
      " rule: cap," +
      " mode: dedicated, carry: repay }\n";
    expect(policiesOf(text)).toEqual([
      { ...source, burst: POLICY_DEFAULTS.burst },
      {
        ...{ ...source, consumer: "VO1", rule: "cap", mode: "dedicated", carry: "repay" },
        epoch: { window: { kind: "fixed", unit: "month", offsetMs: 0 }, sharePpm: 15_000 },
        burst: POLICY_DEFAULTS.burst,
      },
    ]);
    expect(read("(1) CPU, Site1, VO0, (3600,20)").policies).toMatchObject([
      { label: "1", line: 1, fromMs: null },
    ]);
  });

  it("FO-84 the long form of a policy reads back the same", () => {
    const text =
      "- CPU, Site1, VO0, (3600,20), (5,60)\n" +
      "- { resource: gpu, provider: VO0, consumer: VO0/g, from: 2026-01-01, until: 2026-06-30T12:00Z," +
      " rule: cap," +
      " mode: preempting, carry: repay, epoch: { interval: 7d, share: 33.3333%, window: fixed } }\n";
    const { policies } = read(text);
    const again = JSON.stringify(policies.map((one) => longForm(one.policy, one)));
    expect(read(again).policies.map(({ line: _, label: __, ...one }) => one)).toEqual(
      policies.map(({ line: _, label: __, ...one }) => one),
    );
    expect(parse(again)[1]).toMatchObject({ epoch: { interval: "week", share: "33.3333%" } });
  });
});

describe("shares in what the provider has", () => {
  const provider = "providers: [{ name: s, procs: 7, nodes: 7, gpus: 8, memory: 512G }]\npolicies:\n";
  const policyOf = (resource: string, share: string, interval = "1h") =>
    `  - { resource: ${resource}, provider: s, consumer: v,\n` +
    `      epoch: { interval: ${interval}, share: ${share} } }\n`;
  const shareOf = (...words: Parameters<typeof policyOf>) =>
    policiesOf(`${provider}${policyOf(...words)}`)[0].epoch.sharePpm;

  it("FO-85 nodes, processors, GPUs, sizes, and SU over the interval", () => {
    expect(shareOf("gpu", "4 GPUs")).toBe(500_000);
    expect(shareOf("gpu", "1 node")).toBe(142_858);
    expect(shareOf("memory", "128G")).toBe(250_000);
    expect(shareOf("cpu", "3.5 SU")).toBe(500_000);
    expect(shareOf("cpu", "84 SU", "day")).toBe(500_000);
    // As many ppm as give no less than 3 of 7.
    expect(shareOf("cpu", "3 procs")).toBe(428_572);
    expect(read(`${provider}  - [cpu, s, v, [1h, 3 nodes]]`).policies).toMatchObject([{ isRoundedUp: true }]);
  });

  it("FO-85 an agreement may state the provider's capacity", () => {
    const agreement =
      "agreement: a\nprovider: s\nconsumer: v\ndefinitions: { capacity: { nodes: 16 } }\n" +
      "policies: [{ epoch: { interval: 1h, share: 4 nodes } }]\n";
    expect(policiesOf(agreement)[0].epoch.sharePpm).toBe(250_000);
  });

  it.each([
    ["nobody says what it has", `policies:\n${policyOf("cpu", "3 nodes")}`, "capacityUnknown"],
    ["more than it has", `${provider}${policyOf("gpu", "9 GPUs")}`, "shareOutOfRange"],
    ["not measured in that", `${provider}${policyOf("cpu", "4 GPUs")}`, "badShare"],
    ["no such unit", `${provider}${policyOf("cpu", "3 bananas")}`, "badShare"],
    ["a size of processors", `${provider}${policyOf("cpu", "3G")}`, "badShare"],
  ])("FO-85 %s", (_, text, code) => {
    expect(codesOf(text)).toEqual([code]);
  });

  it("FO-85 a share finer than a part per million is rounded, with a warning", () => {
    const { policies, remarks } = read("CPU, s, v, (3600, 12.34567)");
    expect(policies[0].policy.epoch.sharePpm).toBe(123_457);
    expect(remarks[0].warnings).toMatchObject([{ code: "shareRounded" }]);
  });
});

describe("who gives to whom", () => {
  it("FO-86 a delegating consumer is named by its path or by its last name", () => {
    expect(pathsOf("CPU, Site1, VO0, (3600,20)\nCPU, VO0, G0, (3600,50)\nCPU, G0, ada, (3600,50)\n")).toEqual(
      ["Site1 > VO0", "VO0 > VO0/G0", "VO0/G0 > VO0/G0/ada"],
    );
    expect(
      pathsOf("CPU, Site1, VO0, (1,20)\nCPU, VO0, VO0/G0, (1,50)\nCPU, VO0/G0, VO0/G0/a, (1,50)"),
    ).toEqual(["Site1 > VO0", "VO0 > VO0/G0", "VO0/G0 > VO0/G0/a"]);
    expect(pathsOf("CPU, s/pool, v, (1,20)\nCPU, s, v, (1,20)")).toEqual(["s/pool > v", "s > v"]);
    // In another file of the set.
    expect(pathsOf("CPU, v, g, (1,50)", "CPU, s, v, (1,20)")).toEqual(["v > v/g", "s > v"]);
  });

  it("FO-86 unknown names are problems once parties are declared", () => {
    const head = "providers: [site1]\nconsumers: [vo0, vo1, vo1/g]\npolicies:\n";
    const told = (tuple: string) => problemsOf(`${head}  - ${tuple}`);
    expect(told("cpu, site1, vo0/any, (1,20)")).toEqual([]);
    expect(told("cpu, site1/pool, vo1/g, (1,20)")).toEqual([]);
    expect(told("cpu, sit1, vo0, (1,20)")).toEqual(["4:10 unknownProvider"]);
    expect(told("cpu, site1, vo2, (1,20)")).toEqual(["4:17 unknownConsumer"]);
    expect(told("cpu, site1, vo1/h, (1,20)")).toEqual(["4:17 unknownConsumer"]);
    expect(told("cpu, vo0, vo0/g, (1,20)")).toEqual([]);
    expect(told("cpu, vo0, site1, (1,20)")).toEqual(["4:15 unknownConsumer"]);
    expect(problemsOf("cpu, s, v, (1,20)\ncpu, w, w/g, (1,20)")).toEqual(["2:6 unknownProvider"]);
    const known = { ...NOTHING_KNOWN, providers: ["site1"] };
    const { remarks } = readPolicies(["cpu, Site1, v, (1,20)"], known);
    expect(remarks[0].problems).toMatchObject([
      { code: "unknownProvider", line: 1, column: 6, remedy: "did you mean site1?" },
    ]);
  });

  it.each([
    ["two that give to each other", "cpu, s, a, (1,20)\ncpu, a, b, (1,20)\ncpu, b, a, (1,20)"],
    ["one that gives to itself", "cpu, s, a, (1,20)\ncpu, a, a, (1,20)"],
    ["a group that gives to its VO", "cpu, s, a, (1,20)\ncpu, a, a/g, (1,20)\ncpu, a/g, a, (1,20)"],
    ["a circle of three, with no site", "cpu, a, b, (1,20)\ncpu, b, c, (1,20)\ncpu, c, a, (1,20)"],
  ])("FO-86 a cycle is reported once: %s", (_, text) => {
    expect(codesOf(text)).toEqual(["policyCycle"]);
  });

  it("FO-86 a last name shared by two groups is ambiguous", () => {
    const text = "cpu,s,a,(1,20)\ncpu,s,b,(1,20)\ncpu,a,g,(1,20)\ncpu,b,g,(1,20)\ncpu,g,ada,(1,20)";
    expect(problemsOf(text)).toEqual(["5:5 ambiguousProvider"]);
  });
});

describe("bad policies", () => {
  it.each([
    ["burst below epoch", "CPU, Site1, VO0, (3600,20), (5,10)", "1:32 burstBelowEpoch"],
    ["an interval of nothing", "CPU, Site1, VO0, (0,20), (5,60)", "1:19 notPositive"],
    ["an interval below nothing", "CPU, Site1, VO0, (-1,20), (5,60)", "1:19 badDuration"],
    ["a bucket of nothing", "CPU, Site1, VO0, (1,20), (0,60)", "1:27 notPositive"],
    ["more than everything", "CPU, Site1, VO0, (1,120)", "1:21 shareOutOfRange"],
    ["less than nothing", "CPU, Site1, VO0, (1,-1)", "1:21 shareOutOfRange"],
    ["no resource of ours", "CPUS, Site1, VO0, (1,20)", "1:1 valueUnknown"],
    ["too few parts", "CPU, Site1, VO0", "1:1 badTuple"],
    ["too many parts", "CPU, Site1, VO0, (1,20), (1,20), (1,20)", "1:1 badTuple"],
    ["brackets that do not match", "CPU, Site1, VO0, (1,20), (1,20", "1:1 badTuple"],
    ["no pair", "CPU, Site1, VO0, 20%", "1:18 badPair"],
    ["no name", "CPU, Site 1, VO0, (1,20)", "1:6 badName"],
    ["a line that is no tuple", "CPU, Site1, VO0, (1,20)\nnonsense", "2:1 badTuple"],
    ["nothing", "# nothing here\n", "1:1 nothingThere"],
  ])("FO-22 %s", (_, text, expected) => {
    expect(problemsOf(text)).toEqual([expected]);
  });

  it.each([
    ["20 without a unit", longOf("epoch: { interval: 1h, share: 20 }"), "shareWithoutUnit"],
    ["a burst without one", longOf(`${EPOCH}, burst: { interval: 5s, share: 60 }`), "shareWithoutUnit"],
    ["an unknown word", longOf(`${EPOCH}, moed: shared`), "wordUnknown"],
    ["an unknown rule", longOf(`${EPOCH}, rule: caps`), "valueUnknown"],
    ["an unknown resource", longOf(`${EPOCH}, resource: disk`), "valueUnknown"],
    ["no epoch", "{ provider: s, consumer: v }", "wordMissing"],
    ["no consumer", `{ provider: s, ${EPOCH} }`, "wordMissing"],
    ["half an epoch", longOf("epoch: { share: 20% }"), "wordMissing"],
    ["an epoch that is a number", longOf("epoch: 20%"), "wrongType"],
    ["a month that slides", longOf("epoch: { interval: month, share: 20% }"), "monthSlides"],
    [
      "no window of the calendar",
      longOf("epoch: { interval: 2h, share: 20%, window: fixed }"),
      "intervalNotOfCalendar",
    ],
    ["no date", longOf(`${EPOCH}, from: 2026-02-30`), "badDate"],
    ["an end before the beginning", longOf(`${EPOCH}, from: 2026-02-02, until: 2026-02-01`), "badValidity"],
    ["a number", "- 7", "wrongType"],
  ])("FO-22 in YAML, %s", (_, text, code) => {
    expect(codesOf(text)).toEqual([code]);
  });

  it("FO-22 the problem of a leading tab names it", () => {
    expect(problemsOf("- provider: Site1\n\tconsumer: VO0\n")).toEqual(["2:1 tabIndent", "2:2 yamlSyntax"]);
  });

  it("FO-22 all problems are reported together, each with its position", () => {
    const text =
      "- CPU, Site1, VO0, (0,20), (5,60)\n" +
      "- provider: Site1\n  consumer: VO1\n  epoch: { interval: 1h, share: 20 }\n" +
      "  burst: { interval: 5s, share: 160% }\n" +
      "- CPU, Site1, VO2, (1h,30%), (5,20)\n";
    expect(problemsOf(text)).toEqual([
      "1:21 notPositive",
      "4:33 shareWithoutUnit",
      "5:33 shareOutOfRange",
      "6:33 burstBelowEpoch",
    ]);
  });

  it("FO-22 two policies of the same parties and resource may not overlap in time", () => {
    expect(problemsOf("cpu, s, v, (1,20)\ngpu, s, v, (1,20)\ncpu, s, v, (9,30)")).toEqual([
      "3:1 doubledPolicy",
    ]);
    const dated = (from: string, until: string) =>
      `- { provider: s, consumer: v, ${EPOCH}, from: ${from}, until: ${until} }\n`;
    expect(codesOf(dated("2026-01-01", "2026-07-01") + dated("2026-06-30", "2027-01-01"))).toEqual([
      "overlappingValidity",
    ]);
    expect(codesOf(dated("2026-01-01", "2026-07-01") + dated("2026-07-01", "2027-01-01"))).toEqual([]);
    expect(codesOf("cpu, s, v, (1,20)", "cpu, s, v, (1,20)")).toEqual(["doubledPolicy"]);
  });
});

describe("agreements", () => {
  const AGREEMENT = `
agreement: site1-vo0
provider: site1
consumer: vo0
contact: { provider: ops@site1.example, consumer: grid@vo0.example }
clock: "+01:00"
definitions:
  capacity: { procs: 128, downtime: excluded, drain: counted }
  demand: eligible
  nodeFailure: consumer
  unit: { time: cpu, benchmark: [{ from: 2026-01-01, factor: 1.25 }] }
prices: { unitPrice: 1.5, penalty: 0.1 }
validity: { from: 2026-01-01, until: 2027-01-01 }
versions:
  - from: 2026-01-01
    policies:
      - { epoch: { interval: month, share: 20%, window: fixed } }
      - { resource: gpu, epoch: { interval: 1d, share: 10% } }
  - from: 2026-07-01
    policies:
      - cpu, site1, vo0, (30d, 32 procs), (5s, 60%)
`;

  it("FO-84 agreements have definitions, prices, dates, and the policies of each version", () => {
    const { policies, agreements, remarks } = read(AGREEMENT);
    expect(remarks).toEqual([{ problems: [], warnings: [] }]);
    const midnight = (day: string) => Date.parse(`${day}T00:00:00+01:00`);
    expect(agreements).toEqual([
      {
        ...{ name: "site1-vo0", provider: "site1", consumer: "vo0", offsetMs: HOUR_MS },
        contact: { provider: "ops@site1.example", consumer: "grid@vo0.example" },
        definitions: {
          ...{ downtime: "excluded", drain: "counted", demand: "eligible", nodeFailure: "consumer" },
          ...{ time: "cpu", benchmark: [{ fromMs: midnight("2026-01-01"), thousandths: 1250 }] },
        },
        prices: { unitPriceThousandths: 1500, penaltyPpm: 100_000 },
        fromMs: midnight("2026-01-01"),
        untilMs: midnight("2027-01-01"),
        versions: [
          { version: 1, fromMs: midnight("2026-01-01"), untilMs: midnight("2026-07-01") },
          { version: 2, fromMs: midnight("2026-07-01"), untilMs: midnight("2027-01-01") },
        ],
      },
    ]);
    expect(policies.map(({ policy, fromMs }) => [policy.resource, policy.epoch.sharePpm, fromMs])).toEqual([
      ["cpu", 200_000, midnight("2026-01-01")],
      ["gpu", 100_000, midnight("2026-01-01")],
      ["cpu", 250_000, midnight("2026-07-01")],
    ]);
    expect(policies[0].policy.epoch.window).toEqual({ kind: "fixed", unit: "month", offsetMs: HOUR_MS });
    expect(policiesAt(policies, midnight("2026-07-01")).map(({ line }) => line)).toEqual([21]);
    expect(policiesAt(policies, midnight("2026-07-01") - 1)).toHaveLength(2);
    expect(policiesAt(policies, midnight("2027-01-01"))).toEqual([]);
  });

  it.each([
    ["others than the two", "- { consumer: vo1, epoch: { interval: 1h, share: 1% } }", "otherParties"],
    ["no epoch", "- { resource: cpu }", "wordMissing"],
  ])("FO-84 a policy of %s", (_, policy, code) => {
    expect(codesOf(`agreement: a\nprovider: s\nconsumer: vo0\npolicies:\n  ${policy}\n`)).toEqual([code]);
  });

  it("FO-84 versions come in the order of their dates, and do not overlap", () => {
    const versions = (...lines: string[]) =>
      `agreement: a\nprovider: s\nconsumer: v\nversions:\n${lines
        .map((line) => `  - { ${line}, policies: [{ ${EPOCH} }] }\n`)
        .join("")}`;
    expect(codesOf(versions("from: 2026-02-01", "from: 2026-01-01"))).toContain("versionsOutOfOrder");
    expect(codesOf(versions("from: 2026-01-01, until: 2026-03-01", "from: 2026-02-01"))).toEqual([
      "overlappingValidity",
    ]);
    expect(codesOf("agreement: a\nconsumer: v\npolicies: []")).toEqual(["wordMissing"]);
    expect(codesOf('agreement: a\nprovider: s\nconsumer: v\nclock: "Paris"\npolicies: []')).toEqual([
      "badClock",
    ]);
  });
});
