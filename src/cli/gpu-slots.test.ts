/** Slots with GPUs on the command line. */
import { describe, expect, it, vi } from "vitest";
import { aReservation, aSite, aStart, capturedProgram, NOW } from "../../test/captured-program.ts";
import type { StintClient } from "../api/client/index.ts";

function broker(starts = [aStart()]) {
  const offered = aReservation({ id: "aaaa", state: "OFFERED", gpus: 2 });
  const { spec, ...far } = aSite({ name: "far" });
  return {
    quote: vi.fn<StintClient["quote"]>(async () => ({
      items: [{ site: "far", trouble: null, starts }],
      chosen: starts.length === 0 ? null : { site: "far", startAt: NOW },
    })),
    offer: vi.fn<StintClient["offer"]>(async () => offered),
    accept: vi.fn<StintClient["accept"]>(async () => ({ ...offered, state: "ACCEPTED" })),
    reservations: vi.fn<StintClient["reservations"]>(async () => ({ items: [offered], next: null })),
    sites: vi.fn<StintClient["sites"]>(async () => [{ ...far, spec: { ...spec, gpus: 1 } }]),
  };
}

describe("--gpus of a slot", () => {
  it("is in the quote and in the offer, and told with the reservation", async () => {
    const there = broker();
    const { call } = capturedProgram(there);
    const { out } = await call("reserve", "-n", "4", "--gpus", "2", "-t", "1h", "--yes");
    expect(there.quote.mock.lastCall?.[0]).toMatchObject({ procs: 4, gpus: 2 });
    expect(there.offer.mock.lastCall?.[0]).toMatchObject({ procs: 4, gpus: 2, startAt: NOW });
    expect(out).toMatch(/^reservation aaaa: 4 processors and 2 GPUs at here from /);
    expect((await call("reservations", "-o", "csv")).out).toContain(",gpus,");
  });

  it("that no site has is told with the most that one of them has", async () => {
    const { call } = capturedProgram(broker([]));
    const { out, err } = await call("quote", "-n", "1", "--gpus", "2", "-t", "1h");
    expect(`${out}${err}`).toContain("the most GPUs that one of these sites has are the 1 at far");
  });

  it.each([
    ["no number", ["-n", "1", "--gpus", "two"], /--gpus.*two/],
    ["with --at", ["--at", "far:1", "--at", "near:1", "--gpus", "2"], /--gpus does not go with --at/],
    ["with --snapshot", ["-n", "1", "--gpus", "2", "--snapshot", "q.json"], /--gpus/],
  ])("is refused: %s", async (_, words, message) => {
    const there = broker();
    const { code, err } = await capturedProgram(there).call("quote", ...words, "-t", "1h");
    expect(code).not.toBe(0);
    expect(err).toMatch(message);
    expect(there.quote).not.toHaveBeenCalled();
  });
});
