import { describe, expect, it } from "vitest";
import { aJob, aReservation, aSite, aStart, capturedProgram, NOW } from "../../test/captured-program.ts";
import type { StintClient } from "../api/client/index.ts";

const id = "0kq3f7m2v9x4b8tz";
const jobs = [
  aJob({
    id,
    site: "cluster-of-theory",
    arguments: ["--steps", "1000000", "--seed", "42", "--out", "run.h5"],
  }),
  aJob({ id: "0kq3f7m2v9x4b8ta", state: "DONE", result: "failed", exitCode: 1, site: null }),
];
const broker: Partial<StintClient> = {
  jobs: async () => ({ items: jobs, next: null }),
  job: async () => jobs[0],
  sites: async () => [aSite({ name: "cluster-of-theory", state: "open" }), aSite({ name: "lab" })],
  reservations: async () => ({
    items: [aReservation({ id, site: "cluster-of-theory" }), aReservation()],
    next: null,
  }),
  quote: async () => ({
    procs: 4,
    durationSec: 3600,
    chosen: { site: "cluster-of-theory", startAt: NOW },
    items: [{ site: "cluster-of-theory", starts: [aStart()], trouble: null }],
  }),
};

const listings = ["list", "status", "site list", "reservations", "quote -n 4 -t 1h"];

describe.each(listings)("CL-10 the table of stint %s", (command) => {
  const at = async (columns: number | undefined, ...more: string[]) => {
    const program = capturedProgram(broker, columns === undefined ? {} : { columns });
    return (await program.call(...command.split(" "), ...more)).out;
  };

  it.each([60, 80, 200])("fits a terminal of %d columns, and says what it omits", async (columns) => {
    const [table, whole] = await Promise.all([at(columns), at(undefined)]);
    for (const line of table.trimEnd().split("\n")) expect(line.length, line).toBeLessThanOrEqual(columns);
    const heads = (text: string) => (text.split("\n")[0] ?? "").trim().split(/ {2,}/);
    const omitted = heads(whole).filter((head) => !heads(table).includes(head));
    const [, told] = /\d+ columns? omitted: (.*); -o wide/.exec(table.replace(/\n/g, " ")) ?? [];
    expect((told ?? "").split(", ").filter((head) => head !== "")).toEqual(omitted);
    if (columns === 200) expect(omitted).toEqual([]);
  });

  it("with -o wide has every column at every width", async () => {
    expect(await at(60, "-o", "wide")).toBe(await at(undefined, "-o", "wide"));
  });
});

it("one omitted column is told so", async () => {
  const program = capturedProgram({ sites: async () => [aSite()] }, { columns: 70 });
  expect((await program.call("site", "list")).out).toMatch(
    /\n1 column omitted: DISCIPLINE; -o wide shows it\n$/,
  );
});
