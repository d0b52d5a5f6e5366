import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { aJob, aSite, capturedProgram } from "../../test/captured-program.ts";
import type { TokenView } from "../api/client/index.ts";

const token: TokenView = {
  id: "t1",
  state: "valid",
  role: "user",
  consumer: "cms/ann",
  site: null,
  scopes: ["compute.read"],
  label: 'Ann, "the first"',
  createdBy: "root",
  createdAt: "2026-05-01T00:00:00.000Z",
  expiresAt: "2026-06-01T00:00:00.000Z",
  revokedAt: null,
};
const job = aJob({ id: "7f3a", arguments: ["a: b", "- c"], siteJob: "4711" });
const program = capturedProgram({
  job: async () => job,
  jobs: async () => ({ items: [job], next: null }),
  sites: async () => [aSite()],
  tokens: async () => [token],
});
const empty = capturedProgram({
  jobs: async () => ({ items: [], next: null }),
  sites: async () => [],
  tokens: async () => [],
});

describe("every list", () => {
  const commands = ["status", "list", "site list", "token list"];

  it.each(commands)("CL-16 has all forms: stint %s", async (command) => {
    const write = async (form: string) => (await program.call(...command.split(" "), "-o", form)).out;
    const json = JSON.parse(await write("json"));
    expect(json.items).toHaveLength(1);
    expect(parse(await write("yaml"))).toEqual(json);
    const [head = "", ...records] = (await write("csv")).trim().split("\r\n");
    expect(records).toHaveLength(1);
    const fields = new Set([...Object.keys(json.items[0]), ...Object.keys(json.items[0].spec ?? {})]);
    fields.delete("spec");
    expect(new Set(head.split(","))).toEqual(fields);
    const [item] = json.items;
    expect(await write("name")).toBe(`${item.id ?? item.name}\n`);
    const [table, wide] = [await write("table"), await write("wide")];
    expect(wide.split("\n")[0]?.length).toBeGreaterThan(table.split("\n")[0]?.length ?? 0);
  });

  it.each(commands)(
    "CL-16 with nothing in it: people are told, programs see it: stint %s",
    async (command) => {
      const call = (form: string) => empty.call(...command.split(" "), "-o", form);
      for (const form of ["table", "wide"]) {
        expect(await call(form)).toMatchObject({
          code: 0,
          out: "",
          err: expect.stringMatching(/^stint: .+\n$/),
        });
      }
      expect(await call("csv")).toMatchObject({ out: expect.stringMatching(/^[A-Za-z,]+\r\n$/), err: "" });
      expect(await call("name")).toMatchObject({ out: "", err: "" });
      expect(parse((await call("yaml")).out)).toEqual({ items: [], next: null });
    },
  );

  it("CL-9 CL-16 one job is one object in every form", async () => {
    expect(parse((await program.call("status", "7f3a", "-o", "yaml")).out)).toEqual(job);
    expect((await program.call("status", "7f3a", "-o", "name")).out).toBe("7f3a\n");
    expect((await program.call("status", "7f3a")).out).toMatch(/^site's id {3}4711$/m);
  });

  it("CL-10 CL-16 the wide form is not cut on a narrow terminal", async () => {
    const narrow = capturedProgram({ jobs: async () => ({ items: [job], next: null }) }, { columns: 40 });
    const [table, wide] = await Promise.all([
      narrow.call("list").then(({ out }) => out),
      capturedProgram({ jobs: async () => ({ items: [job], next: null }) }, { columns: 40 })
        .call("list", "-o", "wide")
        .then(({ out }) => out),
    ]);
    for (const line of table.split("\n")) expect(line.length).toBeLessThanOrEqual(40);
    expect(wide).toContain("4711");
    expect(wide).toContain("./a.out 'a: b' '- c'");
  });

  it("CL-16 CSV quotes as RFC 4180 says", async () => {
    const [, line] = (await program.call("token", "list", "-o", "csv")).out.split("\r\n");
    expect(line).toContain(',"[""compute.read""]","Ann, ""the first""",root,');
  });
});

describe("what a terminal would obey", () => {
  it("is written in no form as it is, and JSON and YAML still say the same", async () => {
    const hostile = "a\u001b[31mb\u009b2Jc\u202ed\u007f";
    const odd = capturedProgram({
      jobs: async () => ({ items: [aJob({ id: "7f3a", arguments: [hostile] })], next: null }),
    });
    const written: Record<string, string> = {};
    for (const form of ["table", "wide", "json", "yaml", "csv", "name"]) {
      written[form] = (await odd.call("list", "-o", form)).out;
      expect(written[form]).not.toMatch(/[^\P{C}\r\n]/u);
    }
    expect(JSON.parse(written.json).items[0].arguments).toEqual([hostile]);
    expect(parse(written.yaml).items[0].arguments).toEqual([hostile]);
    expect(written.csv).toContain("\\x9b2Jc\\u202ed\\x7f");
  });
});
