import { describe, expect, it, vi } from "vitest";
import {
  aFault,
  aJob,
  type CapturedProgram,
  capturedProgram,
  jobFiles,
} from "../../test/captured-program.ts";
import type { JobSubmission, JobView, StintClient } from "../api/client/index.ts";

const done: Partial<JobView> = { state: "DONE", result: "ok", exitCode: 0 };

/** A broker whose job ends like this, having written that. */
function brokerWith(end: Partial<JobView>, files: Readonly<Record<string, string>> = {}) {
  return {
    submit: vi.fn<StintClient["submit"]>(async () => ["7f3a"]),
    act: vi.fn<StintClient["act"]>(async () => undefined),
    watch: vi.fn<StintClient["watch"]>(async () => aJob({ id: "7f3a", ...end })),
    ...jobFiles(files),
  };
}

/** A broker whose job runs until it is cancelled. */
function brokerWithEndless() {
  let end: (job: JobView) => void = () => undefined;
  const watch: StintClient["watch"] = (_, __, signal) =>
    new Promise((resolve, reject) => {
      end = resolve;
      signal?.addEventListener("abort", () => reject(new Error("aborted")));
    });
  return {
    ...brokerWith({}),
    watch: vi.fn(watch),
    act: vi.fn(async () => end(aJob({ state: "CANCELLED" }))),
  };
}

async function submissionOf(words: string[], program: (client: StintClient) => CapturedProgram) {
  const broker = brokerWith(done);
  await program(broker as unknown as StintClient).call("run", ...words);
  const [[[submission]]] = broker.submit.mock.calls as unknown as [[JobSubmission[]]];
  return submission;
}

describe("what stint run submits", () => {
  const plain = (client: StintClient) => capturedProgram(client, { environment: { HOME: "/home", A: "1" } });

  it("CL-7 a command line, and nothing of the caller's environment", async () => {
    expect(await submissionOf(["--", "hostname", "-f"], plain)).toEqual({
      executable: "hostname",
      arguments: ["-f"],
    });
  });

  it("options become attributes; what follows the command is its own", async () => {
    const options = "-n 4 -t 1h30m --mem 4G --site here --tag p=snow --tag q= --env A --env B=2=2 --env C=";
    expect(await submissionOf([...options.split(" "), "bin/sim", "-n", "8", "--help", "--"], plain)).toEqual({
      executable: "/data/bin/sim",
      arguments: ["-n", "8", "--help", "--"],
      procs: 4,
      wallTimeSec: 5400,
      memoryBytes: 4 * 1024 ** 3,
      site: "here",
      userTags: { p: "snow", q: "" },
      environment: { A: "1", B: "2=2", C: "" },
    });
  });

  it.each([
    { word: "sim", executable: "sim" },
    { word: "./sim", executable: "/data/sim" },
    { word: "../bin/sim", executable: "/bin/sim" },
    { word: "/opt/sim", executable: "/opt/sim" },
  ])("$word is $executable", async ({ word, executable }) => {
    expect(await submissionOf([word], plain)).toMatchObject({ executable });
  });

  it("--requirements and --rank are read before anything is sent", async () => {
    const words = ["--requirements", "other.Gpus >= 1", "--rank", "-other.Gpus", "true"];
    expect(await submissionOf(words, plain)).toMatchObject({
      ...{ requirements: "other.Gpus >= 1", rank: "-other.Gpus" },
    });
    const broker = brokerWith(done);
    const wrong = await capturedProgram(broker).call("run", "--requirements", "a &&\n b ==", "--", "true");
    expect(wrong).toMatchObject({
      code: 125,
      err: expect.stringContaining("--requirements, line 2, column 6"),
    });
    expect(broker.submit).not.toHaveBeenCalled();
  });

  it("is one request per call: a random key goes along", async () => {
    const broker = brokerWith(done);
    await capturedProgram(broker).call("run", "true");
    await capturedProgram(broker).call("run", "true");
    const keys = broker.submit.mock.calls.map(([, options]) => options?.idempotencyKey);
    expect(new Set(keys).size).toBe(2);
    expect(keys[0]).toMatch(/^[\w-]{16,}$/);
  });

  it.each([
    { words: ["-t", "1 fortnight"], says: "-t" },
    { words: ["-t", "0"], says: "its length must not be zero" },
    { words: ["-n", "0"], says: "-n" },
    { words: ["--mem", "4 g"], says: "--mem" },
    { words: ["--mem", "0"], says: "it is zero" },
    { words: ["--tag", "=snow"], says: "--tag project=snow" },
    { words: ["--env", "NOT_SET"], says: "no variable of that name" },
    { words: ["--env", "1A=x"], says: "letters, digits and _" },
    { words: ["--nodes", "4"], says: "--nodes" },
  ])("CL-7 $words: 125, and nothing is sent", async ({ words, says }) => {
    const broker = brokerWith(done);
    const { code, out, err } = await capturedProgram(broker).call("run", ...words, "--", "true");
    expect({ code, out }).toEqual({ code: 125, out: "" });
    expect(err).toContain(says);
    expect(broker.submit).not.toHaveBeenCalled();
  });

  it.each([[[]], [[""]]])("CL-7 no command (%j): 125", async (words) => {
    expect(await capturedProgram(brokerWith(done)).call("run", ...words)).toMatchObject({
      code: 125,
      out: "",
    });
  });
});

