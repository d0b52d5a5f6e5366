import { expect, it } from "vitest";
import { serve } from "../../test/api/serving.ts";

const body = { name: "flow", bestEffort: true, tasks: [{ id: "a", runtimeSec: 60, executable: "true" }] };

it("a workflow runs for the organisation that it names, within that of the caller", async () => {
  const me = { owner: "you", consumer: "vo/lab", role: "user" } as const;
  const { send, brokerApi } = await serve({ identify: () => me });
  const start = (virtualOrganisation?: string) =>
    send("POST", "/api/v1/workflows", {
      body: { ...body, ...(virtualOrganisation === undefined ? {} : { virtualOrganisation }) },
    });
  for (const named of [undefined, "vo/lab/run7", "vo"]) await start(named);
  const consumers = brokerApi.asked.flatMap((one) => (one.kind === "startWorkflow" ? [one.consumer] : []));
  expect(consumers).toEqual(["vo/lab", "vo/lab/run7", "vo/lab"]);
  const type = "urn:stint:notYourOrganisation";
  expect(await start("other")).toMatchObject({ status: 403, json: { type } });
});
