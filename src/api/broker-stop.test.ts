/** `POST /broker/stop`: what continues is counted by site, and the stop begins after the answer. */
import { expect, it } from "vitest";
import { serve } from "../../test/api/serving.ts";

it("answers with the active jobs of each site, then stops", async () => {
  let stops = 0;
  const { client, send } = await serve({
    stop: () => {
      stops++;
    },
  });
  await client.submit([{ executable: "a" }, { executable: "b" }]);
  const { status, json } = await send("POST", "/api/v1/broker/stop");
  expect(status).toBe(200);
  expect(json).toMatchObject({
    process: process.pid,
    left: [{ site: null, type: null, running: 0, waiting: 2 }],
  });
  await expect.poll(() => stops).toBe(1);
});

it("is for an admin alone", async () => {
  let stops = 0;
  const identify = async () => ({ owner: "o", consumer: "local/o", role: "operator" as const });
  const { send } = await serve({ identify, stop: () => void stops++ });
  const { status } = await send("POST", "/api/v1/broker/stop");
  expect([status, stops]).toEqual([403, 0]);
});
