import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it, vi } from "vitest";
import { aFault, capturedProgram } from "../../test/captured-program.ts";
import type { StintClient } from "../api/client/index.ts";
import type { JobReading } from "../formats/job-reading/index.ts";
import { JOB_DEFAULTS } from "../model/index.ts";

const reading = (...executables: string[]): JobReading => ({
  jobs: executables.map((executable) => ({
    description: { ...JOB_DEFAULTS, executable, inputSandbox: ["jobs/a.dat", "/opt/b.dat"] },
    line: 1,
  })),
  warnings: [],
  problems: [],
  translations: [],
});
const remark = { code: "typo", line: 2, column: 3, what: "something is odd", why: "so", remedy: "mend it" };
const files = new Map<string, JobReading>([
  ["one.yaml", reading("one")],
  ["-", reading("two", "three")],
  ["odd.yaml", { ...reading("odd"), warnings: [remark] }],
  [
    "bad.yaml",
    { jobs: [], warnings: [], problems: [remark, { ...remark, code: "other", line: 4 }], translations: [] },
  ],
]);

function programWith(submit: StintClient["submit"]) {
  const readJobFile = async () => async (file: string) => files.get(file) ?? reading();
  return capturedProgram({ submit }, { readJobFile });
}

const accepting = () => vi.fn<StintClient["submit"]>(async (jobs) => jobs.map((_, at) => `id${at}`));

