import { describe, expect, it } from "vitest";
import { serve } from "../../test/api/serving.ts";
import { JOB_DEFAULTS } from "../model/index.ts";

const { executable, arguments: words } = { ...JOB_DEFAULTS, executable: "true" };
const plain = { executable, arguments: [...words] };
const HERE = ["example.org"];

describe("notes on a submission", () => {
  it.each([
    {
      what: "sends none, of a job that wants mail",
      mailDomains: [],
      job: { mail: ["end" as const] },
      notes: 1,
    },
    { what: "sends none, of another job", mailDomains: [], job: {}, notes: 0 },
    { what: "sends mail", mailDomains: HERE, job: { mail: ["end" as const] }, notes: 0 },
    {
      what: "sends mail elsewhere",
      mailDomains: HERE,
      job: { mail: ["end" as const], mailTo: "ann@example.com" },
      notes: 1,
    },
  ])("a broker that $what has $notes", async ({ mailDomains, job, notes }) => {
    const { client } = await serve({ mailDomains });
    const noted: string[] = [];
    const ids = await client.submit([{ ...plain, ...job }], { noted: (note) => noted.push(note) });
    expect([ids.length, noted.length]).toEqual([1, notes]);
  });
});
