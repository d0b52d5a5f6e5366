import { createServer } from "node:net";
import { describe, expect, it } from "vitest";
import { choosePorts, isPortAnswering, isPortFree } from "./ports.ts";

const none = new Set<number>();
const always = (): Promise<boolean> => Promise.resolve(true);

describe("the ports of a test cluster", () => {
  it("are in a row, the same for the same directory, others for another", async () => {
    const first = await choosePorts({ count: 3, seed: "x", kept: none, isFree: always });
    const [from = 0] = first;
    expect(first).toEqual([from, from + 1, from + 2]);
    expect(await choosePorts({ count: 3, seed: "x", kept: none, isFree: always })).toEqual(first);
    expect(await choosePorts({ count: 3, seed: "y", kept: none, isFree: always })).not.toEqual(first);
  });

  it("pass over what another cluster keeps, and what somebody uses", async () => {
    const [from = 0] = await choosePorts({ count: 1, seed: "x", kept: none, isFree: always });
    const isFree = (port: number) => Promise.resolve(port !== from + 3);
    const chosen = await choosePorts({ count: 2, seed: "x", kept: new Set([from + 1]), isFree });
    expect(chosen).toEqual([from + 4, from + 5]);
  });

  it("are refused when there are none", async () => {
    const never = () => Promise.resolve(false);
    await expect(choosePorts({ count: 1, seed: "x", kept: none, isFree: never })).rejects.toThrow(
      "no 1 free",
    );
  });

  it("are told free or taken by trying", async () => {
    const server = createServer();
    const port = await new Promise<number>((resolve) => {
      server.listen(0, "127.0.0.1", () => {
        const address = server.address();
        resolve(typeof address === "object" ? (address?.port ?? 0) : 0);
      });
    });
    expect([await isPortFree(port), await isPortAnswering(port)]).toEqual([false, true]);
    await new Promise((closed) => server.close(closed));
    expect([await isPortFree(port), await isPortAnswering(port)]).toEqual([true, false]);
  });
});
