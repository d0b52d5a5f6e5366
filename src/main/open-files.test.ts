import { expect, it } from "vitest";
import { connectionsFor, mostOpenFiles } from "./api-servers.ts";

it("connections leave a quarter of the files to the log and to jobs, however few there are", () => {
  expect(connectionsFor(1024)).toEqual({ tcp: 512, socket: 256 });
  expect(connectionsFor(Number.POSITIVE_INFINITY)).toEqual({ tcp: 1024, socket: 1024 });
  expect(connectionsFor(20)).toEqual({ tcp: 10, socket: 8 });
});

it("the limit of this process is found", () => {
  expect(mostOpenFiles()).toBeGreaterThan(100);
});
