import { describe, expect, it } from "vitest";
import { aSite, capturedProgram } from "../../test/captured-program.ts";
import type { SiteView } from "../api/client/index.ts";

const slurm: SiteView["spec"] = {
  ...{ type: "slurm", procs: 8, memoryBytes: 0, discipline: "easy", defaultWallTimeSec: 3600 },
  ...{ readOnly: true, sshHost: "login", slurmConf: null, account: null, partition: null, qos: null },
  ...{ submitDirectory: null, pollsPerMinute: 6 },
};

describe("stint site connect", () => {
  const asked: (readonly [string, string])[] = [];
  const programWith = (outcome: "open" | "opened" | "failed", spec = aSite().spec) =>
    capturedProgram(
      { site: async (name) => aSite({ name, spec }) },
      {
        connectSite: async () => async (site, host) => {
          asked.push([site, host]);
          return outcome;
        },
      },
    );

  it("opens the connection to the host of the site, or of one that is to come", async () => {
    expect((await programWith("opened", slurm).call("site", "connect", "west")).out).toBe(
      "west: connected\n",
    );
    const { out } = await programWith("open").call("site", "connect", "east", "--ssh-host", "me@there");
    expect(out).toBe("east: is connected already\n");
    expect(asked).toEqual([
      ["west", "login"],
      ["east", "me@there"],
    ]);
  });

  it("a site without a host, hosts and names that are none, and a failure are told", async () => {
    expect((await programWith("opened").call("site", "connect", "here")).err).toContain(
      "needs no connection",
    );
    for (const words of [
      ["west", "--ssh-host=-oProxyCommand=x"],
      ["../west", "--ssh-host", "login"],
    ]) {
      expect((await programWith("opened").call("site", "connect", ...words)).code).toBe(2);
    }
    const failed = await programWith("failed", slurm).call("site", "connect", "west");
    expect(failed).toMatchObject({ code: 69, err: expect.stringContaining("ssh to login failed") });
  });
});
