import { execFileSync } from "node:child_process";
import { beforeAll, describe, expect, it } from "vitest";
import { aFault, aJob, aReservation, aSite, capturedProgram } from "../../test/captured-program.ts";
import { SHELLS, type Shell } from "./completion-scripts.ts";

const program = capturedProgram({}, { up: async () => async () => undefined });
const script = async (shell: Shell) => (await program.call("completion", shell)).out;

/** What bash offers for the last of these words. */
function offered(bash: string, words: readonly string[]): string[] {
  const drive = `${bash}
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
_stint
printf '%s\\n' "\${COMPREPLY[@]}"`;
  const out = execFileSync("bash", ["--norc", "-u", "-c", drive, "bash", ...words], { encoding: "utf8" });
  return out.split("\n").filter((line) => line !== "");
}

describe("completion in bash, really sourced", () => {
  let bash = "";
  beforeAll(async () => {
    bash = await script("bash");
  });

  it("offers all commands, and those that begin so", async () => {
    const all = offered(bash, ["stint", ""]);
    const help = (await program.call("--help")).out;
    const listed = [...help.matchAll(/^ {2}([a-z]+) (?:.*)? {2,}\S/gm)].map(([, word]) => word);
    expect(listed.length).toBeGreaterThan(10);
    expect(all).toEqual(expect.arrayContaining(listed));
    expect(offered(bash, ["stint", "sta"])).toEqual(["status"]);
    expect(offered(bash, ["stint", "site", ""]).toSorted()).toEqual([
      ...["add", "drain", "help", "list", "note", "remove", "show", "test", "who"],
    ]);
    expect(offered(bash, ["stint", "completion", ""]).toSorted()).toEqual(["bash", "fish", "zsh"]);
  });

  it("offers a command's own options, and their values", () => {
    expect(offered(bash, ["stint", "list", "--si"]).toSorted()).toEqual(["--since", "--site"]);
    expect(offered(bash, ["stint", "wait", "--id"])).toEqual(["--ids"]);
    expect(offered(bash, ["stint", "list", "--sort", "e"]).toSorted()).toEqual(["ended"]);
    expect(offered(bash, ["stint", "site", "add", "far", "--lose"])).toHaveLength(3);
    const forms = ["table", "wide", "json", "yaml", "csv", "name"];
    expect(offered(bash, ["stint", "list", "-o", ""])).toEqual(forms);
    expect(offered(bash, ["stint", "list", "--output", "=", "j"])).toEqual(["json"]);
    expect(offered(bash, ["stint", "list", "--output", "="])).toEqual(forms);
    expect(offered(bash, ["stint", "site", "add", "--jobs", ""])).toEqual(["run", "imitate"]);
  });

  it("knows states, disciplines and groups", () => {
    expect(offered(bash, ["stint", "list", "--state", "S"]).toSorted()).toEqual(["SCHEDULED", "SUSPENDED"]);
    expect(offered(bash, ["stint", "sim", "--discipline", ""])).toEqual(
      expect.arrayContaining(["easy", "fcfs", "conservative"]),
    );
    expect(offered(bash, ["stint", "reservations", "--state", "A"])).toEqual(["ACCEPTED", "ACTIVE"]);
    expect(offered(bash, ["stint", "reservation", ""]).toSorted()).toEqual([
      ...["cancel", "create", "extend", "help", "list", "quote", "release"],
    ]);
    expect(offered(bash, ["stint", "sim", "-o", ""])).toEqual(["table", "json", "csv"]);
  });

  it("leaves arguments, and what is another program's, to the shell", () => {
    expect(offered(bash, ["stint", "submit", "jo"])).toEqual([]);
    expect(offered(bash, ["stint", "run", "--", "list", "-"])).toEqual([]);
    expect(offered(bash, ["stint", "logs", "site", "a"])).toEqual([]);
  });

  it("a shell that sources it knows how to complete stint", () => {
    const words = `${bash}\ncomplete -p stint`;
    const out = execFileSync("bash", ["--norc", "-c", words], { encoding: "utf8" });
    expect(out.trim()).toBe("complete -o default -F _stint stint");
  });
});