describe("how stint run ends", () => {
  it("CL-7 with the program's output on its streams, nothing else, and its exit code", async () => {
    const broker = brokerWith(done, { stdout: "hello\n", stderr: "oops\n" });
    expect(await capturedProgram(broker).call("run", "--", "greet")).toEqual({
      code: 0,
      out: "hello\n",
      err: "oops\n",
    });
  });

  it.each([
    { end: { exitCode: 3 }, code: 3, says: "" },
    { end: { exitCode: 255 }, code: 255, says: "" },
    { end: { signal: "SIGKILL" }, code: 137, says: "SIGKILL" },
    { end: { signal: "SIGSEGV" }, code: 139, says: "SIGSEGV" },
    { end: { signal: "SIGTERM", timeLimit: true }, code: 143, says: "time limit" },
    { end: { exitCode: 0, timeLimit: true }, code: 143, says: "time limit" },
    { end: { signal: "SIGWHAT" }, code: 125, says: "SIGWHAT" },
    {
      end: { state: "ABORTED", result: null, reason: "no such program" },
      code: 125,
      says: "no such program",
    },
    { end: { state: "CANCELLED", result: null }, code: 125, says: "a user cancelled it" },
    {
      end: { state: "CANCELLED", result: null, reservation: "r1", reason: "its reservation r1 ended" },
      code: 125,
      says: "why: its reservation r1 ended",
    },
  ] as const)("CL-7 $end: $code", async ({ end, code, says }) => {
    const broker = brokerWith({ state: "DONE", result: "failed", ...end }, { stdout: "part\n" });
    const ended = await capturedProgram(broker).call("run", "--", "x");
    expect(ended).toMatchObject({ code, out: "part\n" });
    expect(ended.err).toContain(says);
    if (says === "") expect(ended.err).toBe("");
  });

  it.each(["badInput", "refused", "unreachable"] as const)("CL-7 submission %s: 125", async (kind) => {
    const submit = () => Promise.reject(aFault(kind));
    const { code, out, err } = await capturedProgram({ submit }).call("run", "--", "x");
    expect({ code, out }).toEqual({ code: 125, out: "" });
    expect(err).toMatch(/^stint: .+\n {2}why: .+\n {2}do: /);
  });

  it("CL-7 a server that stays away: 125, and says which job goes on", async () => {
    const watch = () => Promise.reject(aFault("unreachable"));
    const { code, err } = await capturedProgram({ ...brokerWith(done), watch }).call("run", "--", "x");
    expect(code).toBe(125);
    expect(err).toContain("stint status 7f3a");
  });

  it("CL-7 output that cannot be brought is never passed over: 125", async () => {
    async function* failing(): AsyncGenerator<Uint8Array> {
      yield new TextEncoder().encode("hel");
      throw aFault("failed", "the disk is broken");
    }
    const broker = { ...brokerWith(done), readFile: () => failing() };
    const { code, err } = await capturedProgram(broker).call("run", "--", "x");
    expect(code).toBe(125);
    expect(err).toContain("the disk is broken");
  });

  it("CL-7 a job that never ran has no files, and its reason is what is told", async () => {
    async function* missing(): AsyncGenerator<Uint8Array> {
      yield* [];
      throw aFault("notFound", "no such file");
    }
    const broker = { ...brokerWith({ state: "ABORTED", reason: "not found" }), readFile: () => missing() };
    const { code, err } = await capturedProgram(broker).call("run", "--", "x");
    expect(code).toBe(125);
    expect(err).toMatch(/could not be run\n {2}why: not found\n/);
    expect(err).not.toContain("no such file");
  });
});

