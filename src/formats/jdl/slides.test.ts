/** The descriptions of the slides of [WMS], with the quotes and brackets that their transcript has lost. */
import { describe, expect, it } from "vitest";
import type { JobSurroundings } from "../job-reading/index.ts";
import { readJobJdl } from "./read.ts";

const files = new Map([
  ["/data/mydir/test/gridTest", ""],
  ["/data/vardizzo/myfile.txt", ""],
  ["/dag/foo.jdl", 'Executable = "foo";'],
  ["/data/vardizzo/test.jdl", 'Executable = "test";'],
]);
const surroundings: JobSurroundings = {
  folder: "/dag",
  fileState: (path) => (files.has(path) ? "readable" : "missing"),
  readText: (path) => ({ ok: true, value: files.get(path) ?? "" }),
};
const read = (text: string) => readJobJdl(text, surroundings);
const verdicts = (text: string) =>
  Object.fromEntries(read(text).translations.map(({ written, verdict }) => [written.split(" ")[0], verdict]));

const SLIDE_68 = `JobType="Normal";
Executable = "gridTest";
StdError = "stderr.log";
StdOutput = "stdout.log";
InputSandbox = {"/data/mydir/test/gridTest"};
OutputSandbox = {"stderr.log", "stdout.log"};
InputData = {"lfn:/glite/myvo/mylfn"};
DataAccessProtocol = "gridftp";
Requirements = other.GlueHostOperatingSystemNameOpSys == "LINUX" && other.GlueCEStateFreeCPUs >= 4;
Rank = other.GlueCEPolicyMaxCPUTime;
`;

const SLIDE_79 = `Type = "DAG";
VirtualOrganisation = "yourVO";
Max_Nodes_Running = 10;
MyProxyServer = "myproxy.example.org";
Requirements = other.GlueCEStateStatus == "Production";
Rank = -other.GlueCEStateEstimatedResponseTime;
InputSandbox = {"/data/vardizzo/myfile.txt"};
OutSandbox = {"out.txt"};
`;

const SLIDE_80 = `Nodes = [
  nodefilename1 = [ file = "foo.jdl"; ];
  nodefilename2 = [ file = "/data/vardizzo/test.jdl"; retry = 2; ];
  nodefilename3 = [
    description = [ JobType = "Normal"; Executable = "abc.exe"; Arguments = "1 2 3";
      OutputSandbox = {}; InputSandbox = {}; ];
    retry = 2;
  ];
  nodefilename4 = [ description = [ Executable = "last" ] ];
  dependencies = DEPENDENCIES;
];
`;
const dag = (dependencies: string) => SLIDE_79 + SLIDE_80.replace("DEPENDENCIES", dependencies);

describe("the slides", () => {
  it("FO-140 slide 68: a job with data, requirements and a rank", () => {
    const { jobs, problems } = read(SLIDE_68);
    expect(problems).toEqual([]);
    expect(jobs).toMatchObject([
      {
        line: 1,
        description: {
          executable: "gridTest",
          ...{ stdOutput: "stdout.log", stdError: "stderr.log", procs: 1 },
          inputSandbox: ["/data/mydir/test/gridTest"],
          outputSandbox: ["stderr.log", "stdout.log"],
        },
      },
    ]);
    const kept = JSON.stringify(jobs[0]);
    expect(kept).toContain("other.GlueHostOperatingSystemNameOpSys");
    expect(kept).toContain("other.GlueCEPolicyMaxCPUTime");
    expect(verdicts(SLIDE_68)).toMatchObject({
      ...{ JobType: "translated", Executable: "translated", OutputSandbox: "translated" },
      ...{ InputData: "translated", DataAccessProtocol: "translated" },
    });
  });

  it("FO-142 slides 79 to 81: a DAG with nodes in files and here", () => {
    const { jobs, problems, whole } = read(dag("{ { nodefilename1, nodefilename2 } }"));
    expect(problems).toEqual([]);
    expect(whole).toBe("a DAG of 4 nodes and 1 dependency");
    expect(jobs.map(({ description }) => description.executable)).toEqual(["foo", "test", "abc.exe", "last"]);
    expect(jobs[2]?.description).toMatchObject({ arguments: ["1", "2", "3"], inputSandbox: [] });
    expect(jobs[3]?.description).toMatchObject({
      inputSandbox: ["/data/vardizzo/myfile.txt"],
      ...{ outputSandbox: ["out.txt"], virtualOrganisation: "yourVO" },
    });
  });

  it.each([
    ["{ { { nodefilename1, nodefilename2 }, nodefilename3 } }", 2],
    ["{ { { nodefilename1, nodefilename2 }, { nodefilename3, nodefilename4 } } }", 4],
    ["{ { nodefilename1, { nodefilename2, nodefilename3 } }, { nodefilename2, nodefilename4 } }", 3],
    ["{}", 0],
  ])("FO-142 slide 81: the dependencies %s are %d", (dependencies, count) => {
    const { problems, whole } = read(dag(dependencies));
    expect(problems).toEqual([]);
    expect(whole).toBe(`a DAG of 4 nodes and ${count} dependencies`);
  });

  it("FO-142 slide 82: a node adds to the sandbox of the DAG by root.InputSandbox", () => {
    const { jobs, problems } = read(`[ Type = "DAG"; VirtualOrganisation = "yourVO";
      InputSandbox = {"/data/mydir/test/gridTest"};
      Nodes = [ NodeA = [ description = [ JobType = "Normal"; Executable = "abc.exe";
        OutputSandbox = {"myout.txt"};
        InputSandbox = {"/data/vardizzo/myfile.txt", root.InputSandbox}; ] ] ];
      Dependencies = {}; ]`);
    expect(problems).toEqual([]);
    expect(jobs[0]?.description.inputSandbox).toEqual([
      "/data/vardizzo/myfile.txt",
      "/data/mydir/test/gridTest",
    ]);
  });

  it("FO-140 slide 85: an interactive job has a terminal", () => {
    const text = `Type = "job"; JobType = "interactive"; Executable = "sh"; Argument = "-i";
      ListenerPort = 44000; OutputSandbox = {"a"}; Requirements = true; Rank = 1;`;
    const { jobs, problems } = read(text);
    expect(problems).toEqual([]);
    expect(jobs).toMatchObject([{ description: { executable: "sh", arguments: ["-i"], interactive: true } }]);
    expect(verdicts(text)).toMatchObject({ ListenerPort: "noEffect", Argument: "translated" });
  });
});
