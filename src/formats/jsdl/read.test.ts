import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { draws } from "../../../test/draws.ts";
import type { JobDescription } from "../../model/index.ts";
import { readJsdl } from "./read.ts";
import { TERMS } from "./terms.ts";

function read(text: string) {
  return readJsdl(text, {
    folder: "/data",
    fileState: (path) => (path === "/data/in.txt" ? "readable" : "missing"),
  });
}

const PROGRAM = element("Application/POSIXApplication/p:Executable", "/bin/echo");

function described(inner: string): string {
  const space = "http://schemas.ggf.org/jsdl/2005/11/jsdl";
  const description = `<JobDescription>${PROGRAM}\n${inner}</JobDescription>`;
  return `<?xml version="1.0"?>\n<j:JobDefinition xmlns:j="${space}">${description}</j:JobDefinition>`;
}

/** An element by its path: `Resources/TotalCPUCount` around the content. */
function element(path: string, content: string): string {
  return path.split("/").reduceRight((inner, name) => `<${name}>${inner}</${name}>`, content);
}

/** What differs from a job of an executable alone, and the verdicts of the element. */
function becomes(inner: string): readonly unknown[] {
  const { jobs, problems, translations } = read(described(inner));
  if (problems.length > 0) return problems.map(({ line, why }) => `${line} ${why}`);
  const plain = read(described("")).jobs[0]?.description;
  const set = Object.entries(jobs[0]?.description ?? {}).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(plain?.[name as keyof JobDescription]),
  );
  const verdicts = translations.filter(({ line }) => line === 3).map(({ verdict }) => verdict);
  return [verdicts.join(" "), Object.fromEntries(set)];
}

const T = "translated";
const N = "notTranslated";
const E = "noEffect";
const P = "Application/POSIXApplication";
const H = "Application/HPCProfileApplication";

/** An element of each kind, its content, its verdicts, and what the job has of it. */
const CASES: readonly (readonly [string, string, string, Readonly<Record<string, unknown>>])[] = [
  ["JobIdentification/JobName", "night", T, { name: "night" }],
  ["JobIdentification/Description", "mine", T, { userTags: { description: "mine" } }],
  ["JobIdentification/JobAnnotation", "a", T, { userTags: { annotation: "a" } }],
  ["JobIdentification/JobProject", "cms", T, { virtualOrganisation: "cms" }],
  ["Application/ApplicationName", "gromacs", T, { userTags: { application: "gromacs" } }],
  ["Application/ApplicationVersion", "2", T, { userTags: { applicationVersion: "2" } }],
  ["Application/Description", "d", T, { userTags: { applicationDescription: "d" } }],
  [`${P}/Executable`, "in.txt", T, { executable: "in.txt", inputSandbox: ["/data/in.txt"] }],
  [`${P}/Argument`, "a &lt; b", T, { arguments: ["a < b"] }],
  [`${H}/Argument`, "x", T, { arguments: ["x"] }],
  [`${P}/Input`, "in.txt", T, { stdInput: "in.txt", inputSandbox: ["/data/in.txt"] }],
  [`${P}/Output`, "out.txt", T, { stdOutput: "out.txt" }],
  [`${P}/Error`, "err.txt", T, { stdError: "err.txt" }],
  [`${P}/WorkingDirectory`, "/data", T, { workingDirectory: "/data" }],
  [`${P}/WorkingDirectory`, "work", N, {}],
  [`${P}/WallTimeLimit`, "3600", T, { wallTimeMs: 3_600_000 }],
  [`${P}/CPUTimeLimit`, "60", N, { attributes: { cpuTime: '"60"' } }],
  [`${P}/MemoryLimit`, "1024", T, { memoryBytes: 1024 }],
  [`${P}/VirtualMemoryLimit`, "1", N, { attributes: { virtualMemory: '"1"' } }],
  ["Resources/TotalCPUCount", "<Exact>4</Exact>", T, { procs: 4 }],
  ["Resources/TotalCPUCount", "<LowerBoundedRange>2.0</LowerBoundedRange>", T, { procs: 2 }],
  [
    "Resources/TotalCPUCount",
    "<Range><LowerBound>2</LowerBound><UpperBound>8</UpperBound></Range>",
    `${T} ${N}`,
    { procs: 2 },
  ],
  ["Resources/TotalResourceCount", "<Exact>2</Exact>", T, { procs: 2 }],
  [
    "Resources/TotalPhysicalMemory",
    "<LowerBoundedRange>1048576</LowerBoundedRange>",
    T,
    { memoryBytes: 1_048_576 },
  ],
  [
    "Resources/IndividualPhysicalMemory",
    "<Range><LowerBound>1073741824</LowerBound><UpperBound>2147483648</UpperBound></Range>",
    T,
    { requirements: "other.GlueHostMainMemoryRAMSize >= 1024 && other.GlueHostMainMemoryRAMSize <= 2048" },
  ],
  [
    "Resources/IndividualVirtualMemory",
    "<Exact>1048576</Exact>",
    T,
    { requirements: "other.GlueHostMainMemoryVirtualSize >= 1" },
  ],
  [
    "Resources/IndividualCPUSpeed",
    "<LowerBoundedRange>1e9</LowerBoundedRange>",
    T,
    { requirements: "other.GlueHostProcessorClockSpeed >= 1000" },
  ],
  [
    "Resources/IndividualCPUCount",
    "<Exact>8</Exact>",
    T,
    { requirements: "other.GlueHostArchitectureSMPSize >= 8" },
  ],
  [
    "Resources/IndividualDiskSpace",
    "<UpperBoundedRange>1048576</UpperBoundedRange>",
    T,
    { requirements: "other.GlueSubClusterTmpSize <= 1" },
  ],
  [
    "Resources/CPUArchitecture/CPUArchitectureName",
    "x86_64",
    T,
    { requirements: 'other.GlueHostArchitecturePlatformType == "x86_64"' },
  ],
  [
    "Resources/OperatingSystem/OperatingSystemType/OperatingSystemName",
    "LINUX",
    T,
    { requirements: 'other.GlueHostOperatingSystemName == "LINUX"' },
  ],
  [
    "Resources/OperatingSystem/OperatingSystemVersion",
    "6",
    T,
    { requirements: 'other.GlueHostOperatingSystemVersion == "6"' },
  ],
  [
    "Resources/CandidateHosts",
    "<HostName>a</HostName><HostName>b</HostName>",
    T,
    { requirements: 'other.GlueCEInfoHostName == "a" || other.GlueCEInfoHostName == "b"' },
  ],
  ["Resources/ExclusiveExecution", "true", N, {}],
  ["Resources/ExclusiveExecution", "false", E, {}],
  [
    "DataStaging",
    "<FileName>in.txt</FileName><Source><URI>file:///data/in.txt</URI></Source>",
    T,
    { inputSandbox: ["/data/in.txt"] },
  ],
  [
    "DataStaging",
    "<FileName>out.txt</FileName><Target><URI>gsiftp://h/out.txt</URI></Target>",
    T,
    { outputSandbox: ["out.txt"] },
  ],
  ["DataStaging", "<FileName>a</FileName><Source><URI>http://h/a</URI></Source>", N, {}],
  ["Resources/Nonsense", "1", N, {}],
];

