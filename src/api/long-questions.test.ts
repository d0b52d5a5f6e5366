import { describe, expect, it } from "vitest";
import { createLongQuestions } from "./long-questions.ts";

describe("long questions of one caller", () => {
  it("are refused beyond so many at once, with the facts, and answered again when one is over", async () => {
    const questions = createLongQuestions(2);
    const ends: (() => void)[] = [];
    const long = () => new Promise<string>((resolve) => ends.push(() => resolve("answer")));
    const asked = [questions.answered("ada", long), questions.answered("ada", long)];
    await expect(questions.answered("ada", long)).rejects.toMatchObject({
      problem: { status: 429, type: "urn:stint:tooManyQuestions", underWay: 2, mostAtOnce: 2 },
    });
    expect(await questions.answered("bob", async () => "at once")).toBe("at once");
    for (const end of ends) end();
    expect(await Promise.all(asked)).toEqual(["answer", "answer"]);
    expect(await questions.answered("ada", async () => "again")).toBe("again");
  });

  it("leave their place when they fail", async () => {
    const questions = createLongQuestions(1);
    const failing = async (): Promise<never> => {
      throw new Error("no");
    };
    await expect(questions.answered("ada", failing)).rejects.toThrow("no");
    expect(await questions.answered("ada", async () => 1)).toBe(1);
  });
});