describe("words that a running broker knows", () => {
  const broker = capturedProgram({
    jobs: async ({ state } = {}) => ({
      items: [aJob(), aJob({ id: "91bc", state: "HELD" })].filter(
        (job) => state?.includes(job.state) ?? true,
      ),
      next: null,
    }),
    sites: async () => [aSite(), aSite({ name: "far", state: "draining" })],
    reservations: async () => ({ items: [aReservation()], next: null }),
    tokens: async () => Promise.reject(aFault("notAllowed")),
  });

  it("are printed with what helps to choose, and help does not list the command", async () => {
    expect(await broker.call("__words", "jobs")).toEqual({
      code: 0,
      out: "7f3a0000\tRUNNING ./a.out x\n91bc\tHELD ./a.out x\n",
      err: "",
    });
    expect((await broker.call("__words", "sites")).out).toBe("here\topen\nfar\tdraining\n");
    expect((await broker.call("__words", "reservations")).out).toBe("ab12cd34\tACCEPTED here\n");
    expect((await broker.call("--help")).out).not.toContain("__words");
    expect(await script("bash")).not.toContain("' __words'");
  });

  it("are those jobs to which the command applies", async () => {
    expect(await script("bash")).toMatch(/' edit'.*waitingJobs/);
    expect((await broker.call("__words", "waitingJobs")).out).toBe("91bc\tHELD ./a.out x\n");
    expect((await broker.call("__words", "activeJobs")).out).toMatch(/^7f3a0000.*\n91bc/);
  });

  it("are none, silently, where the broker refuses, is away, or is silent", async () => {
    const nothing = { code: 0, out: "", err: "" };
    expect(await broker.call("__words", "tokens")).toEqual(nothing);
    const away = capturedProgram({}, { client: () => Promise.reject(aFault("unreachable")) });
    expect(await away.call("__words", "jobs")).toEqual(nothing);
    const silent = capturedProgram({ sites: () => new Promise(() => undefined) });
    expect(await silent.call("__words", "sites")).toEqual(nothing);
    expect(await broker.call("__words", "else")).toEqual(nothing);
  });

  it.each(SHELLS)("are asked for where ids and sites are expected: %s", async (shell) => {
    const text = await script(shell);
    const quote = shell === "fish" ? "\\'" : "'";
    const asks = (path: string, kind: string) =>
      text.split("\n").some((line) => line.includes(`${quote} ${path}${quote}`) && line.includes(kind));
    expect(asks("why", "jobs")).toBe(true);
    expect(asks("extend", "reservations")).toBe(true);
    expect(asks("site drain", "sites")).toBe(true);
    expect(asks("site add", "__words sites") || asks("site add", "of='sites'")).toBe(false);
  });
});

describe("completion in every shell", () => {
  it.each(SHELLS)("has every command and option: %s", async (shell) => {
    const text = await script(shell);
    for (const word of ["status", "site", "add", "drain", "resume", "simulated", "yaml"]) {
      expect(text).toContain(word);
    }
    expect(text).toContain(shell === "fish" ? "-l lose-vanished" : "--lose-vanished");
    expect(text).not.toContain("undefined");
  });

  it("quotes help texts with an apostrophe", async () => {
    expect(await script("zsh")).toContain(
      "'compile:translate policies to the settings of a cluster'\\''s batch system'",
    );
    expect(await script("fish")).toContain(
      "-d 'translate policies to the settings of a cluster\\'s batch system'",
    );
  });

  it("CL-4 another shell is answered with the nearest", async () => {
    const { code, err } = await program.call("completion", "bsh");
    expect(code).toBe(2);
    expect(err).toContain("did you mean completion bash?");
  });
});
