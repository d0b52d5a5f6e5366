/**
 * Elements of JSDL 1.0 with its POSIX application and the HPC Profile, a row each.
 *
 * Source: GFD.56 (JSDL 1.0), GFD.111 (HPC Profile Application Extension). Spec table A6.
 */
import {
  consumerOutcome,
  inputOutcome,
  lacking,
  limitOutcome,
  nameOutcome,
  noEffect,
  notTranslated,
  type Outcome,
  outputOutcome,
  sets,
  siteExecutableOutcome,
  sizes,
  wrong,
} from "../job-draft/index.ts";
import type { JobSurroundings } from "../job-reading/index.ts";
import type { XmlElement } from "../xml/index.ts";
import { boundsOf, requiredRange } from "./ranges.ts";
import { staged } from "./staging.ts";

/** Context of a row, besides its element. */
interface Around {
  readonly surroundings: JobSurroundings;
  /** Arguments before this one. */
  readonly before: readonly string[];
}

/** Reading of one element. */
type ReadElement = (element: XmlElement, around: Around) => Outcome | readonly Outcome[];

const APPLICATION: readonly (readonly [string, ReadElement])[] = [
  ["Executable", ({ text }, { surroundings }) => siteExecutableOutcome(text.trim(), surroundings)],
  ["Argument", ({ text }, { before }) => sets({ arguments: [...before, text] })],
  ["Input", ({ text }, { surroundings }) => inputOutcome(text.trim(), surroundings)],
  ["Output", ({ text }) => outputOutcome(["stdOutput"], text.trim(), NO_PLACEHOLDER)],
  ["Error", ({ text }) => outputOutcome(["stdError"], text.trim(), NO_PLACEHOLDER)],
  ["WorkingDirectory", ({ text }) => directory(text.trim())],
  ["Environment", environment],
  ["UserName", () => notTranslated("a job runs as who submits it")],
  ["GroupName", () => notTranslated("a job runs as who submits it")],
];

const LIMITS =
  "FileSizeLimit CoreDumpLimit DataSegmentLimit LockedMemoryLimit OpenDescriptorsLimit " +
  "PipeSizeLimit StackSegmentLimit ProcessCountLimit ThreadCountLimit";

/** Every element with a meaning of its own, by its path in the description. */
export const TERMS: ReadonlyMap<string, ReadElement> = new Map<string, ReadElement>([
  ["JobIdentification/JobName", ({ text }) => nameOutcome(text.trim())],
  ["JobIdentification/Description", ({ text }) => sets({ userTags: { description: text.trim() } })],
  ["JobIdentification/JobAnnotation", ({ text }) => sets({ userTags: { annotation: text.trim() } })],
  ["JobIdentification/JobProject", ({ text }) => consumerOutcome(text.trim())],
  ["Application/ApplicationName", ({ text }) => sets({ userTags: { application: text.trim() } })],
  ["Application/ApplicationVersion", ({ text }) => sets({ userTags: { applicationVersion: text.trim() } })],
  ["Application/Description", ({ text }) => sets({ userTags: { applicationDescription: text.trim() } })],
  ...["POSIXApplication", "HPCProfileApplication"].flatMap((kind) =>
    APPLICATION.map(([name, read]) => [`Application/${kind}/${name}`, read] as const),
  ),
  ["Application/POSIXApplication/WallTimeLimit", ({ text }) => limit(text)],
  [
    "Application/POSIXApplication/CPUTimeLimit",
    ({ text }) => lacking("cpuTime", { name: "cpuTime", value: text.trim() }),
  ],
  ["Application/POSIXApplication/MemoryLimit", ({ text }) => memory(Number(text.trim()))],
  [
    "Application/POSIXApplication/VirtualMemoryLimit",
    ({ text }) => lacking("virtualMemory", { name: "virtualMemory", value: text.trim() }),
  ],
  ...LIMITS.split(" ").map(
    (name) =>
      [
        `Application/POSIXApplication/${name}`,
        () => notTranslated("of limits Stint has those of time and memory alone"),
      ] as const,
  ),
  ["Resources/CandidateHosts", candidates],
  ["Resources/FileSystem", () => notTranslated("file systems belong to one site")],
  [
    "Resources/ExclusiveExecution",
    ({ text }) =>
      /^\s*(false|0)\s*$/.test(text)
        ? noEffect("processors of a job are its own")
        : notTranslated("Stint gives processors and not whole nodes"),
  ],
  [
    "Resources/OperatingSystem/OperatingSystemType/OperatingSystemName",
    ({ text }) => equals("GlueHostOperatingSystemName", text),
  ],
  [
    "Resources/OperatingSystem/OperatingSystemVersion",
    ({ text }) => equals("GlueHostOperatingSystemVersion", text),
  ],
  ["Resources/OperatingSystem/Description", () => noEffect("it is a note")],
  [
    "Resources/CPUArchitecture/CPUArchitectureName",
    ({ text }) => equals("GlueHostArchitecturePlatformType", text),
  ],
  ["Resources/TotalCPUCount", (element) => processors(element)],
  ["Resources/IndividualCPUCount", (element) => requiredRange(element, "GlueHostArchitectureSMPSize", 1)],
  ["Resources/TotalResourceCount", (element) => nodes(element)],
  [
    "Resources/TotalPhysicalMemory",
    (element) => memory(boundsOf(element)?.least ?? boundsOf(element)?.most ?? Number.NaN),
  ],
  [
    "Resources/IndividualPhysicalMemory",
    (element) => requiredRange(element, "GlueHostMainMemoryRAMSize", 1024 ** 2),
  ],
  [
    "Resources/IndividualVirtualMemory",
    (element) => requiredRange(element, "GlueHostMainMemoryVirtualSize", 1024 ** 2),
  ],
  ["Resources/IndividualCPUSpeed", (element) => requiredRange(element, "GlueHostProcessorClockSpeed", 1e6)],
  ["Resources/IndividualDiskSpace", (element) => requiredRange(element, "GlueSubClusterTmpSize", 1024 ** 2)],
  ["Resources/IndividualCPUTime", () => lacking("cpuTime")],
  ["Resources/TotalCPUTime", () => lacking("cpuTime")],
  ["Resources/TotalVirtualMemory", () => lacking("virtualMemory")],
  ["Resources/TotalDiskSpace", () => lacking("scratch")],
  [
    "Resources/IndividualNetworkBandwidth",
    () => notTranslated("ads of sites do not have the speed of networks"),
  ],
  ["DataStaging", (element, { surroundings }) => staged(element, surroundings)],
]);

