/** A description, written in each form and read again, is the same. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { draws } from "../../../test/draws.ts";
import { JOB_DEFAULTS, type JobDescription } from "../../model/index.ts";
import { readJobText } from "../job-languages/index.ts";
import type { JobReading, JobSurroundings } from "../job-reading/index.ts";
import { type JobForm, writeJobs } from "./index.ts";

/** Texts with all that quoting has to survive. */
const text = fc
  .array(
    fc.constantFrom(..."ab0 '\"\\$#:,;{}[]&*!|>%@`~=-_./?éλ\t\n", "null", "true", "1.10", "---", "//", "/*"),
    { maxLength: 8 },
  )
  .map((parts) => parts.join(""));
const name = fc
  .array(fc.constantFrom(..."abXY09 .'\"#:%-_"), { minLength: 1, maxLength: 8 })
  .map((parts) => parts.join(""))
  .filter((it) => it !== "." && it !== "..");
const variable = fc.constantFrom("A", "OMP_NUM_THREADS", "_x", "b2");
const expression = fc.constantFrom(
  'other.x >= 2 && other.Name == "a b"',
  "true",
  "-other.y",
  "a =?= undefined",
);

const described: fc.Arbitrary<JobDescription> = fc
  .record(
    {
      name,
      arguments: fc.array(text, { maxLength: 4 }),
      environment: fc.dictionary(variable, text, { maxKeys: 3 }),
      workingDirectory: name.map((it) => `/data/${it}`),
      stdOutput: name,
      stdError: name,
      inputs: fc.uniqueArray(name, { maxLength: 3 }),
      outputSandbox: fc.uniqueArray(name, { maxLength: 3 }),
      procs: fc.integer({ min: 1, max: 1000 }),
      memoryBytes: fc.integer({ min: 1, max: 2 ** 45 }),
      gpus: fc.integer({ min: 1, max: 9 }),
      wallTimeMs: fc.integer({ min: 1, max: 10 ** 9 }),
      delayCostSuPerHour: fc.integer({ min: 0, max: 100 }),
      site: fc.constantFrom("a", "cluster-a"),
      reservation: fc.constantFrom("7f3aabcdefgh"),
      virtualOrganisation: fc.constantFrom("cms", "cms/higgs"),
      array: fc.constantFrom("0-9", "1,3%2"),
      after: fc.constantFrom(["ok:7f3aabcdefgh"], ["any:a", "failed:b"]),
      retryMemoryBytes: fc.integer({ min: 1, max: 2 ** 45 }),
      retryTimeMs: fc.integer({ min: 1, max: 10 ** 9 }),
      retryFactor: fc.constantFrom(1.1, 1.5, 3),
      inputData: fc.constantFrom(["/cms/run7/a.root"], ["/cms/a", "/cms/b"]),
      outputData: fc.constantFrom(
        [{ file: "a.root" }],
        [{ file: "d/a", name: "/cms/a", store: "disk" }, { file: "b" }],
      ),
      hostNumber: fc.constantFrom(1),
      smpGranularity: fc.constantFrom(2, 4),
      preferredQueues: fc.constantFrom(["long"], ["a.b", "c-d"]),
      wholeNodes: fc.constantFrom(true),
      mail: fc.constantFrom(["end" as const], ["start" as const, "fail" as const]),
      mailTo: fc.constantFrom("ada", "ada+x@example.org"),
      outputSE: fc.constantFrom("disk", "se.example.org"),
      dataAccessProtocol: fc.constantFrom(["gsiftp"], ["file", "https"]),
      checkpointable: fc.boolean(),
      checkpointExitCode: fc.integer({ min: 1, max: 125 }),
      checkpointsKept: fc.integer({ min: 1, max: 10 }),
      fromCheckpoint: fc.constantFrom("7f3aabcdefgh:step3", "a-7:x.y_z-1"),
      applications: fc.constantFrom(["gromacs"], ["gnu/12", "open-mpi"]),
      requirements: expression,
      rank: expression,
      fuzzyRank: fc.constantFrom(true, false, 2, 0.5),
      strictDefaults: fc.boolean(),
      defaultRank: fc.constantFrom("response" as const, "literal" as const),
      expiryTimeMs: fc.integer({ min: 0, max: 4 * 10 ** 9 }).map((seconds) => seconds * 1000),
      retryCount: fc.integer({ min: 0, max: 9 }),
      shallowRetryCount: fc.integer({ min: -1, max: 9 }),
      queueTimeMs: fc.integer({ min: 1, max: 10 ** 6 }).map((seconds) => seconds * 1000),
      replicas: fc.integer({ min: 1, max: 8 }),
      attributes: fc.dictionary(fc.constantFrom("Experiment", "odd name", "x"), expression, { minKeys: 1 }),
      userTags: fc.dictionary(fc.constantFrom("run", "x y", "#1"), text, { maxKeys: 3 }),
    },
    { requiredKeys: [] },
  )
  .map(({ inputs = [], memoryBytes = 0, wallTimeMs = 0, ...said }) => ({
    executable: "a.out",
    ...JOB_DEFAULTS,
    ...said,
    ...(memoryBytes === 0 ? {} : { memoryBytes }),
    ...(wallTimeMs === 0 ? {} : { wallTimeMs }),
    ...(said.retryMemoryBytes === undefined ? {} : { retryMemoryBytes: memoryBytes + said.retryMemoryBytes }),
    ...(said.retryTimeMs === undefined ? {} : { retryTimeMs: wallTimeMs + said.retryTimeMs }),
    ...(inputs.length === 0 ? {} : { inputSandbox: inputs.map((it) => `/in/${it}`), stdInput: inputs[0] }),
  }));