describe("JSDL", () => {
  it.each(CASES)("FO-122 %s %s: %s", (path, content, verdicts, attributes) => {
    expect(becomes(element(path, content))).toEqual([verdicts, attributes]);
  });

  it("FO-122 a variable has its name as an attribute", () => {
    expect(becomes(element(P, '<p:Environment name="A">1</p:Environment>'))).toEqual([
      T,
      { environment: { A: "1" } },
    ]);
  });

  const shown = new Set([`${P}/Environment`, `${H}/Environment`, ...CASES.map(([path]) => path)]);

  it.each([...TERMS.keys()].filter((path) => !shown.has(path)))("FO-122 %s is told", (path) => {
    const [verdicts] = becomes(element(path, "in.txt"));
    expect(verdicts).toMatch(/^(translated|noEffect|notTranslated)$/);
  });

  it("FO-122 several requirements hold together", () => {
    const [, set] = becomes(
      element(
        "Resources",
        element("CPUArchitecture/CPUArchitectureName", "x86_64") +
          element("IndividualCPUCount", "<Exact>8</Exact>"),
      ),
    );
    expect(set).toEqual({
      requirements:
        '(other.GlueHostArchitecturePlatformType == "x86_64") && (other.GlueHostArchitectureSMPSize >= 8)',
    });
  });

  it.each([
    [
      '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><JobDefinition/>',
      "1:1",
      /document types are not accepted/,
    ],
    ["<JobDefinition>\n <JobDescription></JobDefinition>", "2:18", /does not match the open element/],
    ["<JobDefinition>\n", "1:1", /not closed/],
    ["<JobDefinition>&a;</JobDefinition>", "1:16", /entity/],
    ["<JobDefinition/>", "1:1", /no JobDescription/],
    ["<JobDefinition>\n<JobDescription/></JobDefinition>", "2:1", /needs a program/],
    ["<JobDefinition><1></JobDefinition>", "1:16", /begins no element/],
    ["<a>".repeat(200), "1:301", /nested more/],
    [described(element(`${P}/WallTimeLimit`, "soon")), "3:32", /length of time/],
    [described(element("Resources/TotalCPUCount", "<Exact>0</Exact>")), "3:12", /range of numbers/],
  ])("%s is a problem at %s", (text, place, why) => {
    const { jobs, problems } = read(text);
    expect(jobs).toEqual([]);
    expect(`${problems[0].line}:${problems[0].column}`).toBe(place);
    expect(problems[0].why).toMatch(why);
  });

  const bits = [
    "<",
    ">",
    "</",
    "/>",
    "JobDescription",
    "<Resources>",
    "</Resources>",
    "&amp;",
    "&",
    "<!--",
    "-->",
    "=",
  ];

  it("FO-122 any text gives jobs, or problems with their places", () => {
    const text = fc.array(fc.oneof(fc.constantFrom(...bits), fc.string())).map((all) => all.join(""));
    fc.assert(
      fc.property(text, fc.boolean(), (one, isInside) => {
        const { jobs, problems } = read(isInside ? described(one) : one);
        expect(jobs.length === 0).toBe(problems.length > 0);
        for (const { line, column } of problems) expect((line ?? 0) > 0 && (column ?? 0) > 0).toBe(true);
      }),
      draws(300),
    );
  });
});
