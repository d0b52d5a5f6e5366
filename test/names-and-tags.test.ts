/** Jobs found by the names and tags that their users gave them, on a real broker. */
import { describe, expect, it } from "vitest";
import { liveSetting } from "./live-setting.ts";

describe("names and tags", () => {
  const { ask, end, up } = liveSetting(["  - { name: here, type: managed, procs: 2 }"]);
  const submitted = (...words: string[]): string => ask("submit", ...words, "--", "true").out.trim();
  const found = (...words: string[]): string[] =>
    ask("list", "-o", "name", ...words)
      .out.split("\n")
      .filter((id) => id !== "");

  it("lists by them, also after a restart", async () => {
    const snow = submitted("--name", "night", "--tag", "project=snow", "--tag", "urgent");
    const snowfall = submitted("--name", "night", "--tag", "project=snowfall");
    const other = submitted("--name", "nights", "--tag", "urgently=no");
    const questions = () => ({
      name: found("--name", "night"),
      exact: found("--tag", "project=snow"),
      key: found("--tag", "project"),
      both: found("--tag", "project", "--tag", "urgent"),
      word: found("--tag", "urgent"),
      nameAndTag: found("--name", "nights", "--tag", "project"),
      all: found(),
    });
    const answers = {
      name: [snowfall, snow],
      exact: [snow],
      key: [snowfall, snow],
      both: [snow],
      word: [snow],
      nameAndTag: [],
      all: [other, snowfall, snow],
    };
    expect(questions()).toEqual(answers);
    await end("SIGKILL");
    await up();
    expect(questions()).toEqual(answers);
  });
});
