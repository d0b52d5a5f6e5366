/** A description, said in the languages that are read and not written, reads back as the same. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { draws } from "../../../test/draws.ts";
import { JOB_DEFAULTS, type JobDescription } from "../../model/index.ts";
import type { JobSurroundings } from "../job-reading/index.ts";
import { writeJobs } from "../job-writing/index.ts";
import { readJobText } from "./index.ts";

const MIB = 1024 ** 2;

/** Texts with all that quoting has to survive. */
const text = fc
  .array(
    fc.constantFrom(..."ab0 '\"\\$#:,;{}[]&*!|<>%@`~=-_./?éλ", "]]>", "&amp;", "//", "null", "  ", "queue"),
    {
      maxLength: 8,
    },
  )
  .map((parts) => parts.join(""));
const name = fc
  .array(fc.constantFrom(..."abXY09._-"), { minLength: 1, maxLength: 8 })
  .map((parts) => parts.join(""))
  .filter((it) => it !== "." && it !== "..");
const variable = fc.constantFrom("A", "OMP_NUM_THREADS", "_x", "b2");

/** A job in whole minutes and MiB, with what each of the languages has a word for. */
const described = fc
  .record(
    {
      name,
      arguments: fc.array(text, { maxLength: 4 }),
      environment: fc.dictionary(variable, text, { maxKeys: 3 }),
      stdOutput: name,
      stdError: name,
      inputs: fc.uniqueArray(name, { maxLength: 3 }),
      outputSandbox: fc.uniqueArray(name, { maxLength: 3 }),
      procs: fc.integer({ min: 1, max: 1000 }),
      memoryBytes: fc.integer({ min: 1, max: 2 ** 20 }).map((count) => count * MIB),
      wallTimeMs: fc.integer({ min: 1, max: 10_000 }).map((count) => count * 60_000),
      virtualOrganisation: fc.constantFrom("cms", "cms/higgs"),
    },
    { requiredKeys: [] },
  )
  .map(
    ({ inputs = [], ...said }): JobDescription => ({
      executable: "/bin/prog",
      ...JOB_DEFAULTS,
      ...said,
      ...(inputs.length === 0 ? {} : { inputSandbox: inputs.map((it) => `/in/${it}`), stdInput: inputs[0] }),
    }),
  );

/** Lines of what is set. */
function lines(...said: readonly (readonly [unknown, string])[]): string {
  return said.flatMap(([value, line]) => (value === undefined ? [] : `${line}\n`)).join("");
}

const minutes = ({ wallTimeMs = 0 }: JobDescription) => wallTimeMs / 60_000;
const mebibytes = ({ memoryBytes = 0 }: JobDescription) => memoryBytes / MIB;

function submitFile(job: JobDescription): string {
  const quoted = (words: readonly string[]) =>
    `"${words.map((word) => `'${word.replaceAll("'", "''")}'`).join(" ")}"`.replaceAll(/(?<!^)"(?!$)/g, '""');
  const environment = Object.entries(job.environment).map(([key, value]) => `${key}=${value}`);
  return lines(
    ...([
      ["", `executable = ${job.executable}\ntransfer_executable = false`],
      [job.name, `batch_name = ${job.name}`],
      ["", `arguments = ${quoted(job.arguments)}`],
      ["", `environment = ${quoted(environment)}`],
      [job.stdInput, `input = /in/${job.stdInput}`],
      [job.stdOutput, `output = ${job.stdOutput}`],
      [job.stdError, `error = ${job.stdError}`],
      [job.inputSandbox[0], `transfer_input_files = ${job.inputSandbox.join(", ")}`],
      [job.outputSandbox[0], `transfer_output_files = ${job.outputSandbox.join(", ")}`],
      ["", `request_cpus = ${job.procs}`],
      [job.memoryBytes, `request_memory = ${mebibytes(job)}`],
      [job.wallTimeMs, `allowed_execute_duration = ${minutes(job) * 60}`],
      [job.virtualOrganisation, `accounting_group = ${job.virtualOrganisation?.replaceAll("/", ".")}`],
      ["", "queue"],
    ] as const),
  );
}

function rsl(job: JobDescription): string {
  const quoted = (word: string) => `"${word.replaceAll('"', '""')}"`;
  const pairs = Object.entries(job.environment).map(([key, value]) => `(${quoted(key)} ${quoted(value)})`);
  return lines(
    ["", `&(executable=${quoted(job.executable)})`],
    [job.name, `(jobName=${quoted(job.name ?? "")})`],
    [job.arguments[0], `(arguments=${job.arguments.map(quoted).join(" ")})`],
    [pairs[0], `(environment=${pairs.join("")})`],
    [job.stdInput, `(stdin="file:///in/${job.stdInput}")`],
    [job.stdOutput, `(stdout=${quoted(job.stdOutput ?? "")})`],
    [job.stdError, `(stderr=${quoted(job.stdError ?? "")})`],
    ...job.inputSandbox.map((path) => [path, `(fileStageIn=("file://${path}" ""))`] as const),
    ...job.outputSandbox.map((path) => [path, `(fileStageOut=("${path}" "gsiftp://host/x"))`] as const),
    ["", `(count=${job.procs})`],
    [job.memoryBytes, `(maxMemory=${mebibytes(job)})`],
    [job.wallTimeMs, `(maxWallTime=${minutes(job)})`],
    [job.virtualOrganisation, `(project=${quoted(job.virtualOrganisation ?? "")})`],
  );
}

