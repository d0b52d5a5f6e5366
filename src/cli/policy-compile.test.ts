import { describe, expect, it } from "vitest";
import { capturedProgram } from "../../test/captured-program.ts";
import type { CompiledPoliciesView } from "../api/client/index.ts";
import type { ShareStep } from "../model/index.ts";

const change = (name: string): CompiledPoliciesView["changes"][number] => ({
  ...{ entity: "account", name, consumer: name, kind: "modify" },
  settings: [{ name: "fairshare", before: "1", after: "200" }],
  command: ["sacctmgr", "-i", "modify", "account", "where", `name=${name}`, "set", "fairshare=200"],
  undo: ["sacctmgr", "-i", "modify", "account", "where", `name=${name}`, "set", "fairshare=1"],
});

function program(
  changes: CompiledPoliciesView["changes"],
  remarks: readonly string[] = [],
  configuration: CompiledPoliciesView["configuration"] = [],
) {
  const compiledPolicies = async (site: string): Promise<CompiledPoliciesView> => ({
    site,
    changes,
    configuration,
    remarks,
  });
  return capturedProgram({ compiledPolicies });
}

describe("stint policy compile", () => {
  it("shows what differs, and says on stderr what has no word there", async () => {
    const { call } = program([change("cms")], ["the cap of cms has no word there"]);
    const { code, out, err } = await call("policy", "compile", "west");
    expect(code).toBe(0);
    expect(out).toMatch(/modify account +cms +cms +fairshare=200 \(was 1\)/);
    expect(err).toBe("stint: the cap of cms has no word there\n");
  });

  it("prints the commands, and what takes them back, the last first", async () => {
    const { call } = program([change("cms"), change("atlas")]);
    const commands = await call("policy", "compile", "west", "-o", "commands");
    expect(commands.out.split("\n")[0]).toBe("sacctmgr -i modify account where name=cms set fairshare=200");
    const undo = await call("policy", "compile", "west", "-o", "undo");
    expect(undo.out.split("\n")[0]).toBe("sacctmgr -i modify account where name=atlas set fairshare=1");
  });

  it("says so where nothing differs; JSON is all of it", async () => {
    const { call } = program([]);
    expect((await call("policy", "compile", "west")).out).toMatch(/already/);
    const { out } = await call("policy", "compile", "west", "-o", "json");
    expect(JSON.parse(out)).toEqual({ site: "west", changes: [], configuration: [], remarks: [] });
  });

  it("shows lines of the configuration beside them, and prints no command for them", async () => {
    const line = { name: "PriorityCalcPeriod", before: "00:05:00", after: "00:01:00", why: "too seldom" };
    const { call } = program([], [], [line]);
    const { out } = await call("policy", "compile", "west");
    expect(out).toMatch(/configuration +slurm.conf +PriorityCalcPeriod=00:01:00 \(was 00:05:00\)/);
    expect((await call("policy", "compile", "west", "-o", "commands")).out).toBe("");
  });
});

const step = (name: string, result: ShareStep["result"], why: string | null = null): ShareStep => ({
  ...{ id: `ab/${name}`, change: change(name), result, why },
});

/** A broker that notes what is asked of the cluster's shares. */
function changing(steps: readonly ShareStep[], surroundings: Parameters<typeof capturedProgram>[1] = {}) {
  const asked: string[] = [];
  const client = {
    async compiledPolicies(site: string) {
      return { site, changes: [change("cms"), change("atlas")], configuration: [], remarks: [] };
    },
    async applyCompiledPolicies(site: string) {
      asked.push("apply");
      return { site, steps };
    },
    async takeBackCompiledPolicies(site: string, isForced: boolean) {
      asked.push(isForced ? "take back by force" : "take back");
      return { site, steps };
    },
  };
  return { asked, ...capturedProgram(client, surroundings) };
}

describe("stint policy compile --apply", () => {
  it("shows what would change, asks, and says what became of each change", async () => {
    const questions: string[] = [];
    const askPerson = async (question: string) => questions.push(question) > 0;
    const { call, asked } = changing([step("cms", "made"), step("atlas", "made")], { askPerson });
    const { code, out } = await call("policy", "compile", "west", "--apply");
    expect(code).toBe(0);
    expect(out).toMatch(/fairshare=200 \(was 1\).*made +modify account +cms.*made +modify account +atlas/s);
    expect(questions).toEqual(["Change the shares of west itself?"]);
    expect(asked).toEqual(["apply"]);
  });

  it("changes nothing without a yes, nor where nobody can be asked", async () => {
    const no = changing([], { askPerson: async () => false });
    expect((await no.call("policy", "compile", "west", "--apply")).err).toContain("nothing was changed");
    const nobody = changing([]);
    const { code, err } = await nobody.call("policy", "compile", "west", "--apply");
    expect(code).toBe(5);
    expect(err).toContain("--yes");
    expect([...no.asked, ...nobody.asked]).toEqual([]);
  });

  it("ends with 5 where one was not made, with how to go on", async () => {
    const steps = [step("cms", "made"), step("atlas", "failed", "Invalid account")];
    const { call } = changing(steps);
    const { code, out, err } = await call("policy", "compile", "west", "--apply", "--yes");
    expect(code).toBe(5);
    expect(out).toMatch(/failed +modify account +atlas +Invalid account/);
    expect(err).toMatch(/1 of 2 changes were made at west.*Invalid account.*--take-back/s);
  });

  it("is told as JSON, once", async () => {
    const { call } = changing([step("cms", "made")]);
    const { out } = await call("policy", "compile", "west", "--apply", "--yes", "-o", "json");
    expect(JSON.parse(out).steps).toHaveLength(1);
  });

  it("refuses options that mean nothing together", async () => {
    const { call, asked } = changing([]);
    for (const words of [["--yes"], ["--force"], ["--apply", "--take-back"], ["--apply", "-o", "undo"]]) {
      expect((await call("policy", "compile", "west", ...words)).code).toBe(2);
    }
    expect(asked).toEqual([]);
  });
});

describe("stint policy compile --take-back", () => {
  it("says what was taken back", async () => {
    const { call, asked } = changing([step("atlas", "takenBack"), step("cms", "already")]);
    const { code, out } = await call("policy", "compile", "west", "--take-back");
    expect(code).toBe(0);
    expect(out).toMatch(/taken back +modify account +atlas.*was not there +modify account +cms/s);
    expect(asked).toEqual(["take back"]);
    expect((await changing([]).call("policy", "compile", "west", "--take-back")).out).toContain(
      "nothing was to be",
    );
  });

  it("leaves what somebody else has changed, and ends with 5; --force takes it back, too", async () => {
    const { call, asked } = changing([
      step("cms", "left", "fairshare of cms is 42 there, and was set to 200"),
    ]);
    const { code, err } = await call("policy", "compile", "west", "--take-back");
    expect(code).toBe(5);
    expect(err).toMatch(/1 of 1 changes stay at west.*is 42 there.*--force/s);
    await call("policy", "compile", "west", "--take-back", "--force");
    expect(asked).toEqual(["take back", "take back by force"]);
  });
});
