import { expect, it } from "vitest";
import { add, clock, openScripted, pass, queue, start, worldForEach } from "../../test/foreign-broker.ts";
import { JOB_DEFAULTS } from "../model/index.ts";
import type { SiteAbility } from "../runtime/index.ts";

worldForEach();

it("FS-12 no job is suspended at a site that cannot suspend, nor an array with such a job", async () => {
  const broker = await start({
    async openSite(name, spec) {
      const opened = await openScripted(name, spec);
      if (opened.kind !== "foreign") return opened;
      return { ...opened, site: { ...opened.site, abilities: new Set<SiteAbility>(["submit"]) } };
    },
  });
  await add(broker, "far");
  const about = { consumer: "cms/ann", owner: "ann" };
  const description = { ...JOB_DEFAULTS, executable: "/bin/true", procs: 1, site: "far" };
  await broker.brokerApi.ask({ kind: "submit", job: "a", ...about, description });
  const inArray = { ...description, array: "0-1" };
  await broker.brokerApi.ask({ kind: "submitArray", array: "s", ...about, description: inArray });
  await pass();
  queue.startAll(clock.nowMs());
  await pass();
  const suspend = { kind: "suspend", job: "a", by: "ann" } as const;
  expect(await broker.brokerApi.ask(suspend)).toMatchObject({
    refusal: { kind: "siteWithoutSuspension", job: "a", site: "far" },
  });
  const ofArray = { kind: "actOnArray", array: "s", verb: "suspend", by: "ann" } as const;
  expect(await broker.brokerApi.ask(ofArray)).toMatchObject({
    refusal: { kind: "siteWithoutSuspension", job: "s-0", site: "far" },
  });
  expect(await broker.brokerApi.job("a")).toMatchObject({ state: "RUNNING" });
});