const NO_PLACEHOLDER = /(?!)/g;

function directory(text: string): Outcome {
  if (text.startsWith("/")) return sets({ workingDirectory: text });
  return notTranslated("it is relative: write an absolute path, or leave it out for one of the job's own");
}

function environment({ attributes, text }: XmlElement): Outcome {
  const name = attributes.get("name") ?? "";
  if (!/^[A-Za-z_]\w*$/.test(name)) return wrong("its name is not a variable name", 'write name="VARIABLE"');
  return sets({ environment: { [name]: text } });
}

function limit(text: string): Outcome {
  const seconds = Number(text.trim());
  const isFine = text.trim() !== "" && seconds >= 0 && seconds <= 1e10;
  return limitOutcome(isFine ? Math.ceil(seconds * 1000) : undefined, "3600");
}

function memory(bytes: number): Outcome {
  if (bytes > 0 && bytes <= Number.MAX_SAFE_INTEGER) return sizes({ memoryBytes: Math.ceil(bytes) });
  return wrong("it is not a number of bytes above 0", "write for instance 1073741824");
}

/** The smaller bound, since a job of Stint has one size. */
function processors(element: XmlElement): Outcome | readonly Outcome[] {
  return counted(element, "procs");
}

function nodes(element: XmlElement): Outcome | readonly Outcome[] {
  return counted(element, "nodes");
}

function counted(element: XmlElement, part: "procs" | "nodes"): Outcome | readonly Outcome[] {
  const bounds = boundsOf(element);
  const count = Math.ceil(bounds?.least ?? bounds?.most ?? Number.NaN);
  if (!(count >= 1 && count <= 1e9))
    return wrong("it is not a range of numbers from 1 on", "write <Exact>4</Exact>");
  const size = sizes({ [part]: count });
  const isOne = bounds?.least === bounds?.most || bounds?.most === undefined;
  return isOne ? size : [size, notTranslated("the smaller number counts: a job of Stint has one size")];
}

function equals(name: string, text: string): Outcome {
  const value = text.trim();
  if (!/^[\w .+-]{1,100}$/.test(value)) return notTranslated("ads of sites have no such value");
  return sets({ requirements: `other.${name} == "${value}"` });
}

function candidates({ elements }: XmlElement): Outcome {
  const hosts = elements.map(({ text }) => text.trim()).filter((host) => /^[\w.-]{1,255}$/.test(host));
  if (hosts.length === 0 || hosts.length > 100) return notTranslated("it names no hosts, or more than 100");
  return sets({ requirements: hosts.map((host) => `other.GlueCEInfoHostName == "${host}"`).join(" || ") });
}
