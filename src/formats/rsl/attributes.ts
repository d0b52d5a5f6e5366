/** Attributes of RSL, a row each. Source: GRAM of Globus Toolkit 2 and 4, RSL parameters. Spec table A6. */
import { basename } from "node:path";
import {
  consumerOutcome,
  countIn,
  countOutcome,
  executableOutcome,
  inputOutcome,
  lacking,
  limitOutcome,
  mailToOutcome,
  memoryOutcome,
  nameOutcome,
  noEffect,
  notTranslated,
  type Outcome,
  outputOutcome,
  queueOutcome,
  sentFiles,
  sets,
  siteExecutableOutcome,
  variablesOutcome,
  wrong,
} from "../job-draft/index.ts";
import type { JobSurroundings } from "../job-reading/index.ts";

/** Values of an attribute, variables replaced: texts, and lists of texts. */
export interface AttributeValues {
  readonly texts: readonly string[];
  readonly lists: readonly (readonly string[])[];
}

/** Reading of one attribute. */
type ReadAttribute = (values: AttributeValues, surroundings: JobSurroundings) => Outcome | readonly Outcome[];

/** Every attribute, by name in small letters without `_`. */
export const ATTRIBUTES: ReadonlyMap<string, ReadAttribute> = new Map<string, ReadAttribute>([
  ["executable", ({ texts }, surroundings) => program(first(texts), surroundings)],
  ["arguments", ({ texts }) => sets({ arguments: texts })],
  ["directory", ({ texts }) => directory(first(texts))],
  [
    "environment",
    ({ lists }) => variablesOutcome(lists.map(([name = "", ...value]) => `${name}=${value.join(" ")}`)),
  ],
  ["stdin", ({ texts }, surroundings) => input(localPath(first(texts)), surroundings)],
  ["stdout", ({ texts }) => stream("stdOutput", first(texts))],
  ["stderr", ({ texts }) => stream("stdError", first(texts))],
  ["count", ({ texts }) => countOutcome(first(texts), "tasks")],
  ["hostcount", ({ texts }) => countOutcome(first(texts), "nodes")],
  ["maxwalltime", ({ texts }) => minutes(first(texts))],
  ["maxtime", ({ texts }) => minutes(first(texts))],
  ["maxcputime", ({ texts }) => lacking("cpuTime", { name: "cpuTime", value: first(texts) })],
  ["minmemory", ({ texts }) => memoryOutcome(first(texts), "m", "memoryBytes")],
  ["maxmemory", ({ texts }) => memoryOutcome(first(texts), "m", "memoryBytes")],
  ["queue", ({ texts }) => queueOutcome(first(texts))],
  ["project", ({ texts }) => consumerOutcome(first(texts))],
  ["jobname", ({ texts }) => nameOutcome(first(texts))],
  ["name", ({ texts }) => nameOutcome(first(texts))],
  ["label", ({ texts }) => sets({ userTags: { label: first(texts) } })],
  ["jobtype", ({ texts }) => jobType(first(texts))],
  ["filestagein", stagedIn],
  ["filestageinshared", stagedIn],
  ["filestageout", stagedOut],
  ["filecleanup", () => noEffect("a job's directory is removed after it")],
  ["scratchdir", () => noEffect("every job has a directory of its own")],
  ["gasscache", () => noEffect("files are kept by the site")],
  ["librarypath", ({ texts }) => sets({ environment: { LD_LIBRARY_PATH: texts.join(":") } })],
  ["reservationhandle", () => lacking("reservation")],
  ["emailaddress", ({ texts }) => mailToOutcome(texts.join(""))],
  ["resourcemanagercontact", () => lacking("site")],
  ["resourcemanagername", () => lacking("site")],
  ["subjobstarttype", () => notTranslated("jobs of a request start independently of each other")],
  ["subjobcommstype", () => notTranslated("jobs of a request start independently of each other")],
  ["grammyjob", () => notTranslated("jobs of a request start independently of each other")],
  [
    "dryrun",
    () => wrong("with it nothing is submitted", "take it out; stint check shows how a file is read"),
  ],
  ["savestate", () => noEffect("the state of every job is saved")],
  ["twophase", () => noEffect("no job is submitted twice")],
  ["restart", () => notTranslated("Stint finds its jobs again by itself")],
  ["stdoutposition", () => notTranslated("stint logs shows output from its beginning")],
  ["stderrposition", () => notTranslated("stint logs shows output from its beginning")],
  ["remoteiourl", () => noEffect("files are sent with the job, and output is fetched")],
  ["proxytimeout", () => noEffect("a job needs no proxy")],
]);

function first(texts: readonly string[]): string {
  return texts[0] ?? "";
}

/** Path of `file:///path`; other texts stay. */
function localPath(text: string): string {
  return text.replace(/^file:\/\/(localhost)?(?=\/)/, "");
}

/** A `file://` address is of this machine, a path of the site. */
function program(text: string, surroundings: JobSurroundings): Outcome {
  const path = localPath(text);
  return path === text ? siteExecutableOutcome(text, surroundings) : executableOutcome(path, surroundings);
}

function minutes(text: string): Outcome {
  const count = countIn(text);
  return limitOutcome(count === undefined ? undefined : count * 60_000, "(maxWallTime=90)");
}

function directory(text: string): Outcome {
  if (text.startsWith("/")) return sets({ workingDirectory: text });
  return notTranslated("it is relative to a home directory: write an absolute path");
}

function input(text: string, surroundings: JobSurroundings): Outcome {
  if (text === "" || text === "/dev/null") return noEffect("without a file the standard input is empty");
  return inputOutcome(text, surroundings);
}

function stream(word: "stdOutput" | "stdError", text: string): Outcome {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text) && !text.startsWith("file:")) {
    return noEffect("output is kept in the job's own directory, from which stint output brings it");
  }
  return outputOutcome([word], localPath(text), /(?!)/g);
}

function jobType(text: string): Outcome {
  const type = text.toLowerCase();
  if (type === "single") return noEffect("a program is started once anyway");
  if (type === "multiple") return notTranslated("a program is started once: start its processes in a script");
  if (type === "mpi") return notTranslated("a program is started once: start it by mpirun");
  return wrong("it is single, multiple or mpi", "write (jobType=single)");
}

/** `(from to)`: files of this machine go along. */
function stagedIn({ lists }: AttributeValues, surroundings: JobSurroundings): readonly Outcome[] {
  return lists.map(([from = "", to = ""]) => {
    const path = localPath(from);
    if (to !== "" && basename(to) !== basename(path))
      return notTranslated("a file that goes along keeps its name");
    const sent = sentFiles(path, surroundings);
    return "outcome" in sent
      ? notTranslated(`${path} is not a file of this machine`)
      : sets({ inputSandbox: sent.paths });
  });
}

function stagedOut({ lists }: AttributeValues): readonly Outcome[] {
  return lists.map(([from = ""]) => {
    const name = basename(localPath(from));
    if (name === "" || name === "." || name === "..") return notTranslated("it names no file");
    return sets({ outputSandbox: [name] }, "stint output brings it");
  });
}
