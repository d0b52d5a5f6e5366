import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../test/stint.ts";
import type { SubmitOrder } from "../../runtime/index.ts";
import type { SentInputs } from "./attempt-book.ts";
import { openRecordFolder } from "./record-folder.ts";
import { commandRunner } from "./run-command.ts";
import {
  dropShared,
  inTurnByArray,
  ownInputs,
  sendShared,
  sharedInputs,
  sharedPlace,
} from "./shared-inputs.ts";
import { AttemptFiles } from "./site-files.ts";
import { arrayScript } from "./wrapper-script.ts";

async function scene() {
  const directory = temporaryFolder();
  const records = temporaryFolder();
  const here = commandRunner({ sshHost: null, slurmConf: null, socketDirectory: directory });
  let sent = 0;
  let breaks = false;
  const files = new AttemptFiles((request) => {
    if (request.input !== undefined) {
      if (breaks) return Promise.reject(new Error("the broker was killed"));
      sent++;
    }
    return here(request);
  }, directory);
  const open = async () => ({ book: await openRecordFolder<SentInputs>(records), inTurn: inTurnByArray() });
  const file = (name: string, content = name) => {
    const source = join(directory, `source-${name.replaceAll("/", "-")}`);
    writeFileSync(source, content, { mode: name.endsWith(".sh") ? 0o700 : 0o600 });
    return { name, source, sharedBy: "a" };
  };
  const whileBroken = async (deed: () => Promise<unknown>) => {
    breaks = true;
    await deed().catch(() => undefined);
    breaks = false;
  };
  return { files, open, file, sent: () => sent, whileBroken, directory };
}

/** An element as Slurm would run it. */
function run(files: AttemptFiles, inputFiles: SubmitOrder["inputFiles"], command: readonly string[]) {
  const token = "a-4/1";
  const order: SubmitOrder = {
    ...{ token, name: "n", reservation: null, command, environment: {}, inputFiles },
    ...{ limitMs: 60_000, procs: 1, memoryBytes: 0, stdOutput: "out", stdError: "err" },
  };
  const place = files.placeOf(token);
  const shared = sharedInputs(inputFiles, (name) => files.placeOf(name));
  const script = arrayScript([{ task: 4, order, directory: place, graceMs: 100, shared }]);
  mkdirSync(place, { recursive: true });
  const env = { PATH: process.env.PATH, SLURM_ARRAY_JOB_ID: "9", SLURM_ARRAY_TASK_ID: "4" };
  try {
    execFileSync("bash", ["-s"], { input: script, env, stdio: ["pipe", "ignore", "ignore"] });
  } catch {
    // The report says how it ended.
  }
  return JSON.parse(readFileSync(join(place, "report.9_4"), "utf8"));
}

describe("SU-52 input files that elements of an array share", () => {
  it("are sent once, whichever elements come at once, and others when they are needed", async () => {
    const { files, open, file, sent } = await scene();
    const world = { files, ...(await open()) };
    const [one, two] = [file("one"), file("deep/two.sh")];
    await Promise.all([1, 2, 3].map(() => sendShared(world, [one])));
    expect(sent()).toBe(1);
    await sendShared(world, [one, two]);
    expect(sent()).toBe(2);
    const work = join(files.placeOf(sharedPlace("a")), "work");
    expect(readFileSync(join(work, "deep/two.sh"), "utf8")).toBe("deep/two.sh");
    expect(ownInputs([one, { name: "own", source: "/own" }])).toEqual([{ name: "own", source: "/own" }]);
  });

  it("are sent again after a broker that died while sending, and removed with the array", async () => {
    const { files, open, file, sent, whileBroken } = await scene();
    const first = { files, ...(await open()) };
    await whileBroken(() => sendShared(first, [file("one")]));
    expect(sent()).toBe(0);
    const next = { files, ...(await open()) };
    expect([...next.book.all()]).toEqual([{ token: "a", names: [] }]);
    await sendShared(next, [file("one")]);
    expect(sent()).toBe(1);
    const last = { files, ...(await open()) };
    await sendShared(last, [file("one")]);
    expect(sent()).toBe(1);
    await Promise.all([sendShared(last, [file("two")]), dropShared(last, "a")]);
    expect(existsSync(files.placeOf(sharedPlace("a")))).toBe(false);
    expect([...(await open()).book.all()]).toEqual([]);
  });

  it("are copied by each element: what one writes into them no other sees", async () => {
    const { files, open, file } = await scene();
    const inputs = [file("data"), file("deep/run.sh", "#!/bin/sh\ncat data; echo more >> data\n")];
    await sendShared({ files, ...(await open()) }, inputs);
    expect(run(files, inputs, ["deep/run.sh"])).toMatchObject({ cause: "ended", exitCode: 0 });
    const textOf = (...path: string[]) => readFileSync(join(...path), "utf8");
    expect(textOf(files.placeOf("a-4/1"), "work/out")).toBe("data");
    expect(textOf(files.placeOf("a-4/1"), "work/data")).toBe("datamore\n");
    expect(textOf(files.placeOf(sharedPlace("a")), "work/data")).toBe("data");
  });

  it("that are gone keep an element from beginning, and it says so", async () => {
    const { files, file } = await scene();
    expect(run(files, [file("data")], ["true"])).toMatchObject({ cause: "noInputs", exitCode: null });
    rmSync(files.placeOf("a-4/1"), { recursive: true });
  });
});