describe("a job that waits", () => {
  it("is told of on stderr after two seconds, and when it runs; one that starts at once is not", async () => {
    vi.useFakeTimers();
    try {
      const broker = brokerWith({});
      broker.watch.mockImplementation(async (_, onChange) => {
        onChange(aJob({ state: "SCHEDULED" }));
        await new Promise((resolve) => setTimeout(resolve, 3000));
        for (const state of ["HELD", "SCHEDULED", "RUNNING", "SUSPENDED"] as const) onChange(aJob({ state }));
        return aJob(done);
      });
      const called = capturedProgram(broker).call("run", "--", "x");
      await vi.runAllTimersAsync();
      const { err } = await called;
      expect(err.split("\n")).toEqual([
        expect.stringContaining("waits; stint why 7f3a"),
        expect.stringContaining("stint release 7f3a"),
        expect.stringContaining("runs at here"),
        expect.stringContaining("stint resume 7f3a"),
        "",
      ]);
    } finally {
      vi.useRealTimers();
    }
  });
});

describe("Ctrl-C", () => {
  const started = (watch: unknown) => vi.waitFor(() => expect(watch).toHaveBeenCalled(), 100_000);

  it.each(["interrupt", "terminate"] as const)(
    "CL-8 %s cancels and waits for the end: 125",
    async (request) => {
      const broker = brokerWithEndless();
      const program = capturedProgram(broker);
      const called = program.call("run", "--", "sleep", "1000");
      await started(broker.watch);
      program.request(request);
      expect(await called).toMatchObject({ code: 125, out: "" });
      expect(broker.act.mock.calls).toEqual([["7f3a", "cancel"]]);
      expect(program.soFar().err).toContain("cancelling job 7f3a");
    },
  );

  it("CL-8 a job that ends by itself before the cancel arrives keeps its exit code", async () => {
    const broker = brokerWith({ state: "DONE", result: "failed", exitCode: 4 });
    const act = vi.fn(() => Promise.reject(aFault("refused", "it has ended")));
    const program = capturedProgram({
      ...broker,
      act,
      watch: async () => {
        program.request("interrupt");
        return broker.watch("7f3a", () => undefined);
      },
    });
    const { code, err } = await program.call("run", "--", "x");
    expect(code).toBe(4);
    expect(act).toHaveBeenCalledOnce();
    expect(err).not.toContain("it has ended");
  });

  it("CL-8 a second one gives up: 130, and says that the job may still run", async () => {
    const broker = { ...brokerWithEndless(), act: vi.fn(async () => undefined) };
    const program = capturedProgram(broker);
    const called = program.call("run", "--", "sleep", "1000");
    await started(broker.watch);
    program.request("interrupt");
    program.request("interrupt");
    const { code, err } = await called;
    expect(code).toBe(130);
    expect(err).toContain("stint status 7f3a");
  });

  it("CL-8 before the job has an id it is cancelled as soon as it has one", async () => {
    const broker = brokerWithEndless();
    const program = capturedProgram({
      ...broker,
      submit: async () => {
        program.request("interrupt");
        return ["7f3a"];
      },
      watch: async () => aJob({ state: "CANCELLED" }),
    });
    expect(await program.call("run", "--", "x")).toMatchObject({ code: 125 });
    expect(broker.act).toHaveBeenCalledWith("7f3a", "cancel");
  });

  it("CL-8 a second one while the server does not answer the submission gives up as well", async () => {
    const program = capturedProgram({ submit: () => new Promise(() => undefined) });
    const called = program.call("run", "--", "x");
    await vi.waitFor(() => {
      program.request("interrupt");
      expect(program.soFar().err).toContain("cancelling");
    }, 100_000);
    program.request("interrupt");
    expect(await called).toMatchObject({ code: 130, err: expect.stringContaining("stint list") });
  });

  it("CL-8 nobody reads stdout any more: the job is cancelled, quietly, exit 141", async () => {
    const broker = brokerWithEndless();
    const program = capturedProgram(broker);
    const called = program.call("run", "--", "yes");
    await started(broker.watch);
    program.request("readerGone");
    program.request("readerGone");
    expect(await called).toEqual({ code: 141, out: "", err: "" });
    expect(broker.act).toHaveBeenCalledOnce();
  });
});
