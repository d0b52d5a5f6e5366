/** Messages about streams. */
import type { QuantityRefusal } from "../../base/index.ts";
import type { Words } from "../yaml/index.ts";

/** Words of a source that say what is read. */
export const WAYS = ["href", "manifest", "prefix", "generator", "exec"] as const;

/** The text is no XML. */
export const noXml = (why: string): Words => ({
  code: "xmlSyntax",
  what: "this is not the XML of a stream",
  why,
  remedy: "correct it; every element is closed, and < in a text is written &lt;",
});
/** The outermost element is another. */
export const noStream = (name: string): Words => ({
  code: "streamMissing",
  what: `the outermost element is <${name.slice(0, 40)}>`,
  why: "a stream is one element <stream>",
  remedy: 'write <stream name="…">…</stream>',
});
/** A quote is not closed. */
export const openQuote: Words = {
  code: "openQuote",
  what: "a quote in the arguments is not closed",
  why: "a text is split into words as a shell does",
  remedy: "close the quote, or write the arguments as a list",
};
/** An amount that is none. */
export const badAmount = (word: string, text: string, { why, remedy }: QuantityRefusal): Words => ({
  code: "notAmount",
  what: `${word}: ${text.slice(0, 40)} cannot be read`,
  ...{ why, remedy },
});
/** A minimum of 0. */
export const noMinimum = (resource: string): Words => ({
  code: "minimumZero",
  what: `the minimum of ${resource} is 0`,
  why: "admission reserves the minimum, and a stream without any could make no progress",
  remedy: "write the smallest amount with which it makes progress",
});
/** A minimum above its maximum. */
export const aboveMaximum = (resource: string): Words => ({
  code: "minimumAboveMaximum",
  what: `the minimum of ${resource} is above its maximum`,
  why: "no allocation can satisfy both",
  remedy: "lower the minimum, or raise the maximum",
});
/** A block that the storage cannot hold. */
export const blockTooLarge = (connections: number): Words => ({
  code: "blockTooLarge",
  what: "the blocks do not fit into the storage",
  why:
    connections === 1
      ? "a block is as large as the minimum of storage, so the transfer would never continue"
      : `${connections} blocks at a time need all of the minimum of storage`,
  remedy: "make blocks smaller, connections fewer, or the minimum of storage larger",
});
/** Sources that are slower than the minimum. */
export const slowSources: Words = {
  code: "sourcesTooSlow",
  what: "the minimum of bandwidth is above what the sources deliver",
  why: "the rates of its sources add up to less, so the minimum could never be reached",
  remedy: "lower the minimum, or correct the rates of the sources",
};
/** A source with no way to read it, or several. */
export const sourceWays = (ways: readonly string[]): Words => ({
  code: "sourceUnclear",
  what: ways.length === 0 ? "a source does not state what to read" : `a source has ${ways.join(" and ")}`,
  why: `exactly one of ${WAYS.join(", ")} must state what is read`,
  remedy:
    ways.length === 0
      ? "write for instance href: https://data.example/h1.gwf"
      : "write them as several sources",
});
/** No source at all. */
export const noSource: Words = {
  code: "sourceMissing",
  what: "the stream has no source",
  why: "a stream needs at least one source of data",
  remedy: "add one, for instance href: https://data.example/h1.gwf",
};
/** Neither program nor pipeline. */
export const noProgram: Words = {
  code: "programMissing",
  what: "no program is given",
  why: "a stream has an executable, or a pipeline of stages",
  remedy: "write executable: { path: … }, or a pipeline",
};
/** A utility without its middle. */
export const noMiddle = (kind: string): Words => ({
  code: "middleMissing",
  what: `the utility is a ${kind} without x0`,
  why: "x0 is the rate, in units, that the stream needs",
  remedy: "write for instance x0: 5",
});
/** An object of a store without its keys. */
export const noCredentials: Words = {
  code: "credentialsMissing",
  what: "a source in an S3 store has no credentials",
  why: "the credentials file contains the store's address and the keys that sign requests",
  remedy: "write for instance credentials: /data/keys/s3.yaml, a file at the site with mode 600",
};
/** No site can list the prefix. */
export const badPrefix = (prefix: string): Words => ({
  code: "prefixUnclear",
  what: `the prefix ${prefix.slice(0, 60)} can be listed by no site`,
  why: "only S3 stores (s3://) and directories (file:///) can be listed",
  remedy: "write for instance s3://runs/7/ or file:///data/run7-, or name the files in a manifest",
});
export const noCounter: Words = {
  code: "counterMissing",
  what: "the generator has no {n}",
  why: "{n} is replaced by the number of each file",
  remedy: "write for instance https://data.example/h1-{n}.gwf",
};
export const noWords: Words = {
  code: "programMissing",
  what: "exec names no program",
  why: "it is empty, or a quote in it is not closed",
  remedy: "write for instance exec: rclone cat store:run7",
};
export const mirroredProgram: Words = {
  code: "mirrorMisplaced",
  what: "mirrors are given for a source that is a program",
  why: "mirrors are other addresses of the same file",
  remedy: "remove the mirrors",
};
export const listChecksum: Words = {
  code: "checksumMisplaced",
  what: "a checksum is given for a list of files",
  why: "a checksum applies to one file; a manifest has one for each of its files",
  remedy: "remove the checksum, or write it into the manifest",
};
/** The requirements are not an expression. @param what syntax error */
export const badRequirements = ({ what, why }: { readonly what: string; readonly why: string }): Words => ({
  code: "badRequirements",
  what: `the requirements on processors cannot be read: ${what}`,
  why,
  remedy: 'write a ClassAd expression, for instance requirements: "other.Speed > 1"',
});
export const growingChecksum: Words = {
  code: "checksumMisplaced",
  what: "a checksum is given for a growing file",
  why: "the checksum of a growing file is known only when it is complete",
  remedy: "remove the checksum, or remove endless: true",
};
export const misplacedEnd: Words = {
  code: "endMisplaced",
  what: "an end is given for a source that is not a single growing file",
  why: "only a growing file that is named by href needs an end; lists and programs have their own",
  remedy: "remove the end, or write endless: true beside the href",
};
/** Nothing can be sent to the address of a sink. */
export const badSink = (href: string): Words => ({
  code: "sinkUnclear",
  what: `results cannot be sent to ${href.slice(0, 60)}`,
  why: "the address of a sink begins with http://, https:// or file:///",
  remedy: "write for instance https://results.example/h1/",
});
export const appendToServer: Words = {
  code: "appendToServer",
  what: "a sink on a server cannot have the mode append",
  why: "HTTP has no standard way to append to an object at an offset",
  remedy: "write an address that begins with file:///, or mode: put",
};
export const bytesWithSink: Words = {
  code: "bytesWithSink",
  what: "a stream with ack: bytes cannot have a sink",
  why: "with ack: bytes the application cannot name results",
  remedy: "write ack: line or ack: file, or remove the sink",
};
export const bytesWithStages: Words = {
  code: "bytesWithStages",
  what: "a stream with ack: bytes has several stages",
  why: "with ack: bytes a stage cannot name its output",
  remedy: "write ack: line or ack: file, or run a single program",
};
/** Two stages have one name. */
export const sameStages = (name: string): Words => ({
  code: "sameStages",
  what: `two stages have the name ${name}`,
  why: "outputs and logs identify stages by name",
  remedy: "rename one of them",
});
