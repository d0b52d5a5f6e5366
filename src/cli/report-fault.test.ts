import { describe, expect, it } from "vitest";
import { capturedProgram } from "../../test/captured-program.ts";
import { ProblemFault } from "../api/client/server-fault.ts";

/** The broker's answer to a request with a wrong field. */
function problem(place: { readonly pointer: string } | { readonly parameter: string }): ProblemFault {
  const [where] = Object.values(place);
  const why = "must NOT have more than 200 characters";
  const remedy = "correct it; /api/v1/openapi.json describes valid requests";
  return new ProblemFault(400, "invalidRequest", { ...place, detail: `${where} is not valid`, why, remedy });
}

describe("a value that the broker refuses", () => {
  const long = "n".repeat(201);
  const program = capturedProgram({
    jobs: () => Promise.reject(problem({ parameter: "name" })),
    job: () => Promise.reject(problem({ parameter: "id" })),
    edit: () => Promise.reject(problem({ pointer: "/userTags/x" })),
    arrays: () => Promise.reject(problem({ parameter: "name" })),
    dags: () => Promise.reject(problem({ parameter: "name" })),
  });

  it.each([
    [["list", "--name", long], `--name: "${"n".repeat(40)}…" is not valid`, "stint list --help"],
    [["edit", "7f3a", "--tag", "x"], "--tag is not valid", "stint edit --help"],
    [["status", long], `<id>: "${"n".repeat(40)}…" is not valid`, "stint status --help"],
  ])("is named by its option or argument: %j", async (words, what, remedy) => {
    const { code, err } = await program.call(...words);
    expect(code).toBe(2);
    expect(err).toContain(`stint: ${what}\n  why: must NOT have more than 200 characters\n`);
    expect(err).toContain(remedy);
    expect(err).not.toContain("openapi");
  });

  it.each([
    ["status", ""],
    ["status", "7f3a", ""],
    ["cancel", ""],
    ["why", ""],
    ["site", "show", ""],
  ])("an empty argument is refused before anything is sent: %s %s", async (...words) => {
    const { code, err } = await capturedProgram({}).call(...words);
    expect(code).toBe(2);
    expect(err).toMatch(/^stint: <(id|name|site)> is empty\n {2}why: .+\n {2}do: /);
  });
});
