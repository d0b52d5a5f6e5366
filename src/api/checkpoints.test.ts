import { describe, expect, it } from "vitest";
import { serve } from "../../test/api/serving.ts";

const path = "/api/v1/jobs/abc/checkpoints";

/** A job with two states. */
async function withStates() {
  const serving = await serve();
  serving.brokerApi.put("abc", { state: "DONE", site: "local", attempt: 1 });
  serving.brokerApi.contents.set("abc@step1/d/n", Buffer.from("12345"));
  serving.brokerApi.contents.set("abc@step2/n", Buffer.from("6"));
  return serving;
}

describe("the states of a job", () => {
  it("are listed, and read file by file from a byte on", async () => {
    const { send } = await withStates();
    const state = { attempt: 1, savedAt: "1970-01-01T00:00:01.000Z" };
    expect((await send("GET", path)).json).toEqual({
      items: [
        { ...state, name: "step1", files: 1, sizeBytes: 5 },
        { ...state, name: "step2", files: 1, sizeBytes: 1 },
      ],
    });
    expect((await send("GET", `${path}/step1`)).json).toEqual({
      ...{ ...state, name: "step1" },
      items: [{ name: "d/n", sizeBytes: 5 }],
    });
    expect((await send("GET", `${path}/step1/files/d%2Fn?from=2`)).text).toBe("345");
  });

  it.each([
    [`${path}/step9`, 404, "urn:stint:noCheckpoint"],
    [`${path}/step1/files/none`, 404, "urn:stint:unknownFile"],
    [`${path}/..%2Fx`, 400, "urn:stint:invalidRequest"],
    [`${path}/step1/files/..%2Fx`, 400, "urn:stint:invalidRequest"],
    ["/api/v1/jobs/none/checkpoints", 404, "urn:stint:unknownJob"],
  ])("%s is refused", async (where, status, type) => {
    const { send } = await withStates();
    expect(await send("GET", where)).toMatchObject({ status, json: { type } });
  });
});
