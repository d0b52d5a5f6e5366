import { describe, expect, it } from "vitest";
import type { JobSurroundings } from "../job-reading/index.ts";
import { readJobJdl } from "./read.ts";

/** Programs of the site; every other file is there. */
const PROGRAMS = /^\/here\/(?:a|x|y|z|hostname|a\.out|mpirun)$/;
const surroundings: JobSurroundings = {
  folder: "/here",
  fileState: (path) => (PROGRAMS.test(path) ? "missing" : "readable"),
};
const read = (text: string, around: Partial<JobSurroundings> = {}) =>
  readJobJdl(text, { ...surroundings, ...around });
const only = (text: string) => {
  const { jobs, problems } = read(text);
  expect(problems).toEqual([]);
  expect(jobs).toHaveLength(1);
  return jobs[0]?.description;
};
const codes = (text: string) => read(text).problems.map(({ code }) => code);

describe("a job in JDL", () => {
  it.each([
    ['[ Executable = "hostname"; ]'],
    ['Executable = "hostname";'],
    ['executable = "hostname"'],
    ['// mine\n/* all\nmine */ # too\n[\n EXECUTABLE = "hostname";\n];'],
  ])("FO-140 outer brackets, case and comments do not count: %j", (text) => {
    expect(only(text)).toMatchObject({ executable: "hostname", procs: 1 });
  });

  it.each([
    ["Arguments = \"-l 'two words'\"", { arguments: ["-l", "two words"] }],
    ['Argument = { "-l", "two words" }', { arguments: ["-l", "two words"] }],
    ['Environment = { "A=1", "B=x y" }', { environment: { A: "1", B: "x y" } }],
    ['StdOutput = "o"; StdError = "e"', { stdOutput: "o", stdError: "e" }],
    ['InputSandbox = "in.txt"; StdInput = "/a/in.txt"', { stdInput: "in.txt" }],
    ['InputSandbox = { "file:///a/b", "c" }', { inputSandbox: ["/a/b", "/here/c"] }],
    ['InputSandbox = { "c", "/d" }; InputSandboxBaseURI = "file:///x/"', { inputSandbox: ["/x/c", "/d"] }],
    ['OutSandbox = { "a", "*.log" }', { outputSandbox: ["a", "*.log"] }],
    ["CpuNumber = 4", { procs: 4 }],
    ["NodeNumber = 4", { procs: 4 }],
    ["WallTime = 3600", { wallTimeMs: 3_600_000 }],
    ['WallTime = "1h30m"', { wallTimeMs: 5_400_000 }],
    ['SubmitTo = "cluster-a"', { site: "cluster-a" }],
    ['VirtualOrganisation = "cms"', { virtualOrganisation: "cms" }],
    ['UserTags = [ experiment = "cms"; run = 7 ]', { userTags: { experiment: "cms", run: "7" } }],
    ['JobType = "Normal"; Type = "Job"', { procs: 1 }],
    ['JobType = { "MPICH" }; CpuNumber = 8', { procs: 8 }],
    ["Memory = 512", { memoryBytes: 2 ** 29 }],
    ["Requirements = other.x >= 2 && true", { requirements: "other.x >= 2 && true" }],
    ["Rank = -other.x; FuzzyRank = 0.5", { rank: "-other.x", fuzzyRank: 0.5 }],
    ["FuzzyRank = true; RetryCount = 2; ShallowRetryCount = -1", { fuzzyRank: true, retryCount: 2 }],
    ["ExpiryTime = 1767225600", { expiryTimeMs: 1_767_225_600_000 }],
    ['StrictDefaults = false; DefaultRank = "literal"', { strictDefaults: false, defaultRank: "literal" }],
    [
      'InputData = { "lfn:/vo/a", "/vo/b" }; DataAccessProtocol = "x"',
      { inputData: ["/vo/a", "/vo/b"], dataAccessProtocol: ["x"] },
    ],
    ['InputData = "lfn:/vo/a"; DataAccessProtocol = {}', { inputData: ["/vo/a"] }],
    [
      "CpuNumber = 8; HostNumber = 2; SMPGranularity = 4; WholeNodes = true",
      { procs: 8, hostNumber: 2, smpGranularity: 4, wholeNodes: true },
    ],
    ['OutputSE = "se.example.org"', { outputSE: "se.example.org" }],
    [
      'OutputData = { [ OutputFile = "a"; LogicalFileName = "lfn:/vo/a"; StorageElement = "se" ], ' +
        '[ outputfile = "d/b" ] }',
      { outputData: [{ file: "a", name: "/vo/a", store: "se" }, { file: "d/b" }] },
    ],
    [
      'InputData = "lfn:/vo/a"; DataAccessProtocol = "x"; DataRequirements = { ' +
        '[ InputData = { "lfn:/vo/b", "/vo/a" }; DataCatalogType = "RLS" ], ' +
        '[ InputData = "lfn:/vo/c"; DataCatalogType = "DLI"; DataCatalog = "http://dli" ] }',
      { inputData: ["/vo/a", "/vo/b", "/vo/c"] },
    ],
    ['Memory = "4G"; Gpus = 2; Name = "n"', { memoryBytes: 2 ** 32, gpus: 2, name: "n" }],
    ['n = 2; CpuNumber = 2 * n; Arguments = strcat("a", " b")', { procs: 4, arguments: ["a", "b"] }],
  ])("FO-140 %s", (text, description) => {
    expect(only(`Executable = "a";\n${text}`)).toMatchObject(description);
  });

  it.each([
    ['Arguments = "a"', "wordMissing", 1, 1],
    ["Executable = 4", "wrongType", 1, 14],
    ['Executable = "a"; CpuNumber = "4"', "wrongType", 1, 31],
    ['Executable = "a"; CpuNumber = 0', "wrongType", 1, 31],
    ['Executable = "a"; RetryCount = -1', "wrongType", 1, 32],
    ['Executable = "a"; ShallowRetryCount = -2', "wrongType", 1, 39],
    ['Executable = "a"; ListenerPort = 0', "wrongType", 1, 34],
    ['Executable = "a"; Environment = { "x" }', "badVariable", 1, 35],
    ['Executable = "a"; Environment = { "X=1", "X=2" }', "duplicateKey", 1, 42],
    ['Executable = "a"; Arguments = x.y', "valueMissing", 1, 31],
    ['Executable = "a"; OutputData = { [ OutputFile = "/b" ] }', "badOutputFile", 1, 32],
    [
      'Executable = "a"; OutputData = { [ OutputFile = "b"; LogicalFileName = "b" ] }',
      "badLogicalName",
      1,
      32,
    ],
    ['Executable = "a"; OutputSandbox = { "b", "/d" }', "notInnerPath", 1, 42],
    ['Executable = "a"; InputSandbox = { "x/b",\n"y/b" }', "doubleBaseName", 2, 1],
    ['Executable = "a"; OutputSandbox = { "b", "b" }', "doubleBaseName", 1, 42],
    ['Executable = "a"; InputSandbox = "gsiftp://x/y"', "sandboxFile", 1, 34],
    ['Executable = "bin/a"', "executableRelative", 1, 14],
    ['Executable = "a"; StdInput = "b"', "inputNotSent", 1, 30],
    ['Executable = "a"; CpuNumber = 2; NodeNumber = 2', "duplicateAttribute", 1, 34],
    ['Executable = "a"; InputData = "lfn:/vo/x"', "wordMissing", 1, 19],
    ['Executable = "a"; WallTime = 1; ReferenceTime = 1', "wordsExclude", 1, 33],
    ['Executable = "a"; OutputSandbox = "b"; OutputSandboxDestURI = { "x", "y" }', "unequalLengths", 1, 40],
    ['Executable = "a"; OutputSandbox = "*"; OutputSandboxDestURI = "x"', "patternWithTarget", 1, 40],
    ['Executable = "a"; OutputData = { [ StorageElement = "x" ] }', "wordMissing", 1, 19],
    ['Executable = "a"; ExpiryTime = 9e99', "wrongType", 1, 32],
    ['Executable = "a"; ExpiryTime = 999999999999', "wrongType", 1, 32],
    ['Executable = "a";\nRequirements = other.x > 1 && 1 > 2', "neverTrue", 2, 16],
    ['Executable = "a"; DefaultRank = "fast"', "wordUnknown", 1, 33],
    ['Executable = "a"; Type = "Jop"', "wordUnknown", 1, 26],
    ['Executable = "a"; JobType = "Mpi"', "wordUnknown", 1, 29],
    ['Executable = "a"; JobType = "MPICH"', "wordMissing", 1, 29],
    ['Executable = "a"; WallTime = "01:30"', "wrongType", 1, 30],
    ['Executable = "a" "b', "unterminatedString", 1, 18],
    ["", "descriptionEmpty", 1, 1],
  ])("FO-140 refused with its place: %s", (text, code, line, column) => {
    expect(read(text).problems).toMatchObject([{ code, line, column }]);
  });

  it("FO-140 attributes that differ in case only are an error", () => {
    expect(read('Executable = "a";\nexecutable = "b";').problems).toMatchObject([
      { code: "duplicateAttribute", line: 2, column: 1 },
    ]);
  });

  it("FO-140 an input file that cannot be read is an error at its place in the list", () => {
    const missing = read('Executable = "a";\nInputSandbox = { "b",\n  "c" };', {
      fileState: (path) => (path === "/here/c" ? "missing" : "readable"),
    });
    expect(missing.problems).toMatchObject([{ code: "sandboxFile", line: 3, column: 3 }]);
  });

  it.each(["[", "{", "(", "!", "a = [ "])("FO-140 many of %j are one problem in bounded time", (mark) => {
    expect(read(mark.repeat(200_000 / mark.length)).problems).toHaveLength(1);
    expect(read(`Executable = ${mark.repeat(190_000 / mark.length)}`).problems).toHaveLength(1);
  });

  it("FO-140 remedies are in JDL", () => {
    const [problem] = read('Executable = "bin/run.sh"').problems;
    expect(problem?.remedy).toContain('InputSandbox = "bin/run.sh"');
    expect(problem?.remedy).toContain('Executable = "run.sh"');
  });

  it("FO-140 Partitionable is a DAG with steps", () => {
    const text = `JobType = "Partitionable"; Executable = "a"; JobSteps = { "x", "y z" };
      StepWeight = { 1, 2 };
      CurrentStep = 1; MaxParts = 4; retry = 2; VirtualOrganisation = "cms";
      PreJob = [ Executable = "b" ]; PostJob = [ Executable = "c" ];`;
    const { jobs, problems, dag, whole } = read(text);
    expect(problems).toEqual([]);
    expect(whole).toBe("a partitionable job of 1 step");
    expect(jobs.map(({ description }) => description.executable)).toEqual(["b", "a", "c"]);
    expect(jobs.map(({ description }) => description.virtualOrganisation)).toEqual(["cms", "cms", "cms"]);
    const steps = { count: 2, names: ["x", "y z"], weights: [1, 2], currentStep: 1, maxParts: 4 };
    expect(dag?.nodes).toEqual([
      { name: "pre", parents: [] },
      { name: "part", parents: ["pre"], retries: 2, steps },
      { name: "post", parents: ["part"] },
    ]);
  });

  it.each([
    ["", "JobSteps is missing"],
    ["JobSteps = 0", "JobSteps cannot be read"],
    ["JobSteps = { 1 }", "JobSteps cannot be read"],
    ["JobSteps = 2; StepWeight = { 1 }", "StepWeight does not match JobSteps"],
    ["JobSteps = 2; StepWeight = { 1, 0 }", "StepWeight does not match JobSteps"],
    ["JobSteps = 2; CurrentStep = 2", "CurrentStep is not one of the steps"],
    ["JobSteps = 2; CurrentStep = -1", "CurrentStep is not one of the steps"],
    ["JobSteps = 2; MaxParts = 0", "MaxParts is not a number of parts"],
    ["JobSteps = 2; PreJob = 3", "PreJob is not a job"],
  ])("FO-140 a partitionable job with %s is refused", (text, what) => {
    const { problems } = read(`Executable = "a"; JobType = "Partitionable"; ${text}`);
    expect(problems.map((problem) => problem.what)).toEqual([what]);
  });

  it.each(["Multiple"])("FO-140 %s is refused by its name", (name) => {
    const text = `Executable = "a"; JobType = "${name}"`;
    expect(read(text).problems).toMatchObject([
      { code: "jobTypeNotRun", what: `${name} jobs are not run yet` },
    ]);
  });

  it("FO-140 Checkpointable is a job that saves states", () => {
    const { jobs, problems } = read('Executable = "a"; JobType = "Checkpointable"; CheckpointExitCode = 85');
    expect(problems).toEqual([]);
    expect(jobs[0]?.description).toMatchObject({ checkpointable: true, checkpointExitCode: 85 });
  });

  it("FO-140 unknown attributes are kept, with a warning", () => {
    const { jobs, warnings } = read('Executable = "a";\n  Colour = other.Red && 3 > 2;\nCpuNumbr = 4');
    const [job] = jobs;
    expect(job?.description.attributes).toMatchObject({
      Colour: "other.Red && 3 > 2",
      CpuNumbr: "4",
    });
    expect(warnings).toMatchObject([
      { code: "attributeUnknown", line: 2, column: 3 },
      { code: "attributeUnknown", line: 3, column: 1, remedy: "did you mean CpuNumber?" },
    ]);
  });

  it("FO-140 attributes without effect are kept, and told with the reason", () => {
    const { jobs, warnings, translations } = read(
      'Executable = "a"; AllowZippedISB = true; ListenerPort = 9',
    );
    expect(jobs[0]?.description.attributes).toEqual({ AllowZippedISB: "true", ListenerPort: "9" });
    expect(warnings).toEqual([]);
    const why = "no inbound port is used";
    expect(translations.at(-1)).toMatchObject({ written: "ListenerPort = 9", verdict: "noEffect", why });
  });

  it("FO-140 what an attribute becomes has its unit", () => {
    const { translations } = read('Executable = "a"; QueueTime = 7200; RetryMemory = "2G"');
    expect(translations.map(({ becomes }) => becomes).slice(1)).toEqual(["queueTime: 2h", "retryMemory: 2G"]);
  });

  it("FO-140 MPICH says that the program is started once", () => {
    const warned = (program: string) =>
      read(`Executable = "${program}"; JobType = "MPICH"; CpuNumber = 4`).warnings.map(({ code }) => code);
    expect(warned("a.out")).toEqual(["mpiNotStarted"]);
    expect(warned("mpirun")).toEqual([]);
  });
});

