import { describe, expect, it } from "vitest";
import { createOutbox } from "./outbox.ts";

describe("effects on a site", () => {
  it("BR-5 each lane has a limit of its own, and a job's effects keep their order across lanes", async () => {
    const done: string[] = [];
    const outbox = createOutbox([1, 2], (job, error) => done.push(`${job}: ${String(error)}`));
    const effect = (name: string) => async (): Promise<void> => {
      await new Promise((resolve) => setImmediate(resolve));
      done.push(name);
    };
    for (const job of ["a", "b", "c", "d"]) outbox.send(job, effect(`submit ${job}`));
    outbox.send("a", effect("release a"), 1);
    outbox.send("d", effect("release d"), 1);
    await outbox.idle();
    expect(done.filter((it) => it.startsWith("submit"))).toEqual(
      ["a", "b", "c", "d"].map((it) => `submit ${it}`),
    );
    expect(done.indexOf("release a")).toBeLessThan(done.indexOf("submit d"));
    expect(done.at(-1)).toBe("release d");
  });
});
