import { describe, expect, it } from "vitest";
import { serve } from "../../test/api/serving.ts";
import { JOB_DEFAULTS } from "../model/index.ts";

const { executable, arguments: words } = { ...JOB_DEFAULTS, executable: "true" };
const plain = { executable, arguments: [...words] };

describe("notes on a submission", () => {
  it.each([
    {
      what: "sends none, of a job that wants mail",
      sendsMail: false,
      job: { mail: ["end" as const] },
      notes: 1,
    },
    { what: "sends none, of another job", sendsMail: false, job: {}, notes: 0 },
    { what: "sends mail", sendsMail: true, job: { mail: ["end" as const] }, notes: 0 },
  ])("a broker that $what has $notes", async ({ sendsMail, job, notes }) => {
    const { client } = await serve({ sendsMail });
    const noted: string[] = [];
    const ids = await client.submit([{ ...plain, ...job }], { noted: (note) => noted.push(note) });
    expect([ids.length, noted.length]).toEqual([1, notes]);
  });
});
