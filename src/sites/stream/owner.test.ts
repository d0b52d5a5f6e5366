import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { temporaryFolder } from "../../../test/stint.ts";
import { takeOwnership } from "./owner.ts";

it("SW-13 stages that start at the same time are all noted for the wrapper that comes next", async () => {
  for (let again = 0; again < 30; again++) {
    const folder = temporaryFolder();
    const ownership = await takeOwnership(folder);
    const pids = Array.from({ length: 16 }, (_, at) => 10 ** (at % 8) + 5_000_000);
    await Promise.all(pids.map((pid, stage) => ownership.noteApplication(pid, stage)));
    ownership.release();
    const { stages } = JSON.parse(readFileSync(join(folder, "owner.json"), "utf8"));
    expect(stages).toEqual(pids.map((pid) => ({ pid, mark: "" })));
    expect(readdirSync(folder)).toEqual(["owner.json"]);
  }
});