describe("parametric jobs", () => {
  const names = (text: string) =>
    read(`JobType = "Parametric"; Executable = "a"; Arguments = "in_PARAM_.txt"; ${text}`).jobs.map(
      ({ description }) => description.arguments[0],
    );

  it.each([
    ["Parameters = 3", ["in0.txt", "in1.txt", "in2.txt"]],
    ["Parameters = 6; ParameterStart = 0; ParameterStep = 2", ["in0.txt", "in2.txt", "in4.txt"]],
    ["Parameters = 10; ParameterStart = 8", ["in8.txt", "in9.txt"]],
    ["Parameters = 0; ParameterStart = 2; ParameterStep = -1", ["in2.txt", "in1.txt"]],
    ['Parameters = { "x", 7 }', ["inx.txt", "in7.txt"]],
  ])("FO-141 %s", (text, jobs) => {
    expect(names(text)).toEqual(jobs);
  });

  it("FO-141 the parameter stands in every text, that of requirements too", () => {
    const { jobs, whole } = read(
      'JobType = "Parametric"; Parameters = 2; Executable = "a"; StdOutput = "o_PARAM_"; ' +
        'Requirements = other.Name == "n_PARAM_"; InputSandbox = { "i_PARAM_" }',
    );
    expect(whole).toBe("a parametric job of 2 jobs");
    expect(jobs[1]?.description).toMatchObject({ stdOutput: "o1", inputSandbox: ["/here/i1"] });
    expect(JSON.stringify(jobs[1])).toContain("n1");
  });

  it.each([
    ["", "wordMissing"],
    ["Parameters = 0", "badParameters"],
    ["Parameters = 2; ParameterStep = 0", "badParameters"],
    ["Parameters = {}", "badParameters"],
    ["Parameters = 10001", "tooManyJobs"],
    ["Parameters = 9000000000000000", "tooManyJobs"],
  ])("FO-141 refused: %s", (text, code) => {
    expect(codes(`JobType = "Parametric"; Executable = "a"; ${text}`)).toEqual([code]);
  });
});

