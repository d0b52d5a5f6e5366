import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { aJob, aReservation, aSite, capturedProgram } from "../../test/captured-program.ts";

/** Listings of the broker, each with what an empty broker answers. */
const program = capturedProgram({
  jobs: async () => ({ items: [], next: null }),
  job: async (id) => aJob({ id }),
  sites: async () => [],
  allSlots: async () => [],
  reservations: async () => ({ items: [], next: null }),
  tokens: async () => [],
  peers: async () => [],
  tickets: async () => [],
  ticketKeys: async () => [],
  vos: async () => [],
  policyVersions: async () => [],
  enforcementActions: async () => ({ items: [], next: null }),
  assess: async () => ({ items: [] }),
  clearFiles: async () => [],
});
const LISTINGS = [
  ...["status", "list", "site list", "slots", "usage", "reservations", "reservation list", "token list"],
  ...["peer list", "ticket show", "ticket key list", "vo show", "policy history", "policy actions"],
  ...["when -n 1 -t 1h", "status 7f3a 91bc", "clear 7f3a 91bc"],
];

describe("CL-16 -o json of a listing", () => {
  it.each(LISTINGS)("is {items, next}, with nothing in it, too: stint %s", async (command) => {
    const { code, out } = await program.call(...command.split(" "), "-o", "json");
    expect(code).toBe(0);
    expect(JSON.parse(out)).toEqual({ items: expect.any(Array), next: null });
    expect(parse((await program.call(...command.split(" "), "-o", "yaml")).out)).toEqual(JSON.parse(out));
  });

  it("of one thing that is named is that thing", async () => {
    const one = capturedProgram({
      job: async (id) => aJob({ id }),
      reservation: async () => aReservation(),
      sites: async () => [aSite()],
    });
    expect(JSON.parse((await one.call("status", "7f3a", "-o", "json")).out)).toEqual(aJob({ id: "7f3a" }));
    expect(JSON.parse((await one.call("reservations", "ab12", "-o", "json")).out)).toEqual(aReservation());
  });
});
