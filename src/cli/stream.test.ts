import { describe, expect, it, vi } from "vitest";
import { aFault, capturedProgram, NOW } from "../../test/captured-program.ts";
import type { StreamView } from "../api/client/index.ts";

const stream: StreamView = {
  ...{ id: "hk3v", name: "h1", site: "here", state: "RUNNING", weight: 1 },
  ...{ submittedAt: NOW, admittedAt: NOW, endedAt: null },
} as StreamView;

describe("stint stream", () => {
  it("set sends what is to be changed, and refuses nothing and no number", async () => {
    const call = vi.fn(async () => stream as never);
    const program = capturedProgram({ call: call as never });
    expect((await program.call("stream", "set", "hk3v", "--weight", "2.5")).out).toBe("hk3v: changed\n");
    expect(call).toHaveBeenLastCalledWith("changeStream", { params: { id: "hk3v" }, body: { weight: 2.5 } });
    const nothing = await program.call("stream", "set", "hk3v");
    expect([nothing.code, nothing.err]).toEqual([2, expect.stringContaining("neither --weight nor")]);
    for (const weight of ["heavy", "0", "-1"]) {
      expect((await program.call("stream", "set", "hk3v", `--weight=${weight}`)).code).toBe(2);
    }
    expect(call).toHaveBeenCalledTimes(1);
  });

  it("status -o wide shows why a stream failed", async () => {
    const figures = { trouble: "the source is slow", failure: "/no/such could not be started" };
    const failed = { ...stream, state: "FAILED", figures } as StreamView;
    const program = capturedProgram({ call: (async () => failed) as never });
    const { out } = await program.call("stream", "status", "hk3v", "-o", "wide");
    expect(out).toMatch(/ FAILED /);
    expect(out).toContain("/no/such could not be started");
  });

  it("status shows no rates of a stream that has ended", async () => {
    const figures = { allocatedBytesPerSec: 7e6, receivedBytesPerSec: 8e6, processedBytesPerSec: 9e6 };
    const status = async (endedAt: string | null): Promise<string> => {
      const one = { ...stream, endedAt, figures } as StreamView;
      const program = capturedProgram({ call: (async () => one) as never });
      return (await program.call("stream", "status", "hk3v")).out;
    };
    expect(await status(null)).toMatch(/7\.00MB\/s +8\.00MB\/s +9\.00MB\/s/);
    expect(await status(NOW)).not.toContain("MB/s");
  });

  it("status of several ids is a table, with those that are unknown on stderr", async () => {
    const call = async (_: string, { params: { id } }: { params: { id: string } }) => {
      if (id === "nope") throw aFault("notFound", "there is no stream nope");
      return { ...stream, id };
    };
    const program = capturedProgram({ call: call as never });
    const { code, out, err } = await program.call("stream", "status", "a1", "nope", "b2", "-o", "name");
    expect({ code: code > 0, out, err }).toEqual({
      ...{ code: true, out: "a1\nb2\n", err: expect.stringContaining("there is no stream nope") },
    });
    const { items } = JSON.parse((await program.call("stream", "status", "a1", "b2", "-o", "json")).out);
    expect(items.map(({ id }: StreamView) => id)).toEqual(["a1", "b2"]);
    expect(JSON.parse((await program.call("stream", "status", "a1", "-o", "json")).out).id).toBe("a1");
  });

  it("list says where there is none", async () => {
    const program = capturedProgram({ call: (async () => ({ items: [] })) as never });
    expect((await program.call("stream", "list")).err).toBe("stint: no streams\n");
  });
});