describe("collections and DAGs", () => {
  it("FO-142 nodes of a collection are jobs, and inherit what they do not set", () => {
    const { jobs, problems, whole } = read(`[ Type = "Collection"; WallTime = 60; InputSandbox = "a.txt";
      Nodes = {
        [ Executable = "x" ],
        [ NodeName = "second"; Executable = "y"; WallTime = 120; InputSandbox = {} ]
      }; ]`);
    expect(problems).toEqual([]);
    expect(whole).toBe("a collection of 2 nodes");
    expect(jobs).toMatchObject([
      { node: "node1", line: 3, description: { executable: "x", wallTimeMs: 60_000 } },
      { node: "second", line: 4, description: { executable: "y", wallTimeMs: 120_000, inputSandbox: [] } },
    ]);
    expect(jobs[0]?.description.inputSandbox).toEqual(["/here/a.txt"]);
  });

  it("FO-142 a DAG is its nodes, with what each follows and how often it is run again", () => {
    const { jobs, problems, whole, dag } =
      read(`[ Type = "DAG"; VirtualOrganisation = "vo"; Max_Nodes_Running = 2;
      Nodes = [
        a = [ description = [ Executable = "x" ]; retry = 2 ];
        b = [ description = [ Executable = "y" ] ];
        c = [ description = [ Executable = "z" ] ];
      ];
      Dependencies = { { a, b }, { { a, b }, c } }; ]`);
    expect(problems).toEqual([]);
    expect(dag).toEqual({
      nodes: [
        { name: "a", parents: [], retries: 2 },
        { name: "b", parents: ["a"] },
        { name: "c", parents: ["a", "b"] },
      ],
      maxRunning: 2,
    });
    expect(whole).toBe("a DAG of 3 nodes and 3 dependencies");
    expect(jobs.map(({ node }) => node)).toEqual(["a", "b", "c"]);
  });

  it.each([
    ["{ { a, d } }", "nodeUnknown", 3],
    ["{ { a, b },\n { b, a } }", "cycle", 4],
    ["{ { a, a } }", "cycle", 3],
    ["{ a, b }", "badDependency", 3],
    ["{ { a, b, a } }", "badDependency", 3],
    ["4", "badDependency", 3],
  ])("FO-142 dependencies %j are refused at their place", (dependencies, code, line) => {
    const { problems } = read(`Type = "DAG"; VirtualOrganisation = "vo";
      Nodes = [ a = [ description = [ Executable = "x" ] ]; b = [ description = [ Executable = "y" ] ] ];
Dependencies = ${dependencies};`);
    expect(problems).toContainEqual(expect.objectContaining({ code, line }));
  });

  it("FO-142 what a DAG must have", () => {
    expect(codes('Type = "DAG"; Executable = "a"')).toEqual(["wordMissing", "wordMissing"]);
    expect(codes('JobType = "DAG"; VirtualOrganisation = "v"; Nodes = [ a = [ description = 4 ] ]')).toEqual(
      expect.arrayContaining(["wrongType", "wordMissing"]),
    );
  });

  it("FO-142 a node in a file begins at the folder of the DAG; its problems have their places there", () => {
    const files = new Map([
      ["/here/foo.jdl", 'Executable = "x";'],
      ["/here/bad.jdl", 'Executable = "x";\nCpuNumber = "n";'],
    ]);
    const readText: JobSurroundings["readText"] = (path) => ({ ok: true, value: files.get(path) ?? "" });
    const text = (file: string) => `Type = "Collection"; Nodes = [ a = [ file = "${file}" ] ]`;
    expect(read(text("foo.jdl"), { readText }).jobs).toMatchObject([{ description: { executable: "x" } }]);
    const [problem] = read(text("bad.jdl"), { readText }).problems;
    expect(problem?.what).toContain("bad.jdl:2:13: CpuNumber cannot be");
    expect(read(text("foo.jdl")).problems).toMatchObject([{ code: "nodeFile" }]);
  });
});
