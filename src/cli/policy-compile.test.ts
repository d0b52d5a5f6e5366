import { describe, expect, it } from "vitest";
import { capturedProgram } from "../../test/captured-program.ts";
import type { CompiledPoliciesView } from "../api/client/index.ts";

const change = (account: string): CompiledPoliciesView["changes"][number] => ({
  ...{ account, consumer: account, kind: "modify" },
  settings: [{ name: "fairshare", before: "1", after: "200" }],
  command: ["sacctmgr", "-i", "modify", "account", "where", `name=${account}`, "set", "fairshare=200"],
  undo: ["sacctmgr", "-i", "modify", "account", "where", `name=${account}`, "set", "fairshare=1"],
});

function program(changes: CompiledPoliciesView["changes"], remarks: readonly string[] = []) {
  const compiledPolicies = async (site: string): Promise<CompiledPoliciesView> => ({
    site,
    changes,
    remarks,
  });
  return capturedProgram({ compiledPolicies });
}

describe("CL-80 stint policy compile", () => {
  it("shows what differs, and says on stderr what has no word there", async () => {
    const { call } = program([change("cms")], ["the cap of cms has no word there"]);
    const { code, out, err } = await call("policy", "compile", "west");
    expect(code).toBe(0);
    expect(out).toMatch(/cms +cms +modify +fairshare=200 \(was 1\)/);
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
    expect(JSON.parse(out)).toEqual({ site: "west", changes: [], remarks: [] });
  });
});