describe("stint submit", () => {
  it("sends the jobs of all files at once, in their order, as one request, with whole paths", async () => {
    const submit = accepting();
    expect(await programWith(submit).call("submit", "one.yaml", "-")).toEqual({
      code: 0,
      out: "id0\nid1\nid2\n",
      err: "",
    });
    const [[descriptions, options]] = submit.mock.calls;
    expect(descriptions.map(({ executable }) => executable)).toEqual(["one", "two", "three"]);
    expect(descriptions[0].inputSandbox).toEqual(["/data/jobs/a.dat", "/opt/b.dat"]);
    expect(options?.idempotencyKey).toMatch(/^[\w-]{16,}$/);
  });

  it.each([
    { format: "name", out: "id0\n" },
    { format: "json", out: '{\n  "ids": [\n    "id0"\n  ]\n}\n' },
  ])("-o $format", async ({ format, out }) => {
    expect((await programWith(accepting()).call("submit", "one.yaml", "-o", format)).out).toBe(out);
  });

  it("--vo narrows for whom they run, and --for says for whom they are submitted", async () => {
    const submit = accepting();
    await programWith(submit).call("submit", "one.yaml", "--vo", "cms/higgs", "--for", "cms");
    const [[descriptions, options]] = submit.mock.calls;
    expect([descriptions[0].virtualOrganisation, options?.for]).toEqual(["cms/higgs", "cms"]);
    await programWith(submit).call("run", "--vo", "cms/higgs", "--for", "cms", "--", "true");
    const [[run], request] = submit.mock.calls[1];
    expect([run.virtualOrganisation, request?.for]).toEqual(["cms/higgs", "cms"]);
  });

  it("CL-11 one problem anywhere, and nothing is sent: all are told with their places, exit 2", async () => {
    const submit = accepting();
    const { code, out, err } = await programWith(submit).call("submit", "one.yaml", "bad.yaml", "odd.yaml");
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toContain("stint: bad.yaml:2:3: something is odd\n  why: so\n  do:  mend it\n");
    expect(err).toContain("bad.yaml:4:3");
    expect(err).toContain("warning: odd.yaml:2:3");
    expect(err).toContain("nothing was submitted");
    expect(submit).not.toHaveBeenCalled();
  });

  it("warnings go to stderr and stop nothing", async () => {
    const { code, out, err } = await programWith(accepting()).call("submit", "odd.yaml");
    expect({ code, out }).toEqual({ code: 0, out: "id0\n" });
    expect(err).toContain("warning: odd.yaml:2:3: something is odd; mend it");
  });

  it("what follows -- is a command, with what the options say of it", async () => {
    const submit = accepting();
    const words = ["--name", "night", "-n", "4", "-t", "2h", "--mem", "1G", "--tag", "project=snow"];
    const more = ["--tag", "urgent", "--stdin", "in/data.txt", "--workdir", "there", "--output-file", "r.*"];
    const { code } = await programWith(submit).call("submit", ...words, ...more, "--", "./sim", "-n", "7");
    expect(code).toBe(0);
    expect(submit.mock.calls[0][0]).toEqual([
      {
        ...{ executable: "/data/sim", arguments: ["-n", "7"] },
        ...{ name: "night", procs: 4, wallTimeSec: 7200, memoryBytes: 2 ** 30 },
        userTags: { project: "snow", urgent: "" },
        ...{ inputSandbox: ["/data/in/data.txt"], stdInput: "data.txt", workingDirectory: "/data/there" },
        outputSandbox: ["r.*"],
      },
    ]);
  });

  it("--stdin - sends what is piped in, for a command as for a description", async () => {
    const submit = accepting();
    const texts: string[] = [];
    const upload = vi.fn(async (path: string) => {
      if (path.endsWith("/stdin")) texts.push(readFileSync(path, "utf8"));
      return "upload:0/stdin";
    });
    const piped = async function* () {
      yield Buffer.from("3 1 2");
    };
    const surroundings = { readJobFile: async () => async () => reading("three"), standardInput: piped };
    const program = capturedProgram({ submit, upload }, surroundings);
    const call = (...words: readonly string[]) => program.call("submit", ...words);
    expect(await call("--stdin", "-", "--", "sort")).toMatchObject({ code: 0, err: "" });
    expect(await call("job.yaml", "--stdin", "-")).toMatchObject({ code: 0 });
    const named = submit.mock.calls.map(([[job]]) => [job.inputSandbox?.at(-1), job.stdInput]);
    expect(named).toEqual([
      ["upload:0/stdin", "stdin"],
      ["upload:0/stdin", "stdin"],
    ]);
    expect(texts).toEqual(["3 1 2", "3 1 2"]);
    expect(upload.mock.calls.filter(([path]) => existsSync(path))).toEqual([]);
    expect(await call("--stdin", "-", "-")).toMatchObject({
      code: 2,
      err: expect.stringMatching(/^stint: standard input is named twice/),
    });
  });

  it("-a names an array, and what is wrong with it", async () => {
    const { code, err } = await programWith(accepting()).call("submit", "-a", "0-9%", "--", "x");
    expect({ code, err }).toEqual({
      code: 2,
      err: expect.stringMatching(/^stint: -a: "0-9%" was not understood\n {2}why: indexes are numbers, .*%/),
    });
  });

  it("--wrap is a line for the shell, and nothing stands beside it", async () => {
    const submit = accepting();
    const { code } = await programWith(submit).call("submit", "-n", "2", "--wrap", "sort a | uniq > b");
    expect(code).toBe(0);
    expect(submit.mock.calls[0][0]).toEqual([
      { executable: "/bin/sh", arguments: ["-c", "sort a | uniq > b"], procs: 2 },
    ]);
    for (const words of [["--wrap", "true", "one.yaml"], []]) {
      const refused = await programWith(accepting()).call("submit", ...words);
      expect(refused).toMatchObject({ code: 2, err: expect.stringMatching(/--wrap and one.yaml|missing/) });
    }
  });

  it("options beside descriptions count, before and behind them, and a difference is told", async () => {
    const submit = accepting();
    files.set("said.yaml", {
      ...reading(),
      jobs: [
        {
          description: { ...JOB_DEFAULTS, executable: "one", procs: 2, site: "west", userTags: { a: "1" } },
          line: 3,
        },
      ],
    });
    const words = ["-n", "4", "said.yaml", "--site", "west", "--tag", "b"];
    const { code, err } = await programWith(submit).call("submit", ...words);
    expect({ code, err }).toEqual({
      code: 0,
      err: "stint: warning: said.yaml:3: -n overrides procs of the file: 4 instead of 2\n",
    });
    const [[[sent]]] = submit.mock.calls;
    expect(sent).toMatchObject({ procs: 4, site: "west", userTags: { a: "1", b: "" } });
  });

  it("--requirements of the command line count before those of a file, and are read first", async () => {
    const submit = accepting();
    const description = { ...JOB_DEFAULTS, executable: "one", requirements: "other.Gpus >= 1" };
    files.set("demanding.yaml", { ...reading(), jobs: [{ description, line: 1 }] });
    const { err } = await programWith(submit).call("submit", "demanding.yaml", "--requirements", "true");
    const change = "true instead of other.Gpus >= 1";
    expect(err).toContain(`--requirements overrides requirements of the file: ${change}`);
    expect(submit.mock.calls[0][0]).toMatchObject([{ requirements: "true" }]);
    const wrong = await programWith(submit).call("submit", "--rank", "(", "--", "one");
    expect(wrong).toMatchObject({ code: 2, err: expect.stringContaining("--rank, line 1, column 2") });
    expect(submit).toHaveBeenCalledTimes(1);
  });

  it("CL-4 an option that is none is told, also behind a description", async () => {
    const { code, err } = await programWith(accepting()).call("submit", "one.yaml", "--sites", "x");
    expect({ code, err }).toMatchObject({ code: 2, err: expect.stringContaining("--site") });
  });

  it("CL-3 a refusal of the broker: exit 5, no ids", async () => {
    const refusing = programWith(() => Promise.reject(aFault("refused", "wider than any site")));
    expect(await refusing.call("submit", "one.yaml")).toMatchObject({ code: 5, out: "" });
  });
});
