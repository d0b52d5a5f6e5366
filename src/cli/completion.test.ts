import { execFileSync } from "node:child_process";
import { beforeAll, describe, expect, it } from "vitest";
import { capturedProgram } from "../../test/captured-program.ts";
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
      ...["add", "drain", "help", "list", "note", "remove", "test"],
    ]);
    expect(offered(bash, ["stint", "completion", ""]).toSorted()).toEqual(["bash", "fish", "zsh"]);
  });

  it("offers a command's own options, and their values", () => {
    expect(offered(bash, ["stint", "list", "--s"]).toSorted()).toEqual(["--since", "--site", "--state"]);
    expect(offered(bash, ["stint", "site", "add", "far", "--lose"])).toHaveLength(3);
    const forms = ["table", "wide", "json", "yaml", "csv", "name"];
    expect(offered(bash, ["stint", "list", "-o", ""])).toEqual(forms);
    expect(offered(bash, ["stint", "list", "--output", "=", "j"])).toEqual(["json"]);
    expect(offered(bash, ["stint", "list", "--output", "="])).toEqual(forms);
    expect(offered(bash, ["stint", "site", "add", "--jobs", ""])).toEqual(["run", "imitate"]);
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
