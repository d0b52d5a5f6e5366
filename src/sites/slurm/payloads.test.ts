import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../test/stint.ts";
import { lookAtPilots, orderPayload } from "./payloads.ts";
import { commandRunner } from "./run-command.ts";
import { AttemptFiles } from "./site-files.ts";

const directory = temporaryFolder();
const here = commandRunner({ sshHost: null, slurmConf: null, socketDirectory: directory });
const files = new AttemptFiles((request) => here({ ...request, timeoutMs: 2000 }), directory);

describe("looks at jobs in pilots", () => {
  it("EN-303 a job that puts pipes in the place of files does not keep others from being seen", async () => {
    for (const token of ["a/1", "b/1", "p/1"]) await files.write(token, "script", "");
    const made = 'mkdir claim; touch "$1/work/pid.a_1"; mkfifo program report.7.a_1 "$1/work/allocation"';
    execFileSync("sh", ["-c", made, "sh", files.placeOf("p/1")], { cwd: files.placeOf("a/1") });
    const pilot = { token: "p/1", siteJob: "7" };
    const payloads = ["a", "b"].map((id) => ({
      ...{ token: `${id}/1`, siteJob: `7.${id}_1`, pilot, isOrphan: false },
    }));
    const { payloads: seen } = await lookAtPilots(files, { pilots: [pilot], payloads });
    expect(seen.map(({ token, state }) => [token, state.kind])).toEqual([
      ["a/1", "running"],
      ["b/1", "waiting"],
    ]);
  });
});

describe("orders for jobs in pilots", () => {
  it("EN-301 a job counts as suspended until it is told to go on, and is told again if not", async () => {
    const done: string[] = [];
    let isReachable = false;
    const recorded = {
      placeOf: (token: string) => `/at/${token}`,
      addSignal: async (_: string, signal: string) => void done.push(signal),
      drop: async (_: string, name: string) => void done.push(`no ${name}`),
      add: async () => {
        if (!isReachable) throw new Error("cut off");
      },
    } as unknown as AttemptFiles;
    const attempt = { token: "a/1", siteJob: "7.a_1", pilot: { token: "p/1", siteJob: "7" } };
    await expect(orderPayload(recorded, "resume", attempt, 1)).rejects.toThrow("cut off");
    expect(done).toEqual(["SIGCONT"]);
    isReachable = true;
    await orderPayload(recorded, "resume", attempt, 2);
    expect(done).toEqual(["SIGCONT", "SIGCONT", "no suspended"]);
  });
});