function jsdl(job: JobDescription): string {
  const escaped = (value: string) =>
    value.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  const element = (tag: string, value: string | undefined) => `<${tag}>${escaped(value ?? "")}</${tag}>`;
  const staged = (file: string, way: "Source" | "Target", uri: string) =>
    `<DataStaging><FileName>${file}</FileName><${way}><URI>${uri}</URI></${way}></DataStaging>`;
  return lines(
    ["", '<?xml version="1.0"?>'],
    ["", '<JobDefinition xmlns="http://schemas.ggf.org/jsdl/2005/11/jsdl"><JobDescription>'],
    ["", "<JobIdentification>"],
    [job.name, element("JobName", job.name)],
    [job.virtualOrganisation, element("JobProject", job.virtualOrganisation)],
    ["", "</JobIdentification><Application><POSIXApplication>"],
    ["", element("Executable", job.executable)],
    ...job.arguments.map((word) => [word, element("Argument", word)] as const),
    [job.stdInput, element("Input", job.stdInput)],
    [job.stdOutput, element("Output", job.stdOutput)],
    [job.stdError, element("Error", job.stdError)],
    ...Object.entries(job.environment).map(
      ([key, value]) => [value, `<Environment name="${key}">${escaped(value)}</Environment>`] as const,
    ),
    [job.wallTimeMs, element("WallTimeLimit", String(minutes(job) * 60))],
    ["", "</POSIXApplication></Application><Resources>"],
    ["", `<TotalCPUCount><Exact>${job.procs}</Exact></TotalCPUCount>`],
    [job.memoryBytes, `<TotalPhysicalMemory><Exact>${String(job.memoryBytes)}</Exact></TotalPhysicalMemory>`],
    ["", "</Resources>"],
    ...job.inputSandbox.map((path) => [path, staged(path.slice(4), "Source", `file://${path}`)] as const),
    ...job.outputSandbox.map((path) => [path, staged(path, "Target", "gsiftp://host/x")] as const),
    ["", "</JobDescription></JobDefinition>"],
  );
}

const surroundings: JobSurroundings = {
  folder: "/in",
  file: "/in/job",
  fileState: (path) => (path.startsWith("/in/") ? "readable" : "missing"),
};

async function readBack(said: string): Promise<JobDescription | undefined> {
  const { jobs, problems, translations } = await readJobText(said, surroundings);
  const lost = translations.filter(({ verdict }) => verdict === "notTranslated");
  expect({ problems, lost, said }).toEqual({ problems: [], lost: [], said });
  return jobs[0]?.description;
}

describe("descriptions in other languages", () => {
  it.each([
    ["HTCondor's submit files", submitFile],
    ["RSL", rsl],
    ["JSDL", jsdl],
  ])("FO-144 %s: what was said is what is read, and stays so when it is converted", async (_, say) => {
    await fc.assert(
      fc.asyncProperty(described, async (job) => {
        const again = await readBack(say(job));
        expect(again).toEqual(job);
        if (again === undefined) return;
        const reading = { jobs: [{ description: again, line: 1 }], warnings: [], problems: [] };
        const written = writeJobs([{ ...reading, translations: [] }], "jdl");
        expect(written.ok && (await readBack(written.value))).toEqual(job);
      }),
      draws(300),
    );
  });
});
