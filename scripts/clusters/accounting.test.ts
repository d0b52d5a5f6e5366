import { describe, expect, it } from "vitest";
import { accountingCommands, readAccounting, testUsers } from "./accounting.ts";
import { shapeOf } from "./shape.ts";

const empty = readAccounting("root||normal\nroot|root|normal\n", "normal\n");

describe("what sacctmgr is told", () => {
  it("is accounts with shares on a plain cluster", () => {
    expect(accountingCommands(shapeOf({ name: "A" }), [], empty)).toEqual([
      "add account physics cluster=a fairshare=20",
      "add account biology cluster=a fairshare=80",
    ]);
  });

  it("is QOS with limits too on a rich one", () => {
    expect(accountingCommands(shapeOf({ name: "B" }), [], empty).slice(2)).toEqual([
      "add qos short Priority=100 MaxWall=10 MaxTRESPerUser=cpu=4",
      "add qos limited MaxJobsPerUser=2 MaxSubmitJobsPerUser=4",
      "modify account root set qos=normal,short,limited where cluster=b",
    ]);
  });

  it("is associations of the users that are there", () => {
    const [alice, , , operator] = testUsers;
    const users = [alice, operator].filter((user) => user !== undefined);
    expect(accountingCommands(shapeOf({ name: "A" }), users, empty).slice(2)).toEqual([
      "add user stint-alice account=physics defaultaccount=physics cluster=a",
      "add user stint-operator account=physics,biology defaultaccount=physics cluster=a adminlevel=Operator",
    ]);
  });

  it("is nothing when all is there, and only what is missing else", () => {
    const associations = [
      "root||limited,normal,short",
      "physics||x",
      "biology||x",
      "physics|stint-carol|x",
      "biology|stint-bob|x",
    ].join("\n");
    const there = readAccounting(associations, "normal\nshort\nlimited\n");
    const [, bob, carol] = testUsers;
    const users = [bob, carol].filter((user) => user !== undefined);
    expect(accountingCommands(shapeOf({ name: "B" }), users, there)).toEqual([
      "add user stint-carol account=biology defaultaccount=physics cluster=b",
    ]);
  });
});
