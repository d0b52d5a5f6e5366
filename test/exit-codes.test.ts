/** The page about exit codes says what the program does. */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { ProblemFault } from "../src/api/client/server-fault.ts";
import type { FaultKind } from "../src/base/index.ts";
import { EXIT_CODES, RUN_FAILED } from "../src/cli/report-fault.ts";
import { aFault, capturedProgram } from "./captured-program.ts";
import { stint, temporaryFolder } from "./stint.ts";

const page = readFileSync(resolve(import.meta.dirname, "../docs/reference/exit-codes.md"), "utf8");
const cells = page
  .split("\n")
  .filter((line) => line.startsWith("| "))
  .map((line) => line.split("|").map((cell) => cell.trim()));
const kinds = cells.flatMap(([, code, kind = "", statuses = ""]) =>
  kind.startsWith("`") && !kind.startsWith("`stint")
    ? [{ code: Number(code), kind: kind.replaceAll("`", "") as FaultKind, statuses: statuses.split(", ") }]
    : [],
);
const folder = temporaryFolder();

describe("CL-3 docs/reference/exit-codes.md", () => {
  it("has every kind of error with its code", () => {
    expect(Object.fromEntries(kinds.map(({ kind, code }) => [kind, code]))).toEqual(EXIT_CODES);
    expect(page).toMatch(new RegExp(`^\\| \`stint run\` \\| ${RUN_FAILED} \\|`, "m"));
  });

  it.each(kinds)(
    "a broker's error of kind $kind ends a command with $code",
    async ({ kind, code, statuses }) => {
      const program = capturedProgram({ job: () => Promise.reject(aFault(kind)) });
      expect((await program.call("status", "7f3a")).code).toBe(code);
      for (const status of statuses) {
        expect([status, new ProblemFault(Number(status), "x", {}).kind]).toEqual([status, kind]);
      }
    },
  );

  it("a file that does not exist is wrong input of every command", () => {
    const lines = [
      ...["check absent", "when absent", "match absent", "submit absent", "bids absent", "plan absent"],
      ...["sim absent.swf", "sim absent.yaml", "sim describe absent", "restore absent --state-dir new"],
      ...["sim generate --from absent --load 1 -o x.swf", "events --from absent", "stream submit absent"],
      ...["policy check absent", "policy diff absent absent", "policy verify absent", "ticket check absent"],
      ...["classad match absent absent", "classad script absent", "import accounting absent"],
      ...["cancel --ids absent", "archive verify --state-dir absent", "backup --state-dir absent x"],
    ];
    const ended: Readonly<Record<string, unknown>>[] = [];
    for (const line of lines) {
      const { code, err, out } = stint(line.split(" "), folder, { STINT_STATE_DIR: folder });
      ended.push({ line, code, names: `${out}${err}`.includes("absent") });
    }
    expect(ended).toEqual(lines.map((line) => ({ line, code: 2, names: true })));
  });

  it("is what the commands do that it names", () => {
    const environment = { STINT_STATE_DIR: folder };
    const codeOf = (...words: string[]) => stint(words, folder, environment).code;
    expect(codeOf("status", "--nonsense")).toBe(2);
    expect(codeOf("status")).toBe(69);
    expect(codeOf("run", "--", "true")).toBe(125);
    expect(codeOf("check", "nothing-there.yaml")).toBe(2);
    expect(codeOf("--help")).toBe(0);
  });
});
