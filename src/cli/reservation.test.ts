import { describe, expect, it } from "vitest";
import { aReservation, capturedProgram } from "../../test/captured-program.ts";

/** Each word of the group beside its short form, with words that both understand. */
const PAIRS = [
  ["list", "reservations", ["--all", "-o", "json"]],
  ["list", "reservations", ["ab12"]],
  ["cancel", "unreserve", ["ab12cd34"]],
  ["release", "relinquish", ["ab12cd34"]],
  ["create", "reserve", ["ab12cd34"]],
  ["extend", "extend", ["ab12cd34", "-t", "soon"]],
  ["quote", "quote", ["-n", "none"]],
] as const;

describe("stint reservation", () => {
  const program = () =>
    capturedProgram({
      reservation: async () => aReservation({ state: "OFFERED" }),
      reservations: async () => ({ items: [aReservation()], next: null }),
      accept: async () => aReservation(),
      cancelReservation: async () => aReservation({ state: "CANCELLED" }),
      relinquish: async () => aReservation({ state: "RELINQUISHED" }),
    });

  it.each(PAIRS)("%s does what stint %s does: %j", async (word, short, words) => {
    const inGroup = await program().call("reservation", word, ...words);
    expect(inGroup).toEqual(await program().call(short, ...words));
    expect(inGroup.out + inGroup.err).not.toBe("");
  });

  it("says its words, and each says its short form", async () => {
    const help = (await program().call("reservation", "--help")).out;
    for (const [word] of PAIRS) expect(help).toMatch(new RegExp(`^  ${word} `, "m"));
    const release = (await program().call("reservation", "release", "--help")).out;
    expect(release).toContain("Usage: stint reservation release");
    expect(release).toContain("stint relinquish is the short form");
  });
});
