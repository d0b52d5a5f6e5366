import { describe, expect, it, vi } from "vitest";
import type { BidListView, StintClient } from "../api/client/index.ts";
import { bidsOfBoth, brokerOfBestBid, peerOf } from "./peer-bids.ts";

const END = "2026-05-31T12:00:00Z";

const bid = (site: string, endAt: string, costProcMs: number): BidListView["items"][number] => ({
  ...{ id: `b-${site}`, site, kind: "estimate", starts: [{ probability: 0.5, startAt: endAt }], endAt },
  ...{ costSu: 0, costProcMs, validUntil: END, reserved: null, conditions: [] },
});

/** A broker that makes these bids, or fails. */
function bidding(bids: BidListView["items"] | Error): StintClient {
  const call = async () => {
    if (bids instanceof Error) throw bids;
    return { items: bids, refusals: [], late: [] };
  };
  return { call } as unknown as StintClient;
}

const here = bidding([bid("near", END, 10)]);
const peer = (bids: BidListView["items"] | Error) => ({ url: "https://east", client: bidding(bids) });
const job = { executable: "/bin/true" };

describe("bids of another broker", () => {
  it("are ranked with those of the broker here, by time or by cost", async () => {
    const sooner = peer([bid("far", "2026-05-31T11:00:00Z", 20)]);
    const ranked = async (alpha: number) => {
      const { items } = await bidsOfBoth(here, sooner, { procs: 1, alpha }, { writeError: () => undefined });
      return items.map(({ site, broker = "here" }) => `${broker} ${site}`);
    };
    expect(await ranked(0)).toEqual(["https://east far", "here near"]);
    expect(await ranked(1)).toEqual(["here near", "https://east far"]);
  });

  it("a broker that cannot be asked is reported, and delays nothing", async () => {
    const writeError = vi.fn<(text: string) => void>();
    const gone = peer(new Error("there is no response"));
    const { items } = await bidsOfBoth(here, gone, { procs: 1 }, { writeError });
    expect(items.map(({ site }) => site)).toEqual(["near"]);
    expect(writeError).toHaveBeenCalledWith("stint: no bids of https://east: there is no response\n");
  });

  it("a job goes to the broker with the better bid, and to the one here where no bid is better", async () => {
    const writeError = vi.fn<(text: string) => void>();
    const far = peer([bid("far", "2026-05-31T11:00:00Z", 20)]);
    const jobs = [job];
    expect(await brokerOfBestBid(far, { here, jobs, alpha: 0 }, { writeError })).toBe(far.client);
    expect(writeError).toHaveBeenCalledWith(
      expect.stringContaining("submitted to the broker at https://east"),
    );
    expect(await brokerOfBestBid(far, { here, jobs, alpha: 1 }, { writeError })).toBe(here);
    expect(await brokerOfBestBid(peer([]), { here, jobs, alpha: 0 }, { writeError })).toBe(here);
    await expect(
      brokerOfBestBid(far, { here, jobs, alpha: undefined }, { writeError }),
    ).rejects.toMatchObject({
      code: "usage",
    });
  });

  it.each([
    [{ peer: "https://east" }, "--peer is given alone"],
    [{ tokenFile: "t" }, "--token-file or --ca is given without --peer"],
  ])("address and token go together: %o", async (options, what) => {
    await expect(peerOf(options)).rejects.toMatchObject({ code: "usage", what });
  });
});
