import { describe, expect, it, vi } from "vitest";
import type { StintClient } from "../api/client/index.ts";
import { uploadInputs } from "./upload-inputs.ts";

const hash = "0".repeat(64);

/** A client whose uploads are named after their paths. */
function clientOf(isElsewhere: boolean) {
  return { isElsewhere, upload: vi.fn<StintClient["upload"]>(async (path) => `upload:${hash}${path}`) };
}

describe("input files of a submission", () => {
  const jobs = [
    { executable: "a", inputSandbox: ["/x", "/y"] },
    { executable: "b", inputSandbox: ["/x", `upload:${hash}/z`] },
    { executable: "c" },
  ];
  const terminal = { showsProgress: false, writeError: vi.fn() };

  it("are uploaded, each once, to a broker on another machine", async () => {
    const client = clientOf(true);
    expect(await uploadInputs(jobs, {}, { client, terminal })).toEqual([
      { executable: "a", inputSandbox: [`upload:${hash}/x`, `upload:${hash}/y`] },
      { executable: "b", inputSandbox: [`upload:${hash}/x`, `upload:${hash}/z`] },
      { executable: "c" },
    ]);
    expect(client.upload.mock.calls.map(([path]) => path)).toEqual(["/x", "/y"]);
    expect(terminal.writeError).not.toHaveBeenCalled();
  });

  it("are named by their paths for a broker on this one, unless an upload is asked for", async () => {
    const client = clientOf(false);
    expect(await uploadInputs(jobs, {}, { client, terminal })).toBe(jobs);
    await uploadInputs(jobs, { upload: true }, { client, terminal });
    expect(client.upload).toHaveBeenCalledTimes(2);
  });
});