const surroundings: JobSurroundings = {
  folder: "/in",
  file: "/in/job.sh",
  fileState: (path) => (path.endsWith("a.out") ? "missing" : "readable"),
};
const reading = (descriptions: readonly JobDescription[]): JobReading => ({
  jobs: descriptions.map((description) => ({ description, line: 1 })),
  ...{ warnings: [], problems: [], translations: [] },
});

function written(descriptions: readonly JobDescription[], form: JobForm): string {
  const text = writeJobs([reading(descriptions)], form);
  if (!text.ok) throw new Error(text.refusal.what);
  return text.value;
}

async function readAgain(text: string): Promise<readonly JobDescription[]> {
  const { jobs, problems } = await readJobText(text, surroundings);
  expect({ problems, text }).toEqual({ problems: [], text });
  return jobs.map(({ description }) => description);
}

describe("writing descriptions", () => {
  it.each(["yaml", "jdl"] as const)("FO-143 in %s, a description reads back as the same", async (form) => {
    await fc.assert(
      fc.asyncProperty(fc.array(described, { minLength: 1, maxLength: 3 }), async (jobs) => {
        expect(await readAgain(written(jobs, form))).toEqual(jobs);
      }),
      draws(300),
    );
  });

  it("FO-143 in sbatch, what has an option reads back as the same, in whole minutes and KiB", async () => {
    await fc.assert(
      fc.asyncProperty(described, async (job) => {
        const { name: jobName, procs, gpus, array, workingDirectory = process.cwd() } = job;
        const [again] = await readAgain(written([job], "sbatch"));
        const minutes = job.wallTimeMs === undefined ? undefined : Math.ceil(job.wallTimeMs / 60_000);
        expect(again).toMatchObject({ procs, workingDirectory });
        expect(again?.wallTimeMs).toBe(minutes === undefined ? undefined : minutes * 60_000);
        expect({ gpus: again?.gpus, array: again?.array }).toEqual({ gpus, array });
        if (jobName !== undefined) expect(again?.name).toBe(jobName);
        if (job.memoryBytes === undefined) expect(again?.memoryBytes).toBeUndefined();
        else expect((again?.memoryBytes ?? 0) - job.memoryBytes).toBeLessThan(1024 * procs);
      }),
      draws(200),
    );
  });

  it("FO-143 comments say what a form cannot say, and what was not translated", () => {
    const job: JobDescription = {
      executable: "a",
      ...JOB_DEFAULTS,
      site: "x\ny",
      memoryBytes: 1000,
      procs: 3,
    };
    const lost = [
      { line: 2, written: "#PBS -q long", verdict: "translated", becomes: "preferredQueues: [long]" },
      { line: 3, written: "#PBS -m e", verdict: "notTranslated", why: "no mail" },
      { line: 4, written: "#PBS -k oe", verdict: "noEffect", why: "files stay" },
      { line: 5, written: "#PBS -m bs", verdict: "translated", why: "mail at start only" },
    ] as const;
    const text = writeJobs([{ ...reading([job]), translations: lost }], "sbatch");
    expect(text.ok && text.value).toContain("# Not translated, line 3: #PBS -m e: no mail\n");
    expect(text.ok && text.value).toContain("# No effect, line 4: #PBS -k oe: files stay\n");
    expect(text.ok && text.value).toContain("# Translated, line 5: #PBS -m bs: mail at start only\n");
    expect(text.ok && text.value).not.toContain("line 2");
    expect(text.ok && text.value).toContain("# Not said here: memory is rounded up");
    expect(text.ok && text.value).toContain('# Not said here: site: "x\\ny"\n');
  });

  it("FO-143 in sbatch, a program that the job brings along is named by its path", () => {
    const job = { executable: "run.sh", ...JOB_DEFAULTS, inputSandbox: ["/in/a", "/in/run.sh"] };
    expect(written([job], "sbatch")).toMatch(/\nexec \/in\/run.sh\n$/);
  });

  it("FO-143 a script for sbatch is one job", () => {
    const job: JobDescription = { executable: "a", ...JOB_DEFAULTS };
    expect(writeJobs([reading([job, job])], "sbatch")).toMatchObject({ refusal: { code: "severalJobs" } });
  });
});
