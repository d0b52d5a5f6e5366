import { expect, it } from "vitest";
import { scene } from "../../test/engine-scene.ts";
import { JOB_DEFAULTS } from "../model/index.ts";
import { decide } from "./index.ts";

it("EN-321 a job of one organisation is placed at once behind thousands of another's", () => {
  const play = scene({ here: 4, there: 4 });
  const description = { ...JOB_DEFAULTS, executable: "true", procs: 1 };
  const submit = (job: string, consumer: string) =>
    play.ask({ kind: "submit", job, description, consumer, owner: consumer });
  for (let at = 0; at < 3000; at++) submit(`m${at}`, "many/group/user");
  submit("one", "other/group/user");
  const { events } = decide(play.projection, play.now);
  const placed = events.flatMap((event) => (event.kind === "jobPlaced" ? [event.job] : []));
  expect(placed.length).toBeLessThan(100);
  expect(placed.slice(0, 4)).toEqual(["m0", "one", "m1", "m2"]);
});
